/*
 * tools/export/perfetto_gpu.h - GPU work on Perfetto's tracks: one per stream, and one per thread that calls CUDA.
 */
#ifndef PROF_EXPORT_PERFETTO_GPU_H
#define PROF_EXPORT_PERFETTO_GPU_H

#include "exporters.h"
#include "perfetto_file.h"

struct prof_perfetto_uuids { /* track numbers: processes, threads, and the first of others */
  uint64_t processes, threads, others;
};

/* Writes what the filter shows; *any: there was some.  PROF_NO_MEMORY with a diagnostic. */
prof_status prof_perfetto_gpu_write(struct prof_perfetto_file *, const struct prof_export_source *,
                                    const struct prof_perfetto_uuids *, struct prof_diag *, bool *any) PROF_MUST_CHECK;

#endif
