/*
 * tools/analysis/measures/held_waits.h - what did holders of locks wait for, while others waited for the lock?
 *
 * In: a trace that was recorded with --locks, and for files with --io.  Out: a row per lock, place that took it, and
 * place where its holder then slept, waited, read or wrote.
 *
 * When such a wait of a holder ends, each thread that waits for the lock has waited the shorter of two times for it:
 * its own wait so far, and the holder's.  Holders that share a lock share that time.  Waits for another lock don't
 * count, nor those for a condition: it is given back meanwhile.
 *
 * The filter chooses the holders' waits; those who wait are everybody.
 */
#ifndef PROF_ANALYSIS_HELD_WAITS_H
#define PROF_ANALYSIS_HELD_WAITS_H

#include "analysis/measures/measured_place.h"
#include "study/symbols.h"

struct prof_held_wait_row {
  char *lock;                             /* its name */
  const char *kind;                       /* the lock's: "mutex", ... */
  const char *what;                       /* that the holder did: "sleep", "fsync", ... */
  struct prof_measured_place taken, call; /* where it took the lock, and where it waited */
  uint64_t calls, held_ns;                /* of the holder's waits */
  uint64_t wait_ns;                       /* of others, meanwhile */
  uint64_t waiters_ns;                    /* elapsed time of all threads that waited for the lock */
};

struct prof_held_waits {
  struct prof_held_wait_row *rows; /* most wait_ns first; none without */
  size_t count;
  struct prof_measured_paths paths;
};

/* Texts live as long as names and source.  Free *out with prof_held_waits_free, after a failure too. */
prof_status prof_held_waits_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                                 const struct prof_line_source *, struct prof_symbols *, struct prof_diag *,
                                 struct prof_held_waits *out) PROF_MUST_CHECK;
void prof_held_waits_free(struct prof_held_waits *);

#endif
