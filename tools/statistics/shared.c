/*
 * tools/statistics/shared.c - see shared.h.
 *
 * The rows' deviations from the means of their groups are a matrix; what they share is its first component, if that is
 * larger than chance makes it.
 */
#include "statistics/shared.h"

#include <math.h>
#include <stdlib.h>

#include "statistics/median.h"

#define FEWEST_ROWS 10u
#define FEWEST_RUNS 10u /* of both sides */
#define MOST_RUNS 200u  /* more need no help */
#define CHANCE 1.3      /* times the share of the first component of pure noise */
#define STEPS 60
#define ROBUST_STEPS 20
#define NEAR 1.345           /* deviations, Huber's: from there on a row counts less */
#define FAR 4.685            /* Tukey's: from there on not at all */
#define NORMAL_MEDIAN 0.6745 /* of a normal number's size */
#define LEAST_UNIT 0.1

struct work {
  size_t rows, runs;
  double *away;   /* rows x runs */
  double *scales; /* per row: of its deviations, as they are weighed */
  double *vector; /* of the component, per run; length 1 */
  double *next, *room;
};

static bool work_init(struct work *work, size_t rows, size_t runs) {
  *work = (struct work){rows,
                        runs,
                        calloc(rows * runs, sizeof *work->away),
                        calloc(rows, sizeof *work->scales),
                        calloc(runs, sizeof *work->vector),
                        calloc(runs, sizeof *work->next),
                        calloc(rows, sizeof *work->room)};
  return work->away && work->scales && work->vector && work->next && work->room;
}

static void work_fini(struct work *work) {
  free(work->away);
  free(work->scales);
  free(work->vector);
  free(work->next);
  free(work->room);
}

static double dot(const double *left, const double *right, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += left[i] * right[i];
  return sum;
}

static void take_deviations(const struct prof_two_groups *groups, struct work *work) {
  for (size_t row = 0; row < work->rows; row++) {
    double *out = work->away + row * work->runs;
    for (int side = 0; side < 2; side++) {
      const size_t runs = groups->runs[side];
      const double *values = groups->values[side] + row * runs;
      double sum = 0;
      for (size_t i = 0; i < runs; i++)
        sum += values[i];
      for (size_t i = 0; i < runs; i++)
        *out++ = values[i] - sum / (double)runs;
    }
    out = work->away + row * work->runs;
    work->room[row] = work->scales[row] = sqrt(dot(out, out, work->runs));
  }
  const double usual = prof_median(work->room, work->rows); /* quiet rows must not decide alone */
  for (size_t row = 0; row < work->rows; row++)
    work->scales[row] = sqrt(fmax(work->scales[row], usual / 100) * usual);
}

/* The first component's share of all scatter, as weighed. */
static double find_component(struct work *work) {
  double all = 0, part = 0;
  for (size_t i = 0; i < work->runs; i++)
    work->vector[i] = sin((double)i + 1) / sqrt((double)work->runs);
  for (int step = 0; step < STEPS; step++) {
    for (size_t i = 0; i < work->runs; i++)
      work->next[i] = 0;
    all = 0;
    for (size_t row = 0; row < work->rows; row++) {
      const double *away = work->away + row * work->runs, weight = 1 / (work->scales[row] * work->scales[row]);
      const double along = dot(away, work->vector, work->runs) * weight;
      all += dot(away, away, work->runs) * weight;
      for (size_t i = 0; i < work->runs; i++)
        work->next[i] += along * away[i];
    }
    part = sqrt(dot(work->next, work->next, work->runs));
    for (size_t i = 0; part > 0 && i < work->runs; i++)
      work->vector[i] = work->next[i] / part;
  }
  return all > 0 ? part / all : 0;
}

/* The share that the first component of pure noise has. */
static double chance_share(double rows, double freedom) {
  const double sides = sqrt(rows) + sqrt(freedom);
  return sides * sides / (rows * freedom);
}

static double weight_of(double distance, bool far) {
  if (!far)
    return distance > NEAR ? NEAR / distance : 1;
  const double rest = 1 - distance * distance / (FAR * FAR);
  return distance < FAR ? rest * rest : 0;
}

struct point { /* a row: the difference of its means, and the deviation that its own noise gives that */
  double difference, noise;
};

static double mean_of(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  return sum / (double)count;
}

/* Loadings, and the points. */
static void take_points(const struct prof_two_groups *groups, struct work *work, struct prof_shared *out,
                        struct point *points) {
  const size_t before = groups->runs[0], after = groups->runs[1];
  const double freedom = (double)work->runs - PROF_SHARED_FREEDOM - 2;
  for (size_t row = 0; row < work->rows; row++) {
    const double *away = work->away + row * work->runs;
    const double loading = dot(away, work->vector, work->runs);
    const double own = fmax(dot(away, away, work->runs) - loading * loading, 0) / freedom;
    out->loadings[row] = loading;
    points[row].difference =
        mean_of(groups->values[1] + row * after, after) - mean_of(groups->values[0] + row * before, before);
    points[row].noise = sqrt(own * (1 / (double)before + 1 / (double)after));
    work->room[row] = points[row].noise;
  }
  const double usual = prof_median(work->room, work->rows);
  for (size_t row = 0; row < work->rows; row++)
    points[row].noise = hypot(points[row].noise, usual);
}

/* The line through the points and the origin. */
static void fit_between(struct work *work, const struct point *points, struct prof_shared *out) {
  double unit = 0;
  for (int step = 0; step < ROBUST_STEPS; step++) {
    double along = 0, squares = 0;
    for (size_t row = 0; row < work->rows; row++)
      work->room[row] = fabs(points[row].difference - out->between * out->loadings[row]) / points[row].noise;
    unit = fmax(prof_median(work->room, work->rows) / NORMAL_MEDIAN, LEAST_UNIT);
    for (size_t row = 0; row < work->rows; row++) {
      const double loading = out->loadings[row] / points[row].noise, size = points[row].difference / points[row].noise;
      const double weight = weight_of(fabs(size - out->between * loading) / unit, step >= ROBUST_STEPS / 2);
      along += weight * loading * size;
      squares += weight * loading * loading;
    }
    if (squares <= 0)
      return;
    out->between = along / squares;
    out->variance = unit * unit / squares;
  }
}

bool prof_shared_find(const struct prof_two_groups *groups, struct prof_shared *out) {
  const size_t runs = groups->runs[0] + groups->runs[1];
  struct work work;
  *out = (struct prof_shared){0};
  if (groups->rows < FEWEST_ROWS || runs < FEWEST_RUNS || runs > MOST_RUNS)
    return true;
  struct point *points = calloc(groups->rows, sizeof *points);
  const bool made = work_init(&work, groups->rows, runs) && points;
  bool done = made;
  if (made) {
    take_deviations(groups, &work);
    const double share = find_component(&work);
    if (share > CHANCE * chance_share((double)groups->rows, (double)runs - 2)) {
      out->loadings = calloc(groups->rows, sizeof *out->loadings);
      done = out->loadings != NULL;
    }
  }
  if (done && out->loadings) {
    take_points(groups, &work, out, points);
    fit_between(&work, points, out);
  }
  free(points);
  work_fini(&work);
  return done;
}

void prof_shared_fini(struct prof_shared *shared) {
  free(shared->loadings);
  *shared = (struct prof_shared){0};
}
