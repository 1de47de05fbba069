/*
 * tools/trace/write/write_pmu.h - writes counters of processors and of the kernel, and their samples.
 *
 * Rules as in write.h: errors are sticky, pointers are borrowed for the call.
 */
#ifndef PROF_TRACE_WRITE_PMU_H
#define PROF_TRACE_WRITE_PMU_H

#include "proftrace_pmu.h"
#include "write.h"

prof_status prof_writer_pmus(prof_writer *, const struct prof_pmu *, size_t count);

struct prof_pmu_samples_record {
  uint32_t thread, process, tid;         /* numbers; thread 0: a thread without events */
  uint32_t pmu;                          /* number */
  const struct prof_pmu_record *records; /* by time */
  uint32_t count;                        /* 1 to PROF_FORMAT_SAMPLES_LIMIT */
};
prof_status prof_writer_pmu_samples(prof_writer *, const struct prof_pmu_samples_record *);

#endif
