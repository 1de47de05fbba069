/*
 * tools/analysis/lines/outside.h - samples outside of instrumented code by the instruction that led there.
 *
 * Job: for the costs of lines and instructions.  In: samples with the paths of their callers (proftrace_bursts.h), and
 * their profile.  Out: one entry per instruction and innermost function: the first caller that lies in a module with
 * probes, or, of a sample in the kernel, the instruction of such a module that entered it.  `address` is in the
 * instruction, `where` is PROF_WHERE_PROBED.  Samples without such a caller are left out: their path isn't known or was
 * cut, or a library began the thread.
 */
#ifndef PROF_ANALYSIS_OUTSIDE_H
#define PROF_ANALYSIS_OUTSIDE_H

#include "analysis/lines/sample_addresses.h"

/* As prof_sample_addresses_of; prof_sample_addresses_free frees it. */
prof_status prof_outside_of(const struct prof_samples *, const struct prof_profile *, bool within, struct prof_diag *,
                            struct prof_sample_addresses *out) PROF_MUST_CHECK;

#endif
