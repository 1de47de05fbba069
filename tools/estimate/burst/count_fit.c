/*
 * tools/estimate/burst/count_fit.c - see count_fit.h.
 *
 * With a part k of the calibrated cost, a function's rate is the weighed mean of calls / (ran - k * cost) over the
 * windows in which it was on.  D(k), the sum of the functions' rates in whole windows less that in the others, rises
 * with k; where it is 0 lies the cost.  Its variance is that of two sums of ratio estimators, linearised (W. Cochran,
 * Sampling Techniques, 1977, chapter 6): windows are independent, functions of a window are not.
 */
#include "estimate/burst/count_fit.h"

#include <math.h>
#include <stdlib.h>

#define Z95 1.959963984540054
#define LEAST_TRIALS 8  /* with calls, of each kind */
#define LEAST_PLAIN 0.2 /* of what the thread ran; as LEAST_PART in rate.c */
#define LOWEST (-2.0)   /* where the cost is looked for: chance may push it below 0 */
#define HIGHEST 4.0
#define STEPS 24
#define LEAST_ERROR 0.2       /* functions differ */
#define LEAST_PART (1.0 / 64) /* so that what events cost can be told in counted calls */
/* Standard deviation of what the calibration tells: where threads share a core, a call costs two to three times as
 * much as alone. */
#define PRIOR_SPREAD 1.0

struct sums { /* of a function, by kind of window: 0 a part, 1 whole */
  double weight[2], calls[2];
};

struct fitting {
  const struct prof_count_fit *of;
  struct sums *sums;
};

void prof_count_fit_fini(struct prof_count_fit *fit) {
  prof_vec_fini(&fit->trials);
  prof_vec_fini(&fit->seen);
}

static double plain_of(const struct prof_count_trial *trial, double part) {
  return fmax(trial->ran - part * trial->cost, LEAST_PLAIN * trial->ran);
}

static bool is_compared(const struct sums *sums) {
  return sums->weight[0] > 0 && sums->weight[1] > 0;
}

/* Each function's sums with that part of the cost. */
static void sum_up(struct fitting *fitting, double part) {
  const struct prof_count_fit *fit = fitting->of;
  for (uint32_t i = 0; i < fit->function_count; i++)
    fitting->sums[i] = (struct sums){0};
  for (size_t i = 0; i < fit->trials.count; i++) {
    const struct prof_count_trial *trial = &fit->trials.items[i];
    double each = trial->weight / plain_of(trial, part);
    for (uint32_t k = 0; k < trial->count; k++) {
      const struct prof_count_seen *seen = &fit->seen.items[trial->first + k];
      fitting->sums[seen->function].weight[trial->whole] += trial->weight;
      fitting->sums[seen->function].calls[trial->whole] += seen->calls * each;
    }
  }
}

/* D: calls per tick; *rate: of whole windows. */
static double difference(struct fitting *fitting, double part, double *rate) {
  double sum = 0, whole = 0;
  sum_up(fitting, part);
  for (uint32_t i = 0; i < fitting->of->function_count; i++) {
    const struct sums *sums = &fitting->sums[i];
    if (!is_compared(sums))
      continue;
    whole += sums->calls[1] / sums->weight[1];
    sum += sums->calls[1] / sums->weight[1] - sums->calls[0] / sums->weight[0];
  }
  *rate = whole;
  return sum;
}

/* The variance of D, whose sums are there. */
static double variance(const struct fitting *fitting, double part) {
  const struct prof_count_fit *fit = fitting->of;
  double sum = 0;
  for (size_t i = 0; i < fit->trials.count; i++) {
    const struct prof_count_trial *trial = &fit->trials.items[i];
    double plain = plain_of(trial, part), off = 0;
    for (uint32_t k = 0; k < trial->count; k++) {
      const struct prof_count_seen *seen = &fit->seen.items[trial->first + k];
      const struct sums *sums = &fitting->sums[seen->function];
      double weight = sums->weight[trial->whole];
      if (is_compared(sums))
        off += trial->weight / weight * (seen->calls / plain - sums->calls[trial->whole] / weight);
    }
    sum += off * off;
  }
  return sum;
}

static bool has_enough(const struct prof_count_fit *fit) {
  size_t with_calls[2] = {0, 0};
  for (size_t i = 0; i < fit->trials.count; i++) {
    const struct prof_count_trial *trial = &fit->trials.items[i];
    double calls = 0;
    for (uint32_t k = 0; k < trial->count; k++)
      calls += fit->seen.items[trial->first + k].calls;
    with_calls[trial->whole] += calls > 0;
  }
  return with_calls[0] >= LEAST_TRIALS && with_calls[1] >= LEAST_TRIALS;
}

/* What the calibration tells, a cost about between the two that it has, joined with what the windows tell. */
static struct prof_count_part join(double part, double deviation, double least) {
  least = least > 0 && least < 1 ? least : least >= 1 ? 1 : 0;
  double middle = (1 + least) / 2;
  double prior = 1 / (PRIOR_SPREAD * PRIOR_SPREAD), seen = deviation > 0 ? 1 / (deviation * deviation) : 0;
  double joined = (middle * prior + part * seen) / (prior + seen);
  return (struct prof_count_part){fmax(joined, LEAST_PART), fmax(Z95 / sqrt(prior + seen), LEAST_ERROR)};
}

bool prof_count_fit_find(const struct prof_count_fit *fit, struct prof_count_part *out, bool *found) {
  *found = has_enough(fit);
  if (!*found)
    return true;
  struct fitting fitting = {fit, calloc((size_t)fit->function_count + 1, sizeof *fitting.sums)};
  if (!fitting.sums)
    return false;
  double low = LOWEST, high = HIGHEST, rate;
  for (int i = 0; i < STEPS; i++) {
    double middle = (low + high) / 2;
    *(difference(&fitting, middle, &rate) < 0 ? &low : &high) = middle;
  }
  double part = (low + high) / 2, at = fmin(fmax(part, 0), 1), step = 0.125;
  double slope = (difference(&fitting, at + step, &rate) - difference(&fitting, at - step, &rate)) / (2 * step);
  (void)difference(&fitting, at, &rate);
  double deviation = slope > 0 ? sqrt(variance(&fitting, at)) / slope : 0;
  free(fitting.sums);
  *found = slope > 0 && rate > 0;
  if (*found)
    *out = join(part, deviation, fit->least);
  return true;
}
