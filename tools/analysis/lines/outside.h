/*
 * tools/analysis/lines/outside.h - samples outside of instrumented code by the instruction that led there.
 *
 * Job: for the costs of lines and instructions.  In: samples with the paths of their callers (proftrace_bursts.h), and
 * their profile.  Out: one entry per instruction and innermost function: the first caller that lies in a module with
 * probes, or, of a sample in the kernel, the instruction of such a module that entered it.  `address` is in the
 * instruction, `where` is PROF_WHERE_PROBED.  Samples without such a caller are left out: their path isn't known or was
 * cut, or a library began the thread.
 *
 * Also for others: which instruction led to a sample.
 */
#ifndef PROF_ANALYSIS_OUTSIDE_H
#define PROF_ANALYSIS_OUTSIDE_H

#include "analysis/lines/sample_addresses.h"
#include "estimate/sample_modules.h"

struct prof_outside {
  const prof_trace *trace;
  struct prof_sample_module *modules;
  const struct prof_path *paths;
  size_t path_count;
};

/* false: no memory. */
bool prof_outside_begin(struct prof_outside *, const prof_trace *);
void prof_outside_fini(struct prof_outside *);
/* Sets module and address of the instruction that led to a sample outside of instrumented code; false: none is known.
 */
bool prof_outside_find(const struct prof_outside *, const struct prof_sample *, struct prof_sample_address *out);

/* As prof_sample_addresses_of; prof_sample_addresses_free frees it. */
prof_status prof_outside_of(const struct prof_samples *, const struct prof_profile *, bool within, struct prof_diag *,
                            struct prof_sample_addresses *out) PROF_MUST_CHECK;

#endif
