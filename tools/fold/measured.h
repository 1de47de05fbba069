/*
 * tools/fold/measured.h - the events of measures (docs/trace-format.md, MEASURE) in time order, each with its call
 * path.
 *
 * Job: what all questions about allocations, locks and input and output begin with.  All threads are merged, also those
 * that the filter hides: a block may be given back anywhere.  The filter decides only what is `shown`; its min_ns has
 * no effect.  Memory: a node per path in which something was measured, and a chunk per thread.
 */
#ifndef PROF_FOLD_MEASURED_H
#define PROF_FOLD_MEASURED_H

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/filter.h"
#include "prof_status.h"
#include "proftrace.h"

struct prof_measured_node {         /* a call path; node 0 is outside of all calls */
  uint32_t parent, function, depth; /* function: index, of a loop its number (loop_frames.h); PROF_NONE: unknown */
};

struct prof_measured_paths {
  PROF_VEC(struct prof_measured_node) nodes;
  struct prof_index_map known;
};

struct prof_measured {
  uint32_t thread;    /* index */
  uint32_t process;   /* index */
  uint32_t node;      /* of the shown calls around it, and of one that made it by a tail call (tail_calls.h) */
  uint32_t function;  /* of the innermost call, or of that one, shown or not; PROF_NONE: none, or unknown */
  uint32_t operation; /* enum prof_measure_operation of wire/measure.h */
  bool shown;
  uint64_t time_ticks;
  uint64_t ends_ticks; /* when its thread, or the recording, ended: a wait without an end ends there */
  uint64_t caller;     /* run-time address that the wrapped call returns to; else of its place (tail_calls.h) */
  uint64_t first, second;
  bool has_request; /* it belongs to the request (PROF_REQUEST) of this number: the innermost one that is shown */
  uint64_t request;
};

/* Return false to stop: no memory. */
typedef bool prof_measured_visit(void *context, const struct prof_measured *);

/* The node of this function below `parent`, which is added if need be.  UINT32_MAX: no memory. */
uint32_t prof_measured_path_below(struct prof_measured_paths *, uint32_t parent, uint32_t function);

/* *paths is filled meanwhile; free it with prof_measured_paths_fini, after a failure too.  PROF_NO_MEMORY. */
prof_status prof_measured_walk(const prof_trace *, const struct prof_filter *, prof_measured_visit *, void *context,
                               struct prof_measured_paths *paths, struct prof_diag *) PROF_MUST_CHECK;
void prof_measured_paths_fini(struct prof_measured_paths *);

/* Was the program recorded with this option, as in "--memory"? */
bool prof_measured_asked(const prof_trace *, const char *option);

#endif
