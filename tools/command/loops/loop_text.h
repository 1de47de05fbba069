/*
 * tools/command/loops/loop_text.h - a loop as text: its source lines, and how the compiler transformed it.
 */
#ifndef PROF_COMMAND_LOOP_TEXT_H
#define PROF_COMMAND_LOOP_TEXT_H

#include "analysis/loops.h"
#include "command/reader.h"

#define PROF_LOOP_TEXT_BYTES 4600

/* "src/app.c:12-18".  Not escaped. */
void prof_loop_place(const struct prof_loop_row *, const struct prof_reader *, char *out, size_t size);

/* "main"; with the function that it was inlined from: "find in main".  Not escaped. */
void prof_loop_function(const struct prof_loop_row *, char *out, size_t size);

#define PROF_LOOP_FACTS_BYTES 100
/* "countable, vectorised"; returns `out`. */
const char *prof_loop_facts(const struct prof_loop_row *, char *out, size_t size);

#endif
