/*
 * tools/estimate/share_error.h - estimates how uncertain the recording itself makes shares of samples.
 *
 * Job: chance apart (interval.h), recording does two things: probes hide work from samples (correct_sampled.h), and the
 * program shares caches and predictors with its recording.  In: a profile and its samples.  Out: the arguments of
 * prof_interval_widened.  The constants are chosen on programs whose plain shares are known (MODEL.md).
 */
#ifndef PROF_ESTIMATE_SHARE_ERROR_H
#define PROF_ESTIMATE_SHARE_ERROR_H

#include "estimate/interval.h"
#include "estimate/samples.h"

struct prof_share_error {
  double sample_ticks; /* what all samples outside of probes stand for; 0: there are none */
  double shadow;       /* work that none of them saw, as a part of that */
  double disturbed;    /* relative uncertainty of any share: the most of all threads */
  struct prof_share_unseen {
    double event_ticks, reading_ticks; /* the most work that one event, or one reading for a line, may hide */
    double disturbed;                  /* uncertainty of the thread's part of a share */
  } * unseen;                          /* by thread */
};

/* all: the samples that count.  Free with prof_share_error_free, whatever came out. */
prof_status prof_share_error_find(const struct prof_profile *, const struct prof_samples *,
                                  const struct prof_weighted *all, struct prof_share_error *) PROF_MUST_CHECK;
void prof_share_error_free(struct prof_share_error *);

/* Adds what the node's self time may hide. */
static inline double prof_share_error_unseen(const struct prof_share_error *error, const struct prof_node *node) {
  const struct prof_share_unseen *unseen = error->unseen ? &error->unseen[node->thread] : NULL;
  return unseen ? (double)node->own_events * unseen->event_ticks + node->own_readings * unseen->reading_ticks : 0;
}

/* Uncertainty of what a sample of the thread stands for. */
static inline double prof_share_error_disturbed(const struct prof_share_error *error, uint32_t thread) {
  return error->unseen ? error->unseen[thread].disturbed : 0;
}

struct prof_share_part { /* of all samples, those of a function or the like */
  struct prof_weighted met;
  double unseen_ticks;    /* the sum over the nodes that they lie in */
  double disturbed_ticks; /* over the samples: what each stands for, times prof_share_error_disturbed */
};
struct prof_interval prof_share_error_interval(const struct prof_share_error *, const struct prof_share_part *,
                                               const struct prof_weighted *all);

#endif
