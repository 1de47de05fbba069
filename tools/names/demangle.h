/*
 * tools/names/demangle.h - demangles a linkage name, by the language of its source.
 *
 * In: names from any object file.  Out: the name as the language writes it.  Time, memory and stack are bounded for
 * every input: if a result would be longer than PROF_DEMANGLED_BYTES, the linkage name stays.
 * One thread at a time.
 */
#ifndef PROF_NAMES_DEMANGLE_H
#define PROF_NAMES_DEMANGLE_H

#include <stddef.h>
#include <stdint.h>

#define PROF_DEMANGLED_BYTES 65536

struct prof_name_buffer { /* zero at first; the owner frees `text` */
  char *text;
  size_t bytes; /* capacity */
};

/* Makes room for `bytes`; NULL: no memory, the buffer is unchanged. */
char *prof_name_room(struct prof_name_buffer *, size_t bytes);

/* `language`: enum prof_language.  NULL: not a name of such a language, too long, or no memory; else buffer->text. */
char *prof_name_full(const char *linkage, uint16_t language, struct prof_name_buffer *);

#endif
