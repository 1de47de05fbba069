/*
 * text.h - a growing string, for assembler text and listings.
 *
 * In: formats and strings.  Out: `bytes` (ends in NUL once something was added).  The owner calls prof_text_fini.  When
 * memory runs out `failed` is set and later calls do nothing; callers test it once at the end.
 */
#ifndef PROF_PLUGIN_TEXT_H
#define PROF_PLUGIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The value of a macro as a string literal. */
#define PROF_TEXT_OF(x) #x
#define PROF_TEXT(x) PROF_TEXT_OF(x)

struct prof_text { /* all zero: empty */
  char *bytes;
  size_t length; /* without the NUL */
  size_t capacity;
  bool failed;
};

void prof_text_add(struct prof_text *text, const char *string);
void prof_text_add_bytes(struct prof_text *text, const char *bytes, size_t byte_count);
void prof_text_format(struct prof_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `string` as the inside of an assembler's string literal: quotes, backslashes, controls and bytes over 126 in octal.
 */
void prof_text_add_literal(struct prof_text *text, const char *string);

/* `string` escaped for GCC's asm templates: % { | } are doubled or escaped. */
void prof_text_add_template(struct prof_text *text, const char *string);

/* `string` in one field of a tab-separated line: controls and backslashes as \xNN. */
void prof_text_add_field(struct prof_text *text, const char *string);

/* The text, or "" while nothing was added; valid until the next call. */
const char *prof_text_string(const struct prof_text *text);
void prof_text_clear(struct prof_text *text);
void prof_text_fini(struct prof_text *text);

#ifdef __cplusplus
}
#endif

#endif
