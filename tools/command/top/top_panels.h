/*
 * tools/command/top/top_panels.h - what `prof top` shows: a window of a recording that may still grow.
 *
 * In: the recording that `follow` knows.  Out: figures and rows, for a screen or a table.
 */
#ifndef PROF_COMMAND_TOP_PANELS_H
#define PROF_COMMAND_TOP_PANELS_H

#include "command/top/follow.h"
#include "command/top/top_rows.h"
#include "command/tui/panels.h"

struct prof_top {
  struct prof_tui_figures figures; /* first: builders of other panels take a prof_top too */
  struct prof_common common;       /* the command line; `input` changes */
  struct prof_follow follow;
  uint64_t window_ns;
  bool has_range;   /* --range was given: the window doesn't move */
  bool live;        /* what was read last was in progress */
  bool was_live;    /* so was something before: the window stays at its end */
  uint64_t read_ns; /* when its recorder was asked, else when it was read, of a steady clock */
  uint64_t age_ns;  /* of the window's end then */
};

/* Has the recording written up to now, and opens it.  To be closed in any case. */
prof_status prof_top_open(struct prof_top *, struct prof_diag *) PROF_MUST_CHECK;
void prof_top_close(struct prof_top *); /* zeroed: no effect */

/* Rows of functions or threads. */
prof_status prof_top_rank(struct prof_top *, enum prof_group, enum prof_sort, struct prof_diag *,
                          struct prof_live_rows *) PROF_MUST_CHECK;
/* Age of the window's end now; UINT64_MAX: the recording has ended. */
uint64_t prof_top_age_ns(const struct prof_top *);
bool prof_top_has_one_process(const struct prof_top *);

/* As struct prof_tui_world asks; `figures` is a struct prof_top. */
extern const struct prof_tui_panel prof_top_panels[];
extern const size_t prof_top_panel_count;
void prof_top_tui_header(void *figures, size_t width, bool utf8, char *out, size_t size);
prof_status prof_top_prepare(void *figures, enum prof_tui_change, const char *text, uint32_t number,
                             struct prof_diag *) PROF_MUST_CHECK;
bool prof_top_is_due(void *figures); /* it still changes */

#endif
