/* test_statistics.c - distributions against tables, and rules against data that were drawn with a known effect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "statistics/discoveries.h"
#include "statistics/distributions.h"
#include "statistics/moderated.h"
#include "statistics/paired.h"

static void near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.12g, expected %.12g", value, expected);
}

static double draw(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Normal, by the method of Box and Muller. */
static double normal(uint64_t *seed) {
  const double radius = sqrt(-2 * log(draw(seed)));
  return radius * cos(2 * 3.14159265358979323846 * draw(seed));
}

static void tables(void **state) {
  (void)state;
  static const struct {
    double probability, freedom, value;
  } cases[] = {{0.025, 1, 12.7062047364}, {0.025, 4, 2.7764451052},  {0.025, 10, 2.2281388520},
               {0.005, 30, 2.7499956536}, {0.05, 120, 1.6576508993}, {0.025, 1e6, 1.9599663568},
               {0.0005, 2, 31.5990545765}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    near(prof_t_value(cases[i].probability, cases[i].freedom), cases[i].value, 1e-7 * cases[i].value);
    near(prof_t_above(cases[i].value, cases[i].freedom), cases[i].probability, 1e-9);
    near(prof_t_above(-cases[i].value, cases[i].freedom), 1 - cases[i].probability, 1e-9);
  }
  near(prof_t_value(0.975, 4), -2.7764451052, 1e-7);
  near(prof_t_above(0, 3), 0.5, 1e-12);
  near(prof_t_above(INFINITY, 3), 0, 0);
  near(prof_digamma(1), -0.57721566490153, 1e-12);
  near(prof_digamma(0.5), -1.96351002602142, 1e-12);
  near(prof_digamma(100), 4.60016185273809, 1e-12);
  near(prof_trigamma(1), 1.64493406684823, 1e-12);
  near(prof_trigamma(0.5), 4.93480220054468, 1e-12);
}

static void discoveries(void **state) {
  (void)state;
  const double chances[] = {0.9, 0.001, 0.03, 0.008, 0.039}; /* bounds of the sorted: 0.01 0.02 0.03 0.04 0.05 */
  const bool expected[] = {false, true, true, true, true};
  bool called[5];
  assert_int_equal(prof_discoveries(chances, 5, 0.05, called), 4); /* 0.039 <= 0.04 takes 0.03 with it */
  for (int i = 0; i < 5; i++)
    assert_int_equal(called[i], expected[i]);
  assert_int_equal(prof_discoveries((const double[]){0.02, 0.2}, 2, 0.05, called), 1);
  assert_int_equal(prof_discoveries((const double[]){0.03, 0.2}, 2, 0.05, called), 0);
  assert_int_equal(prof_discoveries(NULL, 0, 0.05, called), 0);
}

enum { ROWS = 20, MOST_RUNS = 6 };

struct drawn {
  double values[2][ROWS * MOST_RUNS];
};

/* Rows whose deviations are alike, but not equal; all of the second group are shifted by `effect`. */
static void draw_rows(struct drawn *drawn, size_t runs, double effect, uint64_t *seed) {
  for (size_t row = 0; row < ROWS; row++) {
    const double deviation = 0.02 * exp(0.3 * normal(seed));
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < runs; i++)
        drawn->values[side][row * runs + i] = (double)row + side * effect + deviation * normal(seed);
  }
}

static void moderated(void **state) {
  (void)state;
  uint64_t seed = 7;
  size_t held = 0, called = 0, found = 0, rounds = 200;
  for (size_t round = 0; round < rounds; round++) {
    struct drawn drawn;
    struct prof_difference effects[ROWS];
    const double effect = round % 2 ? 0.1 : 0;
    draw_rows(&drawn, 3, effect, &seed);
    const struct prof_two_groups two = {.rows = ROWS, .runs = {3, 3}, .values = {drawn.values[0], drawn.values[1]}};
    assert_true(prof_moderated(&two, effects));
    for (size_t row = 0; row < ROWS; row++) {
      const struct prof_bounds_of_effect bounds = prof_effect_bounds(&effects[row], 0.05);
      const bool beyond = prof_effect_chance(&effects[row], 0.01) <= 0.05;
      held += bounds.low <= effect && effect <= bounds.high;
      called += effect == 0 && beyond;
      found += effect > 0 && beyond;
      assert_true(effects[row].freedom > 4); /* rows told about each other */
    }
  }
  const double all = (double)rounds * ROWS;
  near((double)held / all, 0.95, 0.02);
  assert_true((double)called / (all / 2) <= 0.05);
  assert_true((double)found / (all / 2) >= 0.85); /* Welch's test finds a third less */
}

