/*
 * tools/fold/gpu_frames.h - paths of calls from programs without probes, by the stacks that the collector took: part
 * of gpu_join.
 */
#ifndef PROF_FOLD_GPU_FRAMES_H
#define PROF_FOLD_GPU_FRAMES_H

#include "base/vec.h"
#include "fold/core.h"
#include "fold/gpu_join.h"

struct prof_gpu_frame_names { /* of functions that the trace has no others of, each once */
  PROF_VEC(const char *) items;
};

/*
 * Gives a path to each call that has a stack and no thread with events.  Functions of those paths are numbered from
 * `first` on, by `names`.  *damaged grows by what could not be read.  PROF_NO_MEMORY.
 */
prof_status prof_gpu_frames_join(const prof_trace *, struct prof_gpu_api_call *calls, size_t count, uint32_t first,
                                 struct prof_fold_core *paths, struct prof_gpu_frame_names *names,
                                 uint64_t *damaged) PROF_MUST_CHECK;

#endif
