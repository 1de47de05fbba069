/*
 * gpu/activity.h - lends CUPTI its activity buffers and converts their records.
 */
#ifndef PROF_GPU_ACTIVITY_H
#define PROF_GPU_ACTIVITY_H

#include "library.h"

/*
 * Measures the length of this library's records, registers the buffers, and enables the recorded kinds.  whole_graphs:
 * a record per run of a graph, not per node.  Returns ABI_SUCCESS, or the library's result for the first necessary kind
 * that failed.
 */
int prof_gpu_activity_begin(const struct prof_gpu_library *, bool whole_graphs);

/* Makes the library deliver finished records; forced: all. */
int prof_gpu_activity_flush(bool forced);

#endif
