/*
 * tools/analysis/lines/sample_addresses.h - samples by their address.
 *
 * Job: for the costs of lines and instructions.  In: samples and their profile.  Out: one entry per address and
 * innermost function, sorted by module and address.  Samples in the profiler, and those while a thread waited for the
 * recorder, are left out.
 */
#ifndef PROF_ANALYSIS_SAMPLE_ADDRESSES_H
#define PROF_ANALYSIS_SAMPLE_ADDRESSES_H

#include "estimate/interval.h"
#include "estimate/samples.h"

struct prof_sample_address {
  uint32_t module; /* index; PROF_NONE: not in a file */
  uint8_t where;   /* enum prof_where */
  uint64_t address;
  uint32_t function;        /* of the innermost frame; PROF_NONE: none */
  struct prof_weighted met; /* samples, in ticks */
};

struct prof_sample_addresses {
  struct prof_sample_address *items;
  size_t count;
  struct prof_weighted all; /* sum of the items */
};

/* within: only samples in frames that are shown.  samples may be NULL: none. */
prof_status prof_sample_addresses_of(const struct prof_samples *, const struct prof_profile *, bool within,
                                     struct prof_diag *, struct prof_sample_addresses *out) PROF_MUST_CHECK;
void prof_sample_addresses_free(struct prof_sample_addresses *);

/* For makers of such sums.  Is the sample shown?  *function: of its innermost frame. */
bool prof_sample_is_shown(const struct prof_sample *, const struct prof_profile *, bool within, uint32_t *function);
/* Sorts the items, and makes one of equal ones; sets `all`. */
void prof_sample_addresses_merge(struct prof_sample_addresses *);

/* Sums samples of a module in [low, high). */
struct prof_weighted prof_sample_addresses_within(const struct prof_sample_addresses *, uint32_t module, uint64_t low,
                                                  uint64_t high);

#endif
