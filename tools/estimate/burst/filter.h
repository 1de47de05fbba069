/*
 * tools/estimate/burst/filter.h - filters for functions and levels (-F, -N, -D) of recordings with a budget.
 *
 * The fold knows no call of a function in bursts, so it can't select any, and estimated calls of a function are divided
 * among all its nodes.  So everything is folded first, and estimated; then what the filter shows is cut out.
 */
#ifndef PROF_ESTIMATE_BURST_FILTER_H
#define PROF_ESTIMATE_BURST_FILTER_H

#include "estimate/profile.h"
#include "estimate/samples.h"

/* *out: the filter is such a one, and some function was not always recorded.  PROF_NO_MEMORY. */
prof_status prof_burst_filter_wanted(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                                     bool *out) PROF_MUST_CHECK;

/* The same filter without functions and levels; the caller frees out->flags.  PROF_NO_MEMORY. */
prof_status prof_burst_filter_widen(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                                    struct prof_filter *out) PROF_MUST_CHECK;

/* Cuts a profile that was made with that, and moves samples and pauses.  PROF_EMPTY: nothing is left. */
prof_status prof_burst_filter_cut(struct prof_profile *, struct prof_samples *, const struct prof_filter *,
                                  struct prof_diag *) PROF_MUST_CHECK;

#endif
