/*
 * line_mark.h - a LINE as long as the compiler optimises: a statement whose text says what it will become.
 *
 * It is put in before anything is optimised and becomes a probe, or nothing, at the end.  As its text says all, passes
 * may copy it, inline it, and write it to intermediate code (-flto); an assembler that meets it takes it for a comment.
 */
#ifndef PROF_PLUGIN_LINE_MARK_H
#define PROF_PLUGIN_LINE_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_line_mark {
  uint32_t kind; /* of the row: PROF_PROBE_LINE with PROF_ROW_LINE_ flags */
  uint32_t line;
  struct prof_text place; /* as wire/times.h wants it */
};

/* Letters, digits, blanks and "#_.=" only. */
void prof_line_mark_write(struct prof_text *text, uint32_t kind, uint32_t line, const char *function, const char *path);
bool prof_line_mark_is(const char *statement);
/* True: *mark was filled, and prof_line_mark_fini is due. */
bool prof_line_mark_read(const char *statement, struct prof_line_mark *mark);
void prof_line_mark_fini(struct prof_line_mark *mark);

#ifdef __cplusplus
}
#endif

#endif
