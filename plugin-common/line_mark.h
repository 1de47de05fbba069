/*
 * line_mark.h - the mark of a LINE while the compiler optimises: a statement whose text describes the probe.
 *
 * It is inserted before optimisation and becomes a probe, or is removed, at the end.  Its text is complete, so passes
 * may copy it, inline it, and write it to intermediate code (-flto).  For an assembler it is a comment.
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
/* True: *mark is filled; the caller must call prof_line_mark_fini. */
bool prof_line_mark_read(const char *statement, struct prof_line_mark *mark);
void prof_line_mark_fini(struct prof_line_mark *mark);

#ifdef __cplusplus
}
#endif

#endif
