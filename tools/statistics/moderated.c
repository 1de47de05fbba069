/*
 * tools/statistics/moderated.c - see moderated.h.
 */
#include "statistics/moderated.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/order.h"
#include "statistics/distributions.h"
#include "statistics/shared.h"

#define FEWEST_ROWS 4u       /* fewer don't tell what rows share */
#define MOST_FREEDOM 50.0    /* of the prior: rows are never taken to be all alike */
#define LEAST_VARIANCE 1e-10 /* a run is never known better than to 0.001% */
#define CALLED_CHANCE 0.005  /* of an effect that is called different among some ten rows */
#define MISSED_CHANCE 0.1    /* of one that is there and isn't called */
#define FEWEST_RUNS 3u
#define MOST_RUNS 100000u

struct prior {
  double variance, freedom; /* freedom 0: rows share nothing that is known */
};

static double mean_of(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  return sum / (double)count;
}

static double squares_of(const double *values, size_t count) {
  const double mean = mean_of(values, count);
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return sum;
}

/* The degrees of freedom of a prior whose variances scatter so much more than chance alone makes them. */
static double prior_freedom(double scatter) {
  double low = 1e-3, high = 1e4;
  for (int i = 0; i < 60; i++) {
    const double middle = sqrt(low * high);
    if (prof_trigamma(middle / 2) > scatter)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static struct prior fit_prior(const double *variances, size_t rows, double freedom) {
  struct prior prior = {0};
  if (rows < FEWEST_ROWS)
    return prior;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < rows; i++)
    sum += log(variances[i]);
  const double mean = sum / (double)rows;
  for (size_t i = 0; i < rows; i++)
    squares += (log(variances[i]) - mean) * (log(variances[i]) - mean);
  const double scatter = squares / (double)(rows - 1) - prof_trigamma(freedom / 2);
  prior.freedom = fmin(scatter > 1e-3 ? prior_freedom(scatter) : MOST_FREEDOM, MOST_FREEDOM);
  prior.variance = exp(mean - prof_digamma(freedom / 2) + log(freedom / 2) + prof_digamma(prior.freedom / 2) -
                       log(prior.freedom / 2));
  return prior;
}

/* Variances of a run, and differences, without what rows share. */
static void take_rows(const struct prof_two_groups *groups, const struct prof_shared *shared, double freedom,
                      double *variances, struct prof_difference *out) {
  const size_t before = groups->runs[0], after = groups->runs[1];
  for (size_t i = 0; i < groups->rows; i++) {
    const double *left = groups->values[0] + i * before, *right = groups->values[1] + i * after;
    const double least = groups->least_variance ? groups->least_variance[i] : 0;
    const double loading = shared->loadings ? shared->loadings[i] : 0;
    const double squares = squares_of(left, before) + squares_of(right, after) - loading * loading;
    variances[i] = fmax(squares / freedom, fmax(least, LEAST_VARIANCE));
    out[i].estimate = mean_of(right, after) - mean_of(left, before) - shared->between * loading;
  }
}

bool prof_moderated(const struct prof_two_groups *groups, struct prof_difference *out) {
  const size_t before = groups->runs[0], after = groups->runs[1];
  struct prof_shared shared = {0};
  double *variances = malloc((groups->rows ? groups->rows : 1) * sizeof *variances);
  if (!variances || (groups->shared_noise && !prof_shared_find(groups, &shared))) {
    free(variances);
    return false;
  }
  const double freedom = (double)(before + after) - 2 - (shared.loadings ? PROF_SHARED_FREEDOM : 0);
  const double parts = 1 / (double)before + 1 / (double)after + shared.between * shared.between;
  take_rows(groups, &shared, freedom, variances, out);
  const struct prior prior = fit_prior(variances, groups->rows, freedom);
  for (size_t i = 0; i < groups->rows; i++) {
    const double variance = (prior.freedom * prior.variance + freedom * variances[i]) / (prior.freedom + freedom);
    const double loading = shared.loadings ? shared.loadings[i] : 0;
    out[i].error = sqrt(variance * parts + loading * loading * shared.variance);
    out[i].freedom = prior.freedom + freedom;
    out[i].deviation = sqrt(variance);
  }
  prof_shared_fini(&shared);
  free(variances);
  return true;
}

double prof_effect_chance(const struct prof_difference *effect, double margin) {
  const double size = fabs(effect->estimate);
  return fmin(1, prof_t_above((size - margin) / effect->error, effect->freedom) +
                     prof_t_above((size + margin) / effect->error, effect->freedom));
}

struct prof_bounds_of_effect prof_effect_bounds(const struct prof_difference *effect, double missed) {
  const double half = prof_t_value(missed / 2, effect->freedom) * effect->error;
  return (struct prof_bounds_of_effect){effect->estimate - half, effect->estimate + half};
}

/* Do so many runs a side show it? */
static bool runs_suffice(double runs, double deviation, double distance) {
  const double freedom = 2 * runs - 2;
  const double deviations = prof_t_value(CALLED_CHANCE, freedom) + prof_t_value(MISSED_CHANCE, freedom);
  return deviations * deviation * sqrt(2 / runs) <= distance;
}

size_t prof_effect_runs(const struct prof_difference *effect, double size, double margin) {
  const double doubt = effect->freedom > 0 ? 1 / sqrt(2 * effect->freedom) : 0; /* of the deviation itself */
  const double deviation = effect->deviation * (1 + doubt);
  if (size <= margin || !runs_suffice(MOST_RUNS, deviation, size - margin))
    return SIZE_MAX;
  return prof_search(FEWEST_RUNS, MOST_RUNS, runs, !runs_suffice((double)runs, deviation, size - margin));
}
