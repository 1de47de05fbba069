/*
 * tools/analysis/share_error.h - how far may the shares of samples be off because the program was recorded?
 *
 * Job: beside what chance does (interval.h), two things that recording does: work in the shadow of probes, which no
 * sample sees (model/correct_sampled.h), and caches and predictors that the program has to share with its recording.
 * In: a profile and its samples.  Out: what prof_interval_widened wants.  Only what the recording itself says is used;
 * the two constants are chosen by looking at programs whose plain shares are known (docs/benchmarks.md).
 */
#ifndef PROF_ANALYSIS_SHARE_ERROR_H
#define PROF_ANALYSIS_SHARE_ERROR_H

#include "analysis/interval.h"
#include "model/samples.h"

struct prof_share_error {
  double sample_ticks; /* what all samples outside of probes stand for; 0: there are none */
  double shadow;       /* work that none of them saw, as a part of that */
  double disturbed;    /* so far may any share be off, relatively */
  struct prof_share_unseen {
    double event_ticks, reading_ticks; /* the most work that one event, or one reading for a line, may hide */
  } * unseen;                          /* by thread */
};

/* sample_count: those that count.  Free with prof_share_error_free, whatever came out. */
prof_status prof_share_error_find(const struct prof_profile *, const struct prof_samples *, uint64_t sample_count,
                                  struct prof_share_error *) PROF_MUST_CHECK;
void prof_share_error_free(struct prof_share_error *);

/* Adds what the node's own time may hide. */
static inline double prof_share_error_unseen(const struct prof_share_error *error, const struct prof_node *node) {
  const struct prof_share_unseen *unseen = error->unseen ? &error->unseen[node->thread] : NULL;
  return unseen ? (double)node->own_events * unseen->event_ticks + node->own_readings * unseen->reading_ticks : 0;
}

/* Of count samples among all; unseen_ticks: the sum over the nodes that they lie in. */
struct prof_interval prof_share_error_interval(const struct prof_share_error *, uint64_t count, uint64_t all,
                                               double unseen_ticks);

#endif
