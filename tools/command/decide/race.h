/*
 * tools/command/decide/race.h - finds the quickest of several commands with few runs.
 *
 * Job: rounds in which every command that is left runs once, in random order.  After each round from the third on,
 * a command leaves if it is surely slower than the best one: by the differences within rounds, as all runs of a round
 * share the state of the machine.  The race ends when one is left, or when all that are left differ by little.
 */
#ifndef PROF_COMMAND_RACE_H
#define PROF_COMMAND_RACE_H

#include "command/decide/trial.h"
#include "decide/diff.h"

#define PROF_RACE_MOST_ROUNDS 100u

struct prof_racer {
  struct prof_trial trial;
  double logs[PROF_RACE_MOST_ROUNDS]; /* of its time in each round */
  size_t rounds;                      /* that it took part in */
  double median_ns;
  enum prof_verdict verdict; /* against the best; of the best itself: same */
  double ratio, low, high;   /* by the best's, over the rounds of both; the best's are 1 */
};

struct prof_race_plan {
  size_t most_rounds;
  double same;  /* so near to the best is as good */
  bool elapsed; /* elapsed time decides, else CPU time */
  uint64_t seed;
  struct prof_timed_streams streams;
};

/* *best: index of the quickest. */
prof_status prof_race_run(struct prof_racer *, size_t count, const struct prof_race_plan *, struct prof_diag *,
                          size_t *best) PROF_MUST_CHECK;

#endif
