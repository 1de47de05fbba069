/*
 * test/unit/test_count_fit.c - what a counted call costs, from windows of known programs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/burst/count_fit.h"

#define FUNCTIONS 12u
#define LENGTH 100000.0 /* of a window, ticks */
#define COST 2.0        /* ticks, by the calibration */
#define WINDOWS 600

struct program {
  double part;   /* of that cost it really is */
  double phases; /* how far rates differ between windows */
  uint32_t functions;
  bool parts; /* every third window has a quarter of the functions */
};

static uint64_t state;

static double chance(void) { /* in [0, 1) */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 40) / (1 << 24);
}

/* Function i is called rate / (i + 1) times a tick that the program has for itself. */
static void add_window(struct prof_count_fit *fit, const struct program *program, bool whole) {
  const double rate = 0.05 * (1 + program->phases * (2 * chance() - 1));
  bool on[FUNCTIONS], any = false;
  double all = 0;
  while (!any)
    for (uint32_t i = 0; i < program->functions; i++) {
      on[i] = whole || chance() < 0.25;
      any |= on[i];
    }
  for (uint32_t i = 0; i < program->functions; i++)
    all += on[i] ? rate / (i + 1) : 0;
  const double plain = LENGTH / (1 + program->part * COST * all);
  struct prof_count_trial trial = {.whole = whole, .weight = 1, .ran = LENGTH, .first = (uint32_t)fit->seen.count};
  for (uint32_t i = 0; i < program->functions; i++) {
    const double calls = floor(rate / (i + 1) * plain + chance());
    if (!on[i])
      continue;
    assert_true(prof_vec_push(&fit->seen, ((struct prof_count_seen){i, calls})));
    trial.count++;
    trial.cost += calls * COST;
  }
  assert_true(prof_vec_push(&fit->trials, trial));
}

static bool find(const struct program *program, int windows, struct prof_count_part *out) {
  struct prof_count_fit fit = {.function_count = program->functions, .least = 0.1};
  bool found;
  state = 7;
  for (int i = 0; i < windows; i++)
    add_window(&fit, program, !program->parts || i % 3 != 0);
  assert_true(prof_count_fit_find(&fit, out, &found));
  prof_count_fit_fini(&fit);
  return found;
}

/* From nothing to several times what the calibration has. */
static void the_cost_of_the_program_is_found(void **unused) {
  (void)unused;
  const double parts[] = {0, 0.2, 0.5, 1, 1.2, 2, 2.5};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const struct program program = {parts[i], 0.3, FUNCTIONS, true};
    struct prof_count_part out;
    assert_true(find(&program, WINDOWS, &out));
    assert_true(fabs(out.part - parts[i]) <= fmax(out.error, 1.0 / 64));
    assert_true(out.error < 0.35);
  }
}

/* The more alike windows are, the less is left to chance. */
static void chance_is_in_the_error(void **unused) {
  (void)unused;
  struct prof_count_part calm, wild, few;
  assert_true(find(&(struct program){0.5, 0.05, FUNCTIONS, true}, WINDOWS, &calm));
  assert_true(find(&(struct program){0.5, 0.9, FUNCTIONS, true}, WINDOWS, &wild));
  assert_true(find(&(struct program){0.5, 0.9, FUNCTIONS, true}, WINDOWS / 8, &few));
  assert_true(calm.error < wild.error && wild.error < few.error);
}

/* With one function both kinds of window are the same: what the calibration tells is left, a cost between its two. */
static void one_function_tells_nothing(void **unused) {
  (void)unused;
  struct prof_count_part out = {0.55, 0.6};
  (void)find(&(struct program){0.5, 0.3, 1, true}, WINDOWS, &out);
  assert_true(out.error > 1.5 && fabs(out.part - 0.55) < out.error / 10);
}

static void windows_of_one_kind_tell_nothing(void **unused) {
  (void)unused;
  struct prof_count_part out;
  assert_false(find(&(struct program){0.5, 0.3, FUNCTIONS, false}, WINDOWS, &out));
  assert_false(find(&(struct program){0.5, 0.3, FUNCTIONS, true}, 12, &out));
  assert_false(find(&(struct program){0.5, 0.3, FUNCTIONS, true}, 0, &out));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cost_of_the_program_is_found), cmocka_unit_test(chance_is_in_the_error),
      cmocka_unit_test(one_function_tells_nothing), cmocka_unit_test(windows_of_one_kind_tell_nothing)};
  return cmocka_run_group_tests_name("count_fit", tests, NULL, NULL);
}
