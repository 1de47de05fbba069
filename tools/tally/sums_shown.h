/*
 * tools/tally/sums_shown.h - the tallies of a recording that a filter shows: of its events, or of its MEASURES.
 *
 * Job: readers ask for a tally, and get the same one of a recording with events and of a summary.  Of a summary the
 * filter acts on call paths, and on whole processes; what it can't do is an error (PROF_EMPTY) that says so.
 * Free tally and paths in any case.
 */
#ifndef PROF_TALLY_SUMS_SHOWN_H
#define PROF_TALLY_SUMS_SHOWN_H

#include "tally/io_tally.h"
#include "tally/lock_state.h"
#include "tally/memory_tally.h"
#include "tally/openmp_tally.h"
#include "tally/query_tally.h"

struct prof_diag;
struct prof_filter;

/* tally: all zero but for by_place. */
prof_status prof_io_tally_of(const prof_trace *, const struct prof_filter *, struct prof_io_tally *,
                             struct prof_measured_paths *, struct prof_diag *) PROF_MUST_CHECK;
prof_status prof_query_tally_of(const prof_trace *, const struct prof_filter *, struct prof_query_tally *,
                                struct prof_measured_paths *, struct prof_diag *) PROF_MUST_CHECK;
/* All zero. */
prof_status prof_openmp_tally_of(const prof_trace *, const struct prof_filter *, struct prof_openmp_tally *,
                                 struct prof_measured_paths *, struct prof_diag *) PROF_MUST_CHECK;
/* All zero.  prof_lock_states_end isn't called yet. */
prof_status prof_lock_states_of(const prof_trace *, const struct prof_filter *, struct prof_lock_states *,
                                struct prof_measured_paths *, struct prof_diag *) PROF_MUST_CHECK;
/* Of a summary only; begun with prof_memory_tally_init, not by request.  What groups had at the peak is that of the
 * whole recording's peak. */
prof_status prof_memory_tally_of(const prof_trace *, const struct prof_filter *, struct prof_memory_tally *,
                                 struct prof_measured_paths *, struct prof_diag *) PROF_MUST_CHECK;

#endif
