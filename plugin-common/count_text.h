/*
 * count_text.h - assembler text of a counter's step, and the row that leads to the module's switch (wire/counts.h).
 *
 * In: the architecture.  Out: text for one asm statement, whose operand 0 is a register with the counter's address in
 * this process; a backend adds its compiler's way of writing operands and dialects.
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
