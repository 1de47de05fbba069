/*
 * proftrace_pmu.h - counters of processors and of the kernel, and where threads were when they counted (prof record
 * --counters).
 *
 * Part of proftrace.h's library; the rules there hold here too.  Format: docs/trace-format-counted.md.
 */
#ifndef PROFTRACE_PMU_H
#define PROFTRACE_PMU_H

#include "proftrace.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_PMU_EXACT 1u     /* each event has a sample */
#define PROF_PMU_USER_ONLY 2u /* events in the kernel are left out */
#define PROF_PMU_NS 4u        /* figures are nanoseconds */
#define PROF_PMU_REFUSED 8u   /* it counted nothing: see `reason` */

struct prof_pmu {
  uint32_t number, flags;          /* flags: PROF_PMU_ */
  uint64_t value;                  /* in all processes, while it counted */
  uint64_t enabled_ns, running_ns; /* they differ: counters took turns */
  const char *name, *reason;       /* as it was asked for; why it counted nothing, or "" */
};
/* In the order in which they were asked for.  NULL: none was. */
const struct prof_pmu *prof_trace_pmus(const prof_trace *, size_t *count);

struct prof_pmu_chunk_ref { /* in file order */
  uint64_t offset;
  uint64_t first_time, last_time; /* ticks */
  uint32_t thread;                /* index; PROF_NONE: a thread without events */
  uint32_t count;                 /* of records */
};
const struct prof_pmu_chunk_ref *prof_trace_pmu_chunks(const prof_trace *, size_t *count);

struct prof_pmu_record {
  uint64_t time;    /* ticks, ascending */
  uint64_t address; /* run-time */
  uint64_t weight;  /* so many events */
  uint32_t flags;   /* PROF_SAMPLE_ */
};

/* One unpacked chunk; the array is reused by the next load into the same object.  One object per reading thread. */
struct prof_pmu_chunk {
  uint32_t process;  /* index */
  uint32_t pmu, tid; /* pmu: a counter's number */
  uint32_t count;
  const struct prof_pmu_record *records;
  void *storage;
};
prof_status prof_pmu_chunk_load(const prof_trace *, size_t chunk, struct prof_diag *,
                                struct prof_pmu_chunk *) PROF_MUST_CHECK;
void prof_pmu_chunk_free(struct prof_pmu_chunk *); /* a zeroed object is fine */

#ifdef __cplusplus
}
#endif
#endif
