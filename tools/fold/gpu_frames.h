/*
 * tools/fold/gpu_frames.h - paths of calls from programs without probes, by the stacks that the collector took: part
 * of gpu_join.
 */
#ifndef PROF_FOLD_GPU_FRAMES_H
#define PROF_FOLD_GPU_FRAMES_H

#include "base/vec.h"
#include "fold/core.h"
#include "proftrace.h"

struct prof_gpu_stack_frame {
  uint32_t source, number, parent, path, depth;
  uint64_t text;
};

struct prof_gpu_frames { /* a zeroed one is empty */
  PROF_VEC(struct prof_gpu_stack_frame) items;
  PROF_VEC(const char *) names; /* of functions that the trace has no others of, each once */
};

/*
 * Makes a path for each frame.  Functions of those paths are numbered from `first` on, by `names`.  *damaged grows by
 * what could not be read.  PROF_NO_MEMORY.
 */
prof_status prof_gpu_frames_load(const prof_trace *, uint32_t first, struct prof_fold_core *paths,
                                 struct prof_gpu_frames *, uint64_t *damaged) PROF_MUST_CHECK;
uint32_t prof_gpu_frames_path(const struct prof_gpu_frames *, uint32_t source, uint32_t number); /* 0: none */
void prof_gpu_frames_fini(struct prof_gpu_frames *);

#endif
