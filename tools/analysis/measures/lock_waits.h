/*
 * tools/analysis/measures/lock_waits.h - each wait for a lock: when, for which, and who held it.
 *
 * For pictures of time.  In: a trace that was recorded with --locks.  Out: the longest waits, in the order of threads
 * and time.  The holder is the thread that released the lock last before the wait's end; if none did, one that holds
 * it.
 */
#ifndef PROF_ANALYSIS_LOCK_WAITS_H
#define PROF_ANALYSIS_LOCK_WAITS_H

#include "base/vec.h"
#include "fold/filter.h"
#include "prof_status.h"
#include "study/symbols.h"

struct prof_lock_interval {
  uint32_t thread;
  uint64_t begin_ns, end_ns; /* since the start of the recording */
  uint32_t name;             /* index in names */
  uint32_t holder;           /* thread; PROF_NONE: not known */
  uint32_t holder_function;  /* index of the function that took it there; PROF_NONE: not known */
  bool has_release;          /* the holder released it before the wait's end: */
  uint64_t released_ns;
};

struct prof_lock_waits { /* zero: none */
  PROF_VEC(struct prof_lock_interval) items;
  PROF_VEC(char *) names; /* as prof_locks_rank has them */
  uint64_t all;           /* waits before short ones were left out */
};

/* At most `most` waits.  A recording without locks has none, at no cost.  PROF_NO_MEMORY with a diagnostic; to be freed
 * in any case. */
prof_status prof_lock_waits_find(const prof_trace *, const struct prof_filter *, struct prof_names *,
                                 struct prof_symbols *, size_t most, struct prof_diag *,
                                 struct prof_lock_waits *) PROF_MUST_CHECK;
void prof_lock_waits_fini(struct prof_lock_waits *);

#endif
