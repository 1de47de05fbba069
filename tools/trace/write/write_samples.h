/*
 * tools/trace/write/write_samples.h - writes the chunks of sampling: maps of processes, the sampler's figures, samples,
 * switches, sparse-clock intervals.
 *
 * Rules as in write.h: errors are sticky, pointers are borrowed for the call.
 */
#ifndef PROF_TRACE_WRITE_SAMPLES_H
#define PROF_TRACE_WRITE_SAMPLES_H

#include "proftrace_samples.h"
#include "write.h"

struct prof_map_record {
  uint32_t process, module;
  uint32_t flags; /* PROF_FORMAT_MAP_ */
  uint64_t start_ticks, begin, end, bias;
};
prof_status prof_writer_map(prof_writer *, const struct prof_map_record *);

prof_status prof_writer_sampler(prof_writer *, const struct prof_sampler *);

/* Intervals of a thread (number), ascending. */
prof_status prof_writer_light(prof_writer *, uint32_t thread, uint32_t spacing, const struct prof_light_slice *,
                              size_t count);

/* By time.  count: 1 or more. */
prof_status prof_writer_rates(prof_writer *, const struct prof_rate_change *, size_t count);

struct prof_sample_record {
  uint64_t time;
  uint64_t address;   /* unused in switches */
  uint32_t processor; /* number + 1; 0: not known */
  uint8_t flags;      /* PROF_SAMPLE_, or PROF_SWITCH_ */
  uint32_t path;      /* number of its caller's path (write_bursts.h); 0: not known, and in switches */
};
struct prof_samples_record {
  enum prof_sample_kind kind;
  uint32_t thread, process, tid;            /* numbers; thread 0: a thread without events */
  const struct prof_sample_record *records; /* by time */
  uint32_t count;                           /* 1 to PROF_FORMAT_SAMPLES_LIMIT */
};
prof_status prof_writer_samples(prof_writer *, const struct prof_samples_record *);

#endif
