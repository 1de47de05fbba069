/*
 * tools/analysis/gpu/gpu_memory_tally.h - GPU allocations event after event: live blocks, groups and pools; for
 * gpu_memory.h.
 *
 * A group is a path, an API function, a kind of memory and a pool.  Those of hidden allocations count in no pool's sum.
 */
#ifndef PROF_ANALYSIS_GPU_MEMORY_TALLY_H
#define PROF_ANALYSIS_GPU_MEMORY_TALLY_H

#include "analysis/gpu/gpu_memory_events.h"
#include "analysis/measures/memory.h"
#include "tally/live_blocks.h"

struct prof_gpu_memory_group {
  uint32_t pool, path, call, kind; /* call: a text of the pool's source; 0: none */
  bool shown;
  struct prof_memory_figures sum; /* live_: now.  Whole after prof_gpu_memory_tally_settle */
  uint64_t seen_peak;             /* the number of the last peak that it knows of */
};

struct prof_gpu_memory_total { /* a pool */
  uint32_t source, device;
  const char *sort;
  uint64_t live_bytes, peak_bytes, peak_count, peak_ticks;
  uint64_t frees, unknown_frees;
};

struct prof_gpu_memory_thread {
  uint32_t source, tid;
  uint32_t serial; /* allocations so far */
};

struct prof_gpu_memory_tally { /* all zero, but for the study: nothing yet */
  struct prof_gpu_study *study;
  PROF_VEC(struct prof_gpu_memory_group) groups;
  PROF_VEC(struct prof_gpu_memory_total) pools; /* few */
  PROF_VEC(struct prof_gpu_memory_thread) threads;
  struct prof_index_map known_groups, known_threads;
  struct prof_live_blocks *live; /* per source */
  size_t source_count;
};

/* False: no memory; free it in any case. */
bool prof_gpu_memory_tally_init(struct prof_gpu_memory_tally *, struct prof_gpu_study *);
void prof_gpu_memory_tally_fini(struct prof_gpu_memory_tally *);
bool prof_gpu_memory_tally_take(struct prof_gpu_memory_tally *, const struct prof_gpu_memory_event *);
/* When all events are taken. */
void prof_gpu_memory_tally_settle(struct prof_gpu_memory_tally *);

#endif
