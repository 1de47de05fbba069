/*
 * tools/command/sections.h - --by in tables: one section for each process or command, those with the most time first.
 *
 * Job: shows the table of `prof lines` or `loops` once for each group.  In: a reader that was opened with --by.  Out:
 * text on the output.  Each section is folded by itself, so that its rows are exact.
 */
#ifndef PROF_COMMAND_SECTIONS_H
#define PROF_COMMAND_SECTIONS_H

#include "ranked.h"

/* Shows the part with prof_ranked_show and `section`.  PROF_EMPTY: no rows, nothing printed. */
typedef prof_status prof_section_show(const void *context, const struct prof_reader *part,
                                      const struct prof_section *section, const struct prof_output *,
                                      struct prof_diag *);

/* PROF_EMPTY: no section showed anything. */
prof_status prof_sections_show(const struct prof_ranked *, const struct prof_reader *, prof_section_show *,
                               const void *context, int *result, struct prof_diag *) PROF_MUST_CHECK;

#endif
