/*
 * tools/tally/lock_state.h - follows each lock through its events: who holds it, who waits, since when.
 *
 * For locks.c, which makes rows of it.  Times in ticks.
 */
#ifndef PROF_TALLY_LOCK_STATE_H
#define PROF_TALLY_LOCK_STATE_H

#include "fold/histogram.h"
#include "measure.h"
#include "tally/call_sites.h"
#include "tally/thread_set.h"

struct prof_lock_hold { /* a thread that holds a lock */
  uint32_t thread, site, depth;
  uint64_t since;
};

struct prof_lock_wait { /* a thread that waits */
  uint32_t thread, site;
  bool shown;
  uint64_t begin, since; /* since: the part up to there is attributed */
  uint64_t until;        /* it ends there at the latest */
};

struct prof_lock_ended { /* a wait that is over, and who held the lock before */
  uint32_t thread, lock; /* index of the lock */
  uint64_t begin, end;
  uint32_t holder, site; /* UINT32_MAX: not known */
  uint64_t released;     /* 0: it is still held, or not known */
};

struct prof_lock_part { /* of the waits, by the holder's site */
  uint32_t site;
  uint64_t held_ticks, handover_ticks;
};

struct prof_lock_waited { /* of the waits, by the site of those who waited */
  uint32_t site;
  uint64_t ticks;
};

struct prof_lock {
  uint32_t process, kind; /* enum prof_measure_lock */
  uint64_t address;
  uint32_t first_site, last_site, longest_site; /* last: of the last holder; UINT32_MAX: none yet */
  uint32_t last_thread;                         /* likewise, where last_site is known */
  uint64_t released;                            /* by it */
  uint64_t acquisitions, contended, wait_ticks, unknown_ticks, hold_ticks, longest_ticks;
  uint32_t waits; /* index of its histogram + 1; 0: nobody waited */
  PROF_VEC(struct prof_lock_hold) holds;
  PROF_VEC(struct prof_lock_wait) waiting;
  PROF_VEC(struct prof_lock_part) parts;
  PROF_VEC(struct prof_lock_waited) waited;
  struct prof_thread_set waiters; /* that waited for it */
};

struct prof_lock_states { /* all zero: empty */
  PROF_VEC(struct prof_lock) locks;
  struct prof_index_map known;
  struct prof_call_sites sites;
  PROF_VEC(struct prof_histogram) histograms; /* of waits, in ticks */
  size_t most_ended;                          /* that are kept, the longest; 0: none */
  PROF_VEC(struct prof_lock_ended) ended;
  struct prof_histogram_pool pool;
};

/* Whether threads meet there; false: a sleep, poll, input or child process. */
bool prof_lock_is_shared(uint64_t kind);

/* Takes an event of a lock; others are ignored.  False: no memory. */
bool prof_lock_states_take(struct prof_lock_states *, const struct prof_measured *);
/* The index of the lock of an event that was taken; UINT32_MAX: of no lock. */
uint32_t prof_lock_states_find(const struct prof_lock_states *, const struct prof_measured *);
/* The lock of an index of a process, a kind and an address, which is added if need be.  NULL: no memory. */
struct prof_lock *prof_lock_states_meet(struct prof_lock_states *, uint32_t process, uint32_t kind, uint64_t address);
/* What was waited for holders of a site; added if need be.  NULL: no memory. */
struct prof_lock_part *prof_lock_part_of(struct prof_lock *, uint32_t site);
/* So much was waited at a site.  False: no memory. */
bool prof_lock_add_waited(struct prof_lock *, uint32_t site, uint64_t ticks);
/* Its histogram of waits.  NULL: no memory. */
struct prof_histogram *prof_lock_waits(struct prof_lock_states *, struct prof_lock *);
/* At the recording's end: waits that still last end here, or with their threads.  False: no memory. */
bool prof_lock_states_end(struct prof_lock_states *, uint64_t time_ticks);
void prof_lock_states_fini(struct prof_lock_states *);

#endif
