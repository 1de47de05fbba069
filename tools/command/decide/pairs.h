/*
 * tools/command/decide/pairs.h - runs two commands in turns until it is clear which one is faster.
 */
#ifndef PROF_COMMAND_PAIRS_H
#define PROF_COMMAND_PAIRS_H

#include "base/vec.h"
#include "command/decide/machine_load.h"
#include "command/decide/trial.h"
#include "decide/diff.h"
#include "statistics/paired.h"

struct prof_pair {
  struct prof_trial_times times[2];
  bool new_first;
};

struct prof_pairs_plan {
  size_t most;     /* pairs */
  size_t warm_ups; /* of each command */
  double half;     /* stops at an interval of +-this, */
  double margin;   /* or at one that is clear of +-this, as logarithms */
  double same;     /* within +-this: the same */
  uint64_t seed;   /* of the order */
  struct prof_timed_streams streams;
};

struct prof_pairs {
  PROF_VEC(struct prof_pair) pairs;
  enum prof_pairs_end end;      /* PROF_PAIRS_GO_ON: at the limit */
  struct prof_paired cpu, wall; /* logarithms of new by old */
  enum prof_verdict verdict;
  size_t needed;    /* pairs, where it is unknown; 0: not known */
  double deviation; /* of one pair's logarithm of CPU time */
  struct prof_machine_use machine;
};

/* Free it in any case. */
prof_status prof_pairs_measure(const struct prof_trial trials[2], const struct prof_pairs_plan *, struct prof_diag *,
                               struct prof_pairs *) PROF_MUST_CHECK;
void prof_pairs_fini(struct prof_pairs *);

/* The next number of a sequence. */
uint64_t prof_pairs_random(uint64_t *seed);

#endif
