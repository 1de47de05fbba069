/*
 * tools/analysis/live.h - how busy is the program now?  Figures of a window of time, by the second.
 *
 * In: a profile of the window.  Out: structs for `prof top`.  Shares of time are of the window's length: 1 is one
 * thread all the time.
 */
#ifndef PROF_ANALYSIS_LIVE_H
#define PROF_ANALYSIS_LIVE_H

#include "analysis/functions.h"

struct prof_live {
  uint64_t begin_ns, end_ns; /* since the start of the recording */
  double seconds;
  bool has_switches;                  /* else `running` is elapsed time, and the next two are not known */
  double running, waiting, preempted; /* of all threads shown */
  double calls_per_s, events_per_s;
  uint32_t threads;     /* shown */
  double probe_share;   /* probe overhead, removed from `running`, as a part of both; below 0: not known */
  double probes;        /* the same in threads, as `running` */
  bool has_states;      /* functions can be in bursts, or off */
  uint32_t functions;   /* with a row */
  uint32_t bursts, off; /* of them, at the end of the window */
};

struct prof_live_row {
  const struct prof_function_row *row;
  double self, total; /* of the time asked for; of a thread both are all of it */
  double waiting;     /* self time; of a thread, all */
  double calls_per_s;
  const char *state; /* at the window's end: "all", "bursts", "off" */
};

struct prof_live_rows {
  struct prof_live live;
  struct prof_function_rows ranked;
  struct prof_live_row *rows; /* ranked.count of them */
  enum prof_group by;
};

/* By function or thread.  whole_ticks: all until then is in the trace, even where nothing happened; 0: not known.
 * profile NULL: the window has no calls, and there are no rows. */
prof_status prof_live_rank(const prof_trace *, const struct prof_filter *, uint64_t whole_ticks,
                           const struct prof_profile *, const struct prof_samples *, struct prof_names *,
                           enum prof_group, enum prof_time_kind, enum prof_sort, struct prof_diag *,
                           struct prof_live_rows *out) PROF_MUST_CHECK;
void prof_live_free(struct prof_live_rows *); /* may be zeroed */

#endif
