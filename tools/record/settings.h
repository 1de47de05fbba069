/*
 * tools/record/settings.h - writes the SETTINGS chunk: command, folder, host, system, processor, options, budget.
 */
#ifndef PROF_RECORD_SETTINGS_H
#define PROF_RECORD_SETTINGS_H

#include "record/ranks.h"
#include "trace/write/write.h"

/* argument_count and word_count: lengths of the arrays.  The writer keeps its first error. */
void prof_settings_write(prof_writer *, char *const *arguments, int argument_count, char *const *words, int word_count,
                         double budget, const struct prof_rank *);

#endif
