/*
 * tools/command/page/old.h - the other recording of `prof view --against`.
 *
 * In: the paths of options, the recording that is shown.  Out: its figures and verdicts, as viewer/view_old.h takes
 * them.
 */
#ifndef PROF_COMMAND_PAGE_OLD_H
#define PROF_COMMAND_PAGE_OLD_H

#include "command/reader.h"
#include "decide/baseline.h"
#include "viewer/view_old.h"

struct prof_page_against { /* as on the command line; texts are borrowed */
  struct prof_texts old;   /* runs before; the first one's call paths are shown */
  struct prof_texts more;  /* further runs of what is shown, for verdicts */
};

struct prof_page_old { /* zero: there is none */
  char *path;
  struct prof_common common;
  struct prof_reader reader;
  struct prof_function_rows functions;
  struct prof_profile *tree;
  struct prof_run_group groups[2];
  struct prof_diff diff;
  struct prof_view_old shown; /* of the above */
};

/* Is the first of `old` a recording that can be opened?  Closes it again: nothing is read yet. */
prof_status prof_page_old_check(const struct prof_page_against *, const struct prof_common *,
                                struct prof_diag *) PROF_MUST_CHECK;

/* With the filters of `recording`, which is open as common->input.  To be closed in any case. */
prof_status prof_page_old_read(struct prof_page_old *, const struct prof_page_against *, const struct prof_common *,
                               const struct prof_recording *, struct prof_diag *) PROF_MUST_CHECK;

/* Frees figures that are written already; names stay. */
void prof_page_old_forget(struct prof_page_old *);
void prof_page_old_close(struct prof_page_old *);

#endif
