/*
 * tools/fold/fold.h - a trace's calls folded: the pieces of a plan shared out among workers, and what comes of them.
 *
 * In: an open trace, a filter, moments to be placed (marks.h).  Out: a context tree and histograms as measured, in one
 * worker's core (piece.h), with what they cover.  Knows no estimates: what the figures mean is tools/estimate's.
 */
#ifndef PROF_FOLD_FOLD_H
#define PROF_FOLD_FOLD_H

#include "base/stop.h"
#include "fold/piece.h"

struct prof_fold_task {
  const prof_trace *trace;
  const struct prof_filter *filter; /* NULL: everything */
  unsigned workers;                 /* 0: one per core */
  bool loops;                       /* they are nodes */
  bool places;                      /* calls are distinguished by where they came from */
  bool is_stretch; /* the trace is a stretch of a longer one: frames that are open at its ends are neither begun nor
                      left there.  One worker; no filter but for a begin */
  const uint64_t *open_times; /* with is_stretch: by thread, its frames from up to then are no calls; NULL: 0 */
  const struct prof_fold_begun *begun; /* with is_stretch: of the one before; NULL: not known */
  uint64_t max_bytes;                  /* as of prof_fold_options */
  const struct prof_stop *stop;        /* NULL: nobody ends it */
  _Atomic uint64_t *done;              /* grows by the events of each chunk; NULL: not wanted */
  struct prof_fold_marks *marks;       /* get nodes of the core; NULL: none */
  const uint64_t *costs; /* by thread: known overhead of an event's probe, in PROF_FOLD_COST_PARTS of a tick */
};

struct prof_folded {              /* owned by the caller of the fold */
  uint64_t first_time, last_time; /* of a trace with a summary: ticks of its events; else 0, 0 */
  struct prof_fold_worker worker; /* all that was counted */
  struct prof_fold_plan plan;
  uint8_t *damaged;                /* per chunk: 1, it could not be read */
  struct prof_call_places *places; /* the worker's; NULL: not asked for */
};

/* Damaged chunks are left out, not fatal.  PROF_NO_MEMORY, PROF_STOPPED: *out is empty. */
prof_status prof_fold_run(const struct prof_fold_task *, struct prof_diag *, struct prof_folded *out) PROF_MUST_CHECK;
void prof_folded_free(struct prof_folded *);

#endif