/* A slow second in some runs reaches every other row: it is removed, and changes aren't. */
static void shared_noise(void **state) {
  (void)state;
  enum { RUNS = 6 };
  uint64_t seed = 23;
  size_t held[2] = {0}, called = 0, found[2] = {0}, rounds = 200;
  for (size_t round = 0; round < rounds; round++) {
    struct drawn drawn;
    struct prof_difference effects[ROWS];
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < RUNS; i++) {
        const double slow = (round < rounds / 2 ? 0.06 : 0) * normal(&seed); /* later rounds have no shared noise */
        for (size_t row = 0; row < ROWS; row++)
          drawn.values[side][row * RUNS + i] =
              0.02 * normal(&seed) + (row % 2 ? slow : 0) + (side && row == 3 ? 0.1 : 0);
      }
    for (int removed = 0; removed < 2; removed++) {
      const struct prof_two_groups two = {
          .rows = ROWS, .runs = {RUNS, RUNS}, .values = {drawn.values[0], drawn.values[1]}, .shared_noise = removed};
      assert_true(prof_moderated(&two, effects));
      found[removed] += round < rounds / 2 && prof_effect_chance(&effects[3], 0.01) <= 0.002;
      for (size_t row = 0; removed && row < ROWS; row++) {
        const struct prof_bounds_of_effect bounds = prof_effect_bounds(&effects[row], 0.05);
        const double effect = row == 3 ? 0.1 : 0;
        held[round >= rounds / 2] += bounds.low <= effect && effect <= bounds.high;
        called += row != 3 && prof_effect_chance(&effects[row], 0.01) <= 0.05;
      }
    }
  }
  const double all = (double)rounds / 2 * ROWS;
  near((double)held[0] / all, 0.95, 0.03);
  near((double)held[1] / all, 0.95, 0.03);
  assert_true((double)called / (2 * all) <= 0.05);
  assert_true(found[1] >= rounds / 2 * 90 / 100);
  assert_true(found[0] <= rounds / 2 * 30 / 100);
}

/* Few rows tell nothing about each other; known variances are a floor; a run's number is never 0. */
static void limits(void **state) {
  (void)state;
  const double before[] = {1, 1, 1}, after[] = {1.05, 1.05, 1.05}, least[] = {0.01};
  struct prof_two_groups two = {.rows = 1, .runs = {3, 3}, .values = {before, after}};
  struct prof_difference effect;
  assert_true(prof_moderated(&two, &effect));
  near(effect.estimate, 0.05, 1e-12);
  near(effect.freedom, 4, 0);
  assert_true(effect.error > 0);
  two.least_variance = least;
  assert_true(prof_moderated(&two, &effect));
  near(effect.deviation, 0.1, 1e-12);
  assert_true(prof_effect_chance(&effect, 0.01) > 0.05);
  assert_true(prof_effect_runs(&effect, 0.05, 0.01) > 3);
  assert_true(prof_effect_runs(&effect, 0.005, 0.01) == SIZE_MAX);
  effect.deviation = 1e-6;
  assert_int_equal(prof_effect_runs(&effect, 0.05, 0.01), 3);
}

/* The number of runs that a row asks for shows the change in nine of ten trials. */
static void promised_runs(void **state) {
  (void)state;
  uint64_t seed = 11;
  size_t shown = 0, rounds = 400;
  const struct prof_difference known = {.deviation = 0.03};
  const size_t runs = prof_effect_runs(&known, 0.1, 0.01);
  double values[2][64];
  assert_in_range(runs, 3, 64);
  for (size_t round = 0; round < rounds; round++) {
    struct prof_difference effect;
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < runs; i++)
        values[side][i] = side * 0.1 + 0.03 * normal(&seed);
    const struct prof_two_groups two = {.rows = 1, .runs = {runs, runs}, .values = {values[0], values[1]}};
    assert_true(prof_moderated(&two, &effect));
    shown += prof_effect_chance(&effect, 0.01) <= 0.005; /* as one of ten rows */
  }
  assert_true(shown >= rounds * 85 / 100);
}

