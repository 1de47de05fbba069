/*
 * count_text.h - assembler text of the row that leads to a module's switch of counters (wire/counts.h).
 *
 * In: the symbol that rows are linked to.  Out: text for the asm statement of an ENTRY probe.
 */
#ifndef PROF_PLUGIN_COUNT_TEXT_H
#define PROF_PLUGIN_COUNT_TEXT_H

#include "counts.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of kind PROF_PROBE_COUNTS, to stand beside a function's ENTRY probe; `anchor`: as of that. */
void prof_count_row_add(struct prof_text *text, const char *anchor);

#ifdef __cplusplus
}
#endif

#endif
