/*
 * tools/analysis/functions.h - what did each function (or file, module, thread, process, command) cost?
 *
 * Job: rows for `prof report`, sorted.  In: a profile.  Out: an array that the caller frees.
 *
 * A group's calls and durations are those of its functions' calls; its total counts nested time of several of its
 * functions once.  Threads, processes and commands have no durations: their calls are of different kinds.  A command is
 * all processes that ran the same program.  The mean is total by calls (recursion counts each time); it lies between
 * the shortest and the longest (prof_call_times).
 */
#ifndef PROF_ANALYSIS_FUNCTIONS_H
#define PROF_ANALYSIS_FUNCTIONS_H

#include <string.h>

#include "estimate/profile.h"
#include "estimate/samples.h"
#include "names/names.h"
#include "prof_study.h"

static inline bool prof_group_is_of_threads(enum prof_group by) {
  return by >= PROF_BY_THREAD && by < PROF_BY_ZONE;
}

/* A row for each function, or for each zone of some kind? */
static inline bool prof_group_is_single(enum prof_group by) {
  return by == PROF_BY_FUNCTION || by >= PROF_BY_ZONE;
}

/* Of a zone, or of a loop's iterations? */
static inline bool prof_function_row_is_zone(const struct prof_function_row *row) {
  return strcmp(row->kind, "zone") == 0 || strcmp(row->kind, "iteration") == 0;
}

struct prof_function_rows {
  struct prof_function_row *rows;
  size_t count;
};

/* Groups without calls have no row, except for time in frames that were open at a fork.  samples may be NULL. */
prof_status prof_functions_rank(const struct prof_profile *, const struct prof_samples *, struct prof_names *,
                                enum prof_group, enum prof_time_kind, enum prof_sort, struct prof_diag *,
                                struct prof_function_rows *out) PROF_MUST_CHECK;
/* Zones have their names alone, without its suffix: where the kind of a row stands elsewhere. */
void prof_functions_name_zones(const struct prof_function_rows *, struct prof_names *);
void prof_functions_free(struct prof_function_rows *);

#endif
