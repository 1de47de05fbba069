/*
 * tools/fold/gpu_chunks.h - visits the GPU records of a trace, chunk by chunk.
 */
#ifndef PROF_FOLD_GPU_CHUNKS_H
#define PROF_FOLD_GPU_CHUNKS_H

#include "proftrace.h"

/* false: no memory; ends the visit.  index: of the chunk, among prof_trace_gpu_chunks. */
typedef bool prof_gpu_chunk_visit(void *context, const struct prof_gpu_chunk *, uint32_t index);

/*
 * Visits the chunks of these records in file order; records: the sum of 1 << enum prof_gpu_record.  *damaged grows by
 * the chunks that cannot be read; NULL: not wanted.  PROF_NO_MEMORY.
 */
prof_status prof_gpu_chunks_visit(const prof_trace *, uint32_t records, prof_gpu_chunk_visit *, void *context,
                                  uint64_t *damaged) PROF_MUST_CHECK;

#endif
