/*
 * tools/command/annotate/annotate_page.h - the source of one target with its costs, ready to be written.
 *
 * Job: what `prof annotate` and `prof tui` share.  In: a target, and figures of lines and loops.  Out: a page for
 * view/annotate_text.h.
 */
#ifndef PROF_COMMAND_ANNOTATE_PAGE_H
#define PROF_COMMAND_ANNOTATE_PAGE_H

#include "annotate_code.h"
#include "annotate_target.h"
#include "command/counter_columns.h"
#include "command/reader.h"
#include "study/source_text.h"

struct prof_annotate_figures { /* all borrowed */
  const struct prof_reader *reader;
  const struct prof_profile *profile; /* distinguishes calls by place */
  const struct prof_samples *samples;
  struct prof_symbols *symbols;
  const struct prof_line_rows *rows;
  const struct prof_loop_rows *loops;
  const struct prof_counter_columns *counters; /* by line; NULL: none */
};

struct prof_annotate_made {
  struct prof_annotate_page page;
  char title[1700];
  struct prof_source_text source;
  struct prof_annotated annotated;
  struct prof_annotate_code code;
  const struct prof_counter_columns *counters;
  bool beyond; /* the source has fewer lines than the program */
};

/* code_by_address: else by line.  Figures and target must outlive the page; free it also after a failure. */
prof_status prof_annotate_page_make(const struct prof_annotate_figures *, const struct prof_annotate_target *,
                                    bool assembly, bool code_by_address, struct prof_diag *,
                                    struct prof_annotate_made *) PROF_MUST_CHECK;
void prof_annotate_page_fini(struct prof_annotate_made *);

/* The key of a line of a file for counters by line; PROF_NONE: nothing was counted there. */
uint32_t prof_annotate_counter_key(const struct prof_counter_columns *, const char *file, uint32_t line);

#define PROF_ANNOTATE_FLAW_BYTES 2048
/* "prof: no source at ...", or that it has changed since; "": neither. */
void prof_annotate_page_flaw(const struct prof_annotate_made *, char out[PROF_ANNOTATE_FLAW_BYTES]);

/* "NAME itself waited 12 ms; on which lines is not recorded", for each row of such a time; "" behind the last.
 * *at begins with 0. */
void prof_annotate_page_wait(const struct prof_annotate_figures *, const struct prof_annotate_target *, size_t *at,
                             char out[PROF_ANNOTATE_FLAW_BYTES]);

#endif
