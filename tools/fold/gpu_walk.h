/*
 * tools/fold/gpu_walk.h - which frames of a thread were open when; only where somebody asks.
 *
 * Job: a thread's events -> stretches of time in which the innermost frame stayed the same.  In: an opened trace, a
 * fold core whose nodes are the paths.  A chunk of events begins with its open stack, so that chunks in which nothing
 * is wanted are not read.
 */
#ifndef PROF_FOLD_GPU_WALK_H
#define PROF_FOLD_GPU_WALK_H

#include "fold/core.h"
#include "proftrace.h"

struct prof_gpu_visitor {
  void *context;
  /* The next time at which the visitor wants to know the frames; UINT64_MAX: it wants no more. */
  uint64_t (*wanted)(void *context);
  /* From what was taken before (or from what is wanted) up to `until` the path was this one; 0: no frame. */
  void (*take)(void *context, uint32_t path, uint64_t until);
};

struct prof_gpu_walk {
  const prof_trace *trace;
  struct prof_fold_core *paths; /* initialised, its root begun; node 1 is no path but the root of all */
  struct prof_chunk chunk;      /* for prof_chunk_free at the end */
  uint64_t damaged;             /* chunks that could not be read */
};

/* PROF_NO_MEMORY, also by paths->failed.  Events at the same time as what is wanted are over. */
prof_status prof_gpu_walk_thread(struct prof_gpu_walk *, uint32_t thread,
                                 const struct prof_gpu_visitor *) PROF_MUST_CHECK;

#endif