static void pairs(void **state) {
  (void)state;
  struct prof_paired paired;
  const double zeros[10] = {0}, few[] = {0.1, 0.2, 0.3};
  assert_true(prof_turns_middle(&(struct prof_turns){{zeros, few}, 3}, 1.96, &paired));
  near(paired.estimate, 0.2, 1e-12);
  assert_true(isinf(paired.low) && isinf(paired.high));
  const double ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 100}; /* the outlier moves nothing */
  assert_true(prof_turns_middle(&(struct prof_turns){{zeros, ten}, 10}, 1.96, &paired));
  near(paired.estimate, 5.5, 0.5);
  assert_true(paired.low >= 2 && paired.high <= 53);
  const double drift[] = {2, 1, 4, 3, 6, 5, 8, 7, 10, 9}; /* runs of a pair are alike: the drift is taken out */
  double later[10];
  for (int i = 0; i < 10; i++)
    later[i] = drift[i] + 0.5;
  assert_true(prof_turns_middle(&(struct prof_turns){{drift, later}, 10}, 1.96, &paired));
  near(paired.estimate, 0.5, 1e-12);
  near(paired.low, 0.5, 1e-12);
  near(paired.high, 0.5, 1e-12);
  assert_true(prof_turns_middle(&(struct prof_turns){{NULL, NULL}, 0}, 1.96, &paired));
}

enum { TURNS = 10 };

/* Two runs of one build: what both share, and noise that only ever adds time. */
static void draw_turns(double values[2][TURNS], double shared, double own, uint64_t *seed) {
  for (int i = 0; i < TURNS; i++) {
    const double both = shared * normal(seed);
    for (int side = 0; side < 2; side++)
      values[side][i] = both - own * log(draw(seed));
  }
}

/* Intervals hold the truth whatever the noise is like, and are narrower than Student's of the two means. */
static void turns(void **state) {
  (void)state;
  static const struct { double shared, own; } noises[] = {{0, 0.05}, {0.05, 0.02}, {0.1, 0.01}};
  uint64_t seed = 17;
  const size_t rounds = 400;
  for (size_t noise = 0; noise < sizeof noises / sizeof *noises; noise++) {
    size_t held = 0, narrower = 0;
    for (size_t round = 0; round < rounds; round++) {
      double values[2][TURNS];
      struct prof_paired paired;
      struct prof_difference effect;
      draw_turns(values, noises[noise].shared, noises[noise].own, &seed);
      assert_true(prof_turns_middle(&(struct prof_turns){{values[0], values[1]}, TURNS}, 1.96, &paired));
      const struct prof_two_groups two = {.rows = 1, .runs = {TURNS, TURNS}, .values = {values[0], values[1]}};
      assert_true(prof_moderated(&two, &effect));
      const struct prof_bounds_of_effect bounds = prof_effect_bounds(&effect, 0.05);
      held += paired.low <= 0 && 0 <= paired.high;
      narrower += paired.high - paired.low <= bounds.high - bounds.low;
    }
    near((double)held / (double)rounds, 0.95, 0.025);
    assert_true(narrower >= rounds * 7 / 10);
  }
}

/* Stopping holds the interval's promise, and finds what is there. */
static void stopping(void **state) {
  (void)state;
  uint64_t seed = 3;
  size_t held = 0, wrong = 0, found = 0, rounds = 200;
  for (size_t round = 0; round < rounds; round++) {
    const double effect = round % 2 ? 0.1 : 0;
    double values[2][80];
    size_t count = 0;
    enum prof_pairs_end end = PROF_PAIRS_GO_ON;
    struct prof_paired paired = {0};
    while (end == PROF_PAIRS_GO_ON && count < 80) {
      values[0][count] = 0.035 * normal(&seed);
      values[1][count++] = effect + 0.035 * normal(&seed);
      if (count >= PROF_PAIRS_FIRST && (count - PROF_PAIRS_FIRST) % PROF_PAIRS_STEP == 0)
        assert_true(prof_pairs_look(&(struct prof_turns){{values[0], values[1]}, count}, 0.01, 0.01, &end, &paired));
    }
    held += paired.low <= effect && effect <= paired.high;
    wrong += effect == 0 && end == PROF_PAIRS_CLEAR;
    found += effect > 0 && end == PROF_PAIRS_CLEAR;
    assert_true(end == PROF_PAIRS_PRECISE || prof_pairs_needed(&paired, count, 0.01) > 0);
  }
  assert_true(held >= rounds * 92 / 100);
  assert_true(wrong <= rounds / 2 * 5 / 100);
  assert_true(found >= rounds / 2 * 90 / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables),       cmocka_unit_test(discoveries),   cmocka_unit_test(moderated),
      cmocka_unit_test(limits),       cmocka_unit_test(promised_runs), cmocka_unit_test(pairs),
      cmocka_unit_test(shared_noise), cmocka_unit_test(turns),         cmocka_unit_test(stopping),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
