/*
 * gpu/activity.h - CUPTI's activity buffers: given out, taken back, their records converted.
 */
#ifndef PROF_GPU_ACTIVITY_H
#define PROF_GPU_ACTIVITY_H

#include "library.h"

/*
 * Measures how long this library's records are, registers the buffers, and enables what is recorded.  whole_graphs: a
 * record per run of a graph, not per node.  Returns the library's result for the first kind that is wanted by all and
 * could not be had, else ABI_SUCCESS.
 */
int prof_gpu_activity_begin(const struct prof_gpu_library *, bool whole_graphs);

/* Has finished records delivered; forced: all. */
int prof_gpu_activity_flush(bool forced);

#endif
