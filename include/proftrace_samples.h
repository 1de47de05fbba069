/*
 * proftrace_samples.h - libproftrace: samples and scheduler switches of threads, and memory maps of processes.  Format:
 * docs/trace-format.md, "SAMPLES and SWITCHES".
 *
 * Part of proftrace.h, which includes it.  The same rules: immutable after opening, pointers live until
 * prof_trace_close.  Memory grows with chunk headers and maps, not with samples.
 */
#ifndef PROFTRACE_SAMPLES_H
#define PROFTRACE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_trace;

enum prof_sampler_method {
  PROF_SAMPLER_NONE = 0,
  PROF_SAMPLER_PERF = 1,
  PROF_SAMPLER_TIMER = 2,
  PROF_SAMPLER_UNKNOWN = 255, /* in no file: there are samples, but the chunk that describes them is missing */
};

struct prof_sampler {
  enum prof_sampler_method method;
  uint32_t asked_hz;
  uint64_t period_ns;       /* CPU time between two samples; 0: not known */
  uint64_t extra_period_ns; /* of samples with PROF_SAMPLE_EXTRA; 0: none */
  bool kernel;              /* samples in the kernel were taken too */
  bool switches;            /* there are switches */
  uint32_t error_ticks;
  uint64_t lost, throttled, foreign, unsampled;
  const char *reason; /* why not a better method; or "" */
};
/* NULL: the recording is an older one, without samples. */
const struct prof_sampler *prof_trace_sampler(const struct prof_trace *);

/* From `time` on, samples of all threads are taken at this rate.  Before the first change: USUAL. */
enum prof_sample_rate {
  PROF_RATE_NONE = 0,
  PROF_RATE_USUAL = 1, /* one in period_ns */
  PROF_RATE_FAST = 2,  /* one in extra_period_ns, with PROF_SAMPLE_EXTRA */
};
struct prof_rate_change {
  uint64_t time; /* ticks */
  uint32_t rate;
  bool lacks_switches; /* from then on, switches of threads are missing; before the first change none is */
};
/* By time.  NULL: there is none. */
const struct prof_rate_change *prof_trace_rates(const struct prof_trace *, size_t *count);

/* A sparse-clock interval: the thread's probes read the clock rarely, and events may carry an earlier one's time. */
struct prof_light_slice {
  uint64_t begin, end; /* ticks */
  uint64_t events;     /* approximate */
};
/* Those of a thread (index), ascending.  NULL: none. */
const struct prof_light_slice *prof_trace_light_slices(const struct prof_trace *, uint32_t thread, size_t *count);

struct prof_map {
  uint32_t process, module; /* indices */
  bool own;                 /* the profiler's own code */
  uint64_t start_ticks, begin, end, bias;
};
const struct prof_map *prof_trace_maps(const struct prof_trace *, size_t *count);

/*
 * What lies at a run-time address of a process (index) at a time: module index, link-time address, and whether it is
 * the profiler's own.  false: not in the trace.  Cost: a binary search.
 */
struct prof_place {
  uint32_t module;
  uint64_t address;
  bool own;
};
bool prof_trace_place(const struct prof_trace *, uint32_t process, uint64_t address, uint64_t time,
                      struct prof_place *out);

enum prof_sample_kind { PROF_SAMPLE_SAMPLES = 16, PROF_SAMPLE_SWITCHES = 17 };

struct prof_sample_chunk_ref { /* in file order */
  uint64_t offset;
  uint64_t first_time, last_time; /* ticks */
  enum prof_sample_kind kind;
  uint32_t thread; /* index; PROF_NONE: a thread without events */
  uint32_t count;  /* of records */
};
const struct prof_sample_chunk_ref *prof_trace_sample_chunks(const struct prof_trace *, size_t *count);

#define PROF_SAMPLE_KERNEL 1u
#define PROF_SAMPLE_PROBE 2u
#define PROF_SAMPLE_EXTRA 4u /* of the faster sampler: counts in sparse-clock intervals, and at PROF_RATE_FAST */

#define PROF_SWITCH_ON 1u        /* put on a processor */
#define PROF_SWITCH_PREEMPTED 2u /* taken off it, still ready */
#define PROF_SWITCH_WAITS 3u     /* taken off it, waits */

/* One unpacked chunk; the arrays are reused by the next load into the same object.  One object per reading thread. */
struct prof_sample_chunk {
  enum prof_sample_kind kind;
  uint32_t process; /* index */
  uint32_t tid, count;
  const uint64_t *times;      /* ticks, ascending */
  const uint64_t *addresses;  /* run-time; NULL in switches */
  const uint8_t *flags;       /* PROF_SAMPLE_, or PROF_SWITCH_ in switches */
  const uint32_t *processors; /* number + 1; 0: not known */
  const uint32_t *paths; /* number of the path of its caller (proftrace_bursts.h), 0: not known; NULL: none known */
  void *storage;
};
prof_status prof_sample_chunk_load(const struct prof_trace *, size_t chunk, struct prof_diag *,
                                   struct prof_sample_chunk *) PROF_MUST_CHECK;
void prof_sample_chunk_free(struct prof_sample_chunk *); /* a zeroed object is fine */

#ifdef __cplusplus
}
#endif
#endif
