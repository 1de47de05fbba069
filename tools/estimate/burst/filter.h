/*
 * tools/estimate/burst/filter.h - levels that are cut out of a recording with a budget: by -F, -N, -D, and what a
 * question doesn't ask for.
 *
 * The fold knows no call of a function in bursts, so it can't select any, and estimated calls of a function are divided
 * among all its nodes.  So everything is folded first, and estimated; then what is shown is cut out.  Loops, and calls
 * of one function from several places, are nodes in every such fold: samples are counted by node, so with fewer nodes
 * all times would come out differently, and two commands would show two times of a function.
 */
#ifndef PROF_ESTIMATE_BURST_FILTER_H
#define PROF_ESTIMATE_BURST_FILTER_H

#include "estimate/profile.h"
#include "estimate/samples.h"

struct prof_burst_cut {             /* what is to be cut out of a profile that has all */
  const struct prof_filter *filter; /* functions and levels; NULL: none */
  bool loops;                       /* they become part of their functions */
  bool places;                      /* calls are no longer distinguished by place */
};

/* Whether anything has to be cut in this trace: not if all its functions were always recorded.  filter: NULL or active;
 * loops: the profile is to have them; places: likewise.  PROF_NO_MEMORY. */
prof_status prof_burst_cut_find(const prof_trace *, const struct prof_filter *, bool loops, bool places,
                                struct prof_diag *, struct prof_burst_cut *out) PROF_MUST_CHECK;

static inline bool prof_burst_cut_is_any(const struct prof_burst_cut *cut) {
  return cut->filter || cut->loops || cut->places;
}

/* The same filter without functions and levels; the caller frees out->flags.  PROF_NO_MEMORY. */
prof_status prof_burst_filter_widen(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                                    struct prof_filter *out) PROF_MUST_CHECK;

/* Cuts a profile that was made with that, with loops and with places; moves samples and pauses.  PROF_EMPTY: nothing is
 * left. */
prof_status prof_burst_filter_cut(struct prof_profile *, struct prof_samples *, const struct prof_burst_cut *,
                                  struct prof_diag *) PROF_MUST_CHECK;

#endif
