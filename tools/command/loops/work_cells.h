/*
 * tools/command/loops/work_cells.h - columns of `prof loops --flops`: operations, bytes, and what follows from them.
 */
#ifndef PROF_COMMAND_WORK_CELLS_H
#define PROF_COMMAND_WORK_CELLS_H

#include "analysis/loop_work.h"
#include "command/reader.h"
#include "view/table.h"

#define PROF_WORK_COLUMNS 8

/* Fills the columns; their number. */
size_t prof_work_columns(struct prof_column columns[PROF_WORK_COLUMNS], bool people);
/* Adds the cells of one loop. */
void prof_work_cells(struct prof_table *, const struct prof_loop_work *, bool people);

/* Writes a member "functions": an object for each counted function.  false: no memory. */
bool prof_work_functions_json(const struct prof_loop_works *, const struct prof_reader *, struct prof_json *);

#define PROF_WORK_TEXT_BYTES 160
/* "flops 1,003 to 2,006, bytes at least 8,024"; "" if all is exact or unknown.  Returns `out`. */
const char *prof_work_text(const struct prof_loop_work *, char out[PROF_WORK_TEXT_BYTES]);

#endif
