/*
 * tools/fold/gpu_chunks.h - visits the GPU records of a trace.
 */
#ifndef PROF_FOLD_GPU_CHUNKS_H
#define PROF_FOLD_GPU_CHUNKS_H

#include "proftrace.h"

/* Record `at` of a chunk, which is number `index` among prof_trace_gpu_chunks.  false: no memory; ends the visit. */
typedef bool prof_gpu_record_visit(void *context, const struct prof_gpu_chunk *, uint32_t index, uint32_t at);

/*
 * Visits records of some kinds in file order; kinds: the sum of 1 << enum prof_gpu_record.  *damaged grows by the
 * chunks that cannot be read; NULL: not wanted.  PROF_NO_MEMORY.
 */
prof_status prof_gpu_records_visit(const prof_trace *, uint32_t kinds, prof_gpu_record_visit *, void *context,
                                   uint64_t *damaged) PROF_MUST_CHECK;

#endif
