/*
 * tools/tally/sums.h - measures of a recording that keeps no events: sums by site (MEASURES of
 * docs/trace-format-summary.md).
 *
 * Job: the tallies of this folder, kept from stretch to stretch of a recording.  In: stretches, one after another.
 * Out: the payload of MEASURES, and what readers show of it (sums_shown.h).  Threads and processes have their numbers
 * in place of indices, and functions are indices of keys, as in a prof_summary.  It belongs to one thread.
 */
#ifndef PROF_TALLY_SUMS_H
#define PROF_TALLY_SUMS_H

#include "fold/summary/summary.h"
#include "tally/io_tally.h"
#include "tally/lock_state.h"
#include "tally/memory_tally.h"
#include "tally/openmp_tally.h"
#include "tally/query_tally.h"

#define PROF_TALLY_OTHER_LOCK UINT64_MAX /* address of the lock of a kind that stands for cold ones, of process 0 */

struct prof_tally_sums {
  PROF_VEC(struct prof_summary_key) keys; /* of functions, without a caller */
  struct prof_index_map known_keys;
  struct prof_measured_paths paths; /* functions are indices of keys; no loops */
  struct prof_memory_tally memory;  /* by place, sized */
  struct prof_lock_states locks;
  struct prof_io_tally io;
  struct prof_query_tally queries;
  struct prof_openmp_tally regions; /* of OpenMP */
  uint64_t cold;                    /* rows that became part of [other] */
  /* Not in the file, by number: */
  PROF_VEC(struct prof_process) processes; /* parent: number */
  PROF_VEC(uint8_t) over;                  /* the process has ended, and memory knows */
};

prof_status prof_tally_sums_init(struct prof_tally_sums *) PROF_MUST_CHECK; /* PROF_NO_MEMORY */
void prof_tally_sums_fini(struct prof_tally_sums *);                        /* a zeroed one is fine */
/* Begins anew; blocks that live are those of before.  PROF_NO_MEMORY: the sums are unusable. */
prof_status prof_tally_sums_clear(struct prof_tally_sums *) PROF_MUST_CHECK;

/* Adds all measures of a trace, which is the next stretch, or a whole recording.  PROF_NO_MEMORY: unusable. */
prof_status prof_tally_sums_add(struct prof_tally_sums *, const prof_trace *, struct prof_diag *) PROF_MUST_CHECK;

/* ---- sums_prune.c ---- */

/* What rows, sites and paths take in memory; live blocks apart. */
uint64_t prof_tally_sums_bytes(const struct prof_tally_sums *);
/* If that is more than `bytes` (0: no limit), the coldest rows become rows [other].  Twice as much is left for live
 * blocks; later ones are not followed.  PROF_NO_MEMORY: unusable. */
prof_status prof_tally_sums_prune(struct prof_tally_sums *, uint64_t bytes) PROF_MUST_CHECK;

/* ---- sums_bytes.c: the payload of MEASURES ---- */

struct prof_payload;
/* payload.failed: no memory. */
void prof_tally_sums_write(const struct prof_tally_sums *, struct prof_payload *);
/* PROF_CORRUPT, PROF_NO_MEMORY: *out is empty. */
prof_status prof_tally_sums_read(const uint8_t *bytes, size_t count, struct prof_tally_sums *out) PROF_MUST_CHECK;

#endif
