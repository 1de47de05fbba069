/*
 * tools/fold/gpu_join.h - what a GPU did, joined to the host's call path that asked for it.
 *
 * Job: API calls of a trace (GPU_CALL records) -> the frames that were open in the calling thread; correlation numbers
 * -> calls; times of a thread -> frames.  In: an opened trace, which must outlive it.  Memory grows with API calls (48
 * bytes each) and with paths, not with events: only chunks of events that have calls in them are read.
 *
 * The rule is the spec's: of the thread's events, all at or before the call's start are over.
 */
#ifndef PROF_FOLD_GPU_JOIN_H
#define PROF_FOLD_GPU_JOIN_H

#include "fold/filter.h"
#include "proftrace.h"

struct prof_gpu_api_call {
  uint64_t start, duration; /* ticks */
  uint32_t source;          /* index */
  uint32_t correlation;
  uint32_t tid, name; /* name: for prof_trace_gpu_text */
  uint32_t path;      /* node, see below; 0: outside of all probed functions, or the thread has no events */
  uint32_t thread;    /* index; PROF_NONE: not recorded by probes */
  uint32_t result;
  uint32_t stack; /* of a program without probes: number of a frame; 0: none */
  bool nested;    /* inside another API call */
};

struct prof_gpu_join;

/* PROF_NO_MEMORY.  Damaged chunks are counted (prof_gpu_join_damaged), not fatal. */
prof_status prof_gpu_join_new(const prof_trace *, struct prof_diag *, struct prof_gpu_join **out) PROF_MUST_CHECK;
void prof_gpu_join_free(struct prof_gpu_join *);

/* The call with this correlation number, of several the outermost; NULL: there is none. */
const struct prof_gpu_api_call *prof_gpu_join_call(const struct prof_gpu_join *, uint32_t source, uint64_t correlation);

/* All calls, ordered by source and correlation. */
const struct prof_gpu_api_call *prof_gpu_join_calls(const struct prof_gpu_join *, size_t *count);

/* A stretch of a thread's time; PROF_NONE: of no thread with events. */
struct prof_gpu_stretch {
  uint64_t begin, end; /* ticks */
  uint32_t thread;
};
/* From `begin` to `end`, which lie in that stretch, the thread was in `path` itself; 0: outside of all. */
typedef void prof_gpu_charge(void *context, size_t stretch, uint32_t path, uint64_t begin, uint64_t end);

/*
 * Says where threads were during the stretches, which are sorted by thread and time and don't overlap.  Every tick of
 * every stretch is charged once, in that order.  Makes paths where there are none yet.  PROF_NO_MEMORY.
 */
prof_status prof_gpu_join_charge(struct prof_gpu_join *, const struct prof_gpu_stretch *, size_t count,
                                 prof_gpu_charge *, void *context) PROF_MUST_CHECK;

uint64_t prof_gpu_join_damaged(const struct prof_gpu_join *); /* chunks that could not be read for it */

/*
 * Paths are nodes of a tree: function of a node (index; PROF_NONE: unknown site) and the node that it was called from.
 * Node 0 is outside of all; a parent's number is below its children's.  Functions from the number of the trace's on are
 * of programs without probes: prof_gpu_join_name has their linkage names.
 */
uint32_t prof_gpu_join_path_count(const struct prof_gpu_join *);
uint32_t prof_gpu_join_parent(const struct prof_gpu_join *, uint32_t path);
uint32_t prof_gpu_join_function(const struct prof_gpu_join *, uint32_t path);
const char *prof_gpu_join_name(const struct prof_gpu_join *, uint32_t function); /* NULL: one of the trace's */
uint32_t prof_gpu_join_name_count(const struct prof_gpu_join *);

#endif
