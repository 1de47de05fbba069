/*
 * tools/command/sections.h - --by in tables: one section for each process or command, those with the most time first.
 *
 * Job: shows the table of `prof lines` or `loops` once for each group.  In: a reader that was opened with --by.  Out:
 * text on the output.  Each section is folded by itself, so that its rows are exact.
 */
#ifndef PROF_COMMAND_SECTIONS_H
#define PROF_COMMAND_SECTIONS_H

#include "analysis/functions.h"
#include "base/json.h"
#include "output.h"
#include "ranked.h"
#include "reader.h"

struct prof_section {
  const struct prof_function_row *row; /* of the process or command */
  const char *title;
  enum prof_time_kind time;
  bool by_command;
  bool first;             /* nothing was shown before */
  struct prof_json *json; /* where it is an object; NULL in the other forms */
};

/* Shows what the part's filter lets pass, by prof_ranked_show with `section`.  PROF_EMPTY: nothing, and no text. */
typedef prof_status prof_section_show(const void *context, const struct prof_reader *part,
                                      const struct prof_section *section, const struct prof_output *,
                                      struct prof_diag *);

/* PROF_EMPTY: no section showed anything. */
prof_status prof_sections_show(const struct prof_ranked *, const struct prof_reader *, prof_section_show *,
                               const void *context, int *result, struct prof_diag *) PROF_MUST_CHECK;

/* For prof_ranked_show: what stands before the rows of a section; in JSON the begin of its object. */
void prof_section_begin(const struct prof_section *, const struct prof_output *);
void prof_section_csv(const struct prof_section *, const struct prof_table *, FILE *);

#endif
