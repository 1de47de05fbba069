/*
 * tools/fold/gpu_chunks.c - see gpu_chunks.h.
 */
#include "fold/gpu_chunks.h"

_Static_assert(PROF_GPU_RECORD_COUNT <= 32, "a bit for each kind of record");

prof_status prof_gpu_records_visit(const prof_trace *trace, uint32_t kinds, prof_gpu_record_visit *visit, void *context,
                                   uint64_t *damaged) {
  size_t count;
  const struct prof_gpu_chunk_ref *refs = prof_trace_gpu_chunks(trace, &count);
  struct prof_gpu_chunk chunk = {0};
  bool good = true;
  for (uint32_t i = 0; i < count && good; i++) {
    if (refs[i].record >= PROF_GPU_RECORD_COUNT || !(kinds >> refs[i].record & 1))
      continue;
    prof_status status = prof_gpu_chunk_load(trace, i, NULL, &chunk);
    good = status != PROF_NO_MEMORY;
    for (uint32_t at = 0; at < chunk.count && status == PROF_OK && good; at++)
      good = visit(context, &chunk, i, at);
    if (damaged)
      *damaged += status != PROF_OK;
  }
  prof_gpu_chunk_free(&chunk);
  return good ? PROF_OK : PROF_NO_MEMORY;
}
