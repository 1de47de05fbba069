/*
 * tools/command/info/sample_info.h - how a recording was sampled, with its losses, for `prof info`.
 */
#ifndef PROF_COMMAND_SAMPLE_INFO_H
#define PROF_COMMAND_SAMPLE_INFO_H

#include "base/json.h"
#include "command/output.h"
#include "proftrace.h"

struct prof_sample_facts {
  const struct prof_sampler *sampler; /* NULL: no settings of sampling */
  uint64_t samples, switches, kernel, in_probes;
  bool placed;                   /* the next two are known */
  uint64_t ambiguous, in_frames; /* of the samples, by the fold */
  uint64_t with_callers;         /* samples whose caller is known */
  double achieved_hz;            /* per second of the threads' CPU time; 0: unknown */
  /* Sparse-clock intervals: number of threads; total length, samples; share of these threads' time. */
  uint32_t light_threads;
  uint64_t light_ticks, light_samples;
  double light_share;
  /* Stretches at the faster rate, in place of the usual one: number; total length; samples, which are in `samples` too.
   */
  uint32_t stretches;
  uint64_t stretch_ticks, stretch_samples;
};

/*
 * Reads all chunks of samples; places: also folds the trace to find their calls.  Fails only with PROF_NO_MEMORY; a
 * trace without calls is no error.
 */
prof_status prof_sample_facts_find(const prof_trace *, bool places, struct prof_sample_facts *,
                                   struct prof_diag *) PROF_MUST_CHECK;

void prof_sample_info_print(const prof_trace *, const struct prof_sample_facts *, const struct prof_output *);
void prof_sample_info_json(const prof_trace *, const struct prof_sample_facts *, struct prof_json *);

#endif
