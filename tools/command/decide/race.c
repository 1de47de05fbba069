/*
 * tools/command/decide/race.c - see race.h.
 */
#include "command/decide/race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "command/decide/pairs.h"
#include "statistics/distributions.h"
#include "statistics/median.h"

#define FEWEST_ROUNDS 3u
#define LEAVES 0.005 /* chance that one leaves that isn't slower; rounds are looked at again and again */
#define MISSED 0.05  /* of the intervals shown */

static double median_ns(const struct prof_racer *racer) {
  double sorted[PROF_RACE_MOST_ROUNDS];
  memcpy(sorted, racer->logs, racer->rounds * sizeof *sorted);
  return racer->rounds ? exp(prof_median(sorted, racer->rounds)) : 0;
}

/* Mean difference to another over the rounds that both took part in, and half of its interval; infinite: too few. */
static double difference(const struct prof_racer *racer, const struct prof_racer *to, double missed, double *half) {
  const size_t rounds = racer->rounds < to->rounds ? racer->rounds : to->rounds;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < rounds; i++)
    sum += racer->logs[i] - to->logs[i];
  const double count = (double)rounds, mean = rounds ? sum / count : 0;
  for (size_t i = 0; i < rounds; i++)
    squares += (racer->logs[i] - to->logs[i] - mean) * (racer->logs[i] - to->logs[i] - mean);
  *half = rounds < FEWEST_ROUNDS ? INFINITY : prof_t_value(missed / 2, count - 1) * sqrt(squares / (count - 1) / count);
  return mean;
}

/* The quickest on average among those with the most rounds. */
static size_t find_best(const struct prof_racer *racers, size_t count) {
  size_t best = 0;
  double best_mean = INFINITY;
  size_t most = 0;
  for (size_t i = 0; i < count; i++)
    most = racers[i].rounds > most ? racers[i].rounds : most;
  for (size_t i = 0; i < count; i++) {
    double sum = 0;
    for (size_t j = 0; j < racers[i].rounds; j++)
      sum += racers[i].logs[j];
    if (racers[i].rounds == most && sum / (double)most < best_mean)
      best = i, best_mean = sum / (double)most;
  }
  return best;
}

static prof_status run_round(struct prof_racer *racers, const size_t *left, size_t left_count, size_t round,
                             const struct prof_race_plan *plan, uint64_t *seed, struct prof_diag *diag) {
  size_t order[256];
  memcpy(order, left, left_count * sizeof *order);
  for (size_t i = left_count; i > 1; i--) {
    const size_t j = prof_pairs_random(seed) % i, kept = order[i - 1];
    order[i - 1] = order[j];
    order[j] = kept;
  }
  for (size_t i = 0; i < left_count; i++) {
    struct prof_racer *racer = &racers[order[i]];
    struct prof_trial_times times;
    prof_trial_progress("round %zu: %zu left, %s", round + 1, left_count, racer->trial.title);
    prof_status status = prof_trial_plain(&racer->trial, &plan->streams, diag, &times);
    if (status != PROF_OK)
      return status;
    racer->logs[racer->rounds++] = log(fmax((double)(plan->elapsed ? times.wall_ns : times.cpu_ns), 1000));
  }
  return PROF_OK;
}

/* Removes those that are surely slower than the best; true: the race is over. */
static bool thin_out(const struct prof_racer *racers, size_t *left, size_t *left_count, size_t best, double same) {
  size_t kept = 0;
  bool alike = true;
  for (size_t i = 0; i < *left_count; i++) {
    double half;
    const double mean = difference(&racers[left[i]], &racers[best], LEAVES, &half);
    if (left[i] != best && mean - half > 0)
      continue;
    alike &= left[i] == best || mean + half <= log1p(same);
    left[kept++] = left[i];
  }
  *left_count = kept;
  return kept == 1 || alike;
}

static void judge(struct prof_racer *racers, size_t count, size_t best, double same) {
  for (size_t i = 0; i < count; i++) {
    struct prof_racer *racer = &racers[i];
    double half;
    const double mean = difference(racer, &racers[best], MISSED, &half);
    racer->median_ns = median_ns(racer);
    racer->ratio = exp(mean);
    racer->low = i == best ? 1 : exp(mean - half);
    racer->high = i == best ? 1 : exp(mean + half);
    racer->verdict = i == best || racer->high <= 1 + same ? PROF_VERDICT_SAME
                     : racer->low > 1                     ? PROF_VERDICT_SLOWER
                                                          : PROF_VERDICT_UNKNOWN;
  }
}

prof_status prof_race_run(struct prof_racer *racers, size_t count, const struct prof_race_plan *plan,
                          struct prof_diag *diag, size_t *best) {
  size_t left[256], left_count = count;
  uint64_t seed = plan->seed;
  prof_status status = PROF_OK;
  for (size_t i = 0; i < count; i++)
    left[i] = i;
  bool over = false;
  *best = 0;
  for (size_t round = 0; status == PROF_OK && !over && round < plan->most_rounds; round++) {
    status = run_round(racers, left, left_count, round, plan, &seed, diag);
    if (status != PROF_OK || round + 1 < FEWEST_ROUNDS)
      continue;
    *best = find_best(racers, count);
    over = thin_out(racers, left, &left_count, *best, plan->same);
  }
  prof_trial_progress(NULL);
  if (status == PROF_OK) {
    *best = find_best(racers, count);
    judge(racers, count, *best, plan->same);
  }
  return status;
}
