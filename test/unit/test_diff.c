/* test_diff.c - verdicts about groups of runs whose figures are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/diff.h"

enum { MOST_RUNS = 6, ROWS = 10 };

struct made {
  struct prof_run runs[2][MOST_RUNS];
  struct prof_run_group groups[2];
};

static double draw(uint64_t *seed) { /* mean 0, deviation about 1 */
  double sum = 0;
  for (int i = 0; i < 12; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(*seed >> 11) / 9007199254740992.0;
  }
  return sum - 6;
}

static void add(struct prof_run *run, const char *name, const char *caller, uint64_t calls, double self_ns) {
  const struct prof_run_row row = {.kind = PROF_RUN_FUNCTION,
                                   .name = name,
                                   .file = "src/app.c",
                                   .line = 10,
                                   .caller = caller,
                                   .calls = calls,
                                   .events = 2 * calls,
                                   .raw_ns = (uint64_t)(self_ns + 20.0 * (double)calls),
                                   .self_ns = (uint64_t)self_ns};
  assert_true(prof_run_add(run, &row));
  run->raw_ns += row.raw_ns;
  run->self_ns += row.self_ns;
}

/* Runs that took turns; the new side's f3 has `change` times the time, every row 1% of noise, every run 3%. */
static void make(struct made *made, size_t runs, double change, uint64_t seed) {
  memset(made, 0, sizeof *made);
  for (int side = 0; side < 2; side++) {
    made->groups[side] = (struct prof_run_group){made->runs[side], runs};
    for (size_t i = 0; i < runs; i++) {
      struct prof_run *run = &made->runs[side][i];
      const double factor = exp(0.03 * draw(&seed));
      run->path = run->command = run->machine = "";
      run->begin_ns = (2 * i + (size_t)side) * 1000000000u;
      run->has_switches = true;
      for (int row = 0; row < ROWS; row++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", row);
        add(run, name, "main", 1000,
            1e6 * (row + 1) * factor * exp(0.01 * draw(&seed)) * (side && row == 3 ? change : 1));
      }
    }
  }
}

static void unmake(struct made *made) {
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < made->groups[side].count; i++)
      prof_run_fini(&made->runs[side][i]);
}

static const struct prof_diff_options usual = {.same = 0.05, .min_share = 0.01};

static struct prof_diff diff_of(const struct made *made) {
  struct prof_diff diff;
  assert_int_equal(prof_diff_make(made->groups, &usual, NULL, &diff), PROF_OK);
  return diff;
}

static const struct prof_diff_row *find(const struct prof_diff *diff, const char *name) {
  for (size_t i = 0; i < diff->rows.count; i++)
    if (!strcmp(diff->rows.items[i].name, name))
      return &diff->rows.items[i];
  return NULL;
}

/* A function of 20% more is the first row, alone; its interval holds the truth, which probes would dilute. */
static void one_slower(void **state) {
  (void)state;
  size_t held = 0, rounds = 40;
  for (uint64_t round = 0; round < rounds; round++) {
    struct made made;
    make(&made, 5, 1.2, round);
    struct prof_diff diff = diff_of(&made);
    assert_true(diff.interleaved && diff.has_everything);
    assert_int_equal(diff.rows.count, ROWS);
    assert_string_equal(diff.rows.items[0].name, "f3");
    assert_int_equal(diff.rows.items[0].verdict, PROF_VERDICT_SLOWER);
    held += diff.rows.items[0].low <= 1.2 && diff.rows.items[0].high >= 1.2;
    for (size_t i = 1; i < diff.rows.count; i++)
      assert_int_not_equal(diff.rows.items[i].verdict, PROF_VERDICT_FASTER);
    prof_diff_fini(&diff);
    unmake(&made);
  }
  assert_in_range(held, rounds * 90 / 100, rounds);
}

/* A part of the functions changed, beside noisy ones: the intervals of quiet unchanged ones hold 1 all the same. */
static void some_slower(void **state) {
  (void)state;
  enum { WIDE = 20, CHANGED = 5, QUIET = 12 };
  size_t held = 0, rounds = 40;
  uint64_t seed = 3;
  for (size_t round = 0; round < rounds; round++) {
    struct made made = {0};
    for (int side = 0; side < 2; side++) {
      made.groups[side] = (struct prof_run_group){made.runs[side], MOST_RUNS};
      for (size_t i = 0; i < MOST_RUNS; i++) {
        struct prof_run *run = &made.runs[side][i];
        run->path = run->command = run->machine = "";
        run->begin_ns = (2 * i + (size_t)side) * 1000000000u;
        run->has_switches = true;
        for (int row = 0; row < WIDE; row++) {
          char name[16];
          const double noise = row < QUIET ? 0.003 : 0.08;
          snprintf(name, sizeof name, "f%d", row);
          add(run, name, "main", 1000, 1e7 * exp(noise * draw(&seed)) * (side && row < CHANGED ? 1.2 : 1));
        }
      }
    }
    struct prof_diff diff = diff_of(&made);
    for (int row = CHANGED; row < QUIET; row++) {
      char name[16];
      snprintf(name, sizeof name, "f%d", row);
      held += find(&diff, name)->low <= 1 && find(&diff, name)->high >= 1;
    }
    prof_diff_fini(&diff);
    unmake(&made);
  }
  assert_in_range(held, rounds * (QUIET - CHANGED) * 90 / 100, rounds * (QUIET - CHANGED));
}

static void nothing_changed(void **state) {
  (void)state;
  size_t called = 0, tested = 0, same = 0, wrong = 0, rounds = 40;
  for (uint64_t round = 0; round < rounds; round++) {
    struct made made;
    make(&made, 3, 1, 1000 + round);
    struct prof_diff diff = diff_of(&made);
    called += diff.called;
    tested += diff.tested;
    wrong += diff.program.verdict >= PROF_VERDICT_FASTER;
    for (size_t i = 0; i < diff.rows.count; i++)
      same += diff.rows.items[i].verdict == PROF_VERDICT_SAME;
    prof_diff_fini(&diff);
    unmake(&made);
  }
  assert_int_equal(tested, rounds * ROWS);
  assert_true(called * 100 <= tested * 5);
  assert_true(wrong * 100 <= rounds * 5);
  assert_true(same * 2 >= tested);
}

/* With a budget a run may not know its calls: then the time of all calls counts, in every run. */
static void calls_unknown(void **state) {
  (void)state;
  struct made made;
  make(&made, 5, 1, 11);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < 5; i++)
      for (size_t row = 0; row < ROWS; row++)
        if ((i + row) % 2)
          made.runs[side][i].rows.items[row].calls = 0;
  struct prof_diff diff = diff_of(&made);
  for (size_t i = 0; i < diff.rows.count; i++) {
    const struct prof_diff_row *row = &diff.rows.items[i];
    assert_true(row->low > 0.9 && row->high < 1.1 && row->low <= 1.02 && row->high >= 0.98);
    assert_int_equal(row->calls[0], 0);
  }
  prof_diff_fini(&diff);
  unmake(&made);
}

/* Times from few samples: longer runs would tell, too.  Measured ones don't say so. */
static void few_samples(void **state) {
  (void)state;
  struct made made;
  make(&made, 5, 1, 12);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < 5; i++)
      made.runs[side][i].rows.items[3].noise = 0.3;
  struct prof_diff diff = diff_of(&made);
  assert_true(find(&diff, "f3")->by_samples);
  assert_int_equal(find(&diff, "f3")->verdict, PROF_VERDICT_UNKNOWN);
  assert_true(find(&diff, "f3")->runs_needed > 100);
  assert_false(find(&diff, "f4")->by_samples);
  prof_diff_fini(&diff);
  unmake(&made);
}

static void one_run_has_no_verdict(void **state) {
  (void)state;
  struct made made;
  make(&made, 1, 2, 5);
  struct prof_diff diff = diff_of(&made);
  assert_int_equal(diff.program.verdict, PROF_VERDICT_UNKNOWN);
  for (size_t i = 0; i < diff.rows.count; i++) {
    assert_int_equal(diff.rows.items[i].verdict, PROF_VERDICT_UNKNOWN);
    assert_int_equal(diff.rows.items[i].why, PROF_WHY_FEW_RUNS);
    assert_false(diff.rows.items[i].has_ratio);
  }
  prof_diff_fini(&diff);
  unmake(&made);
}

/* Budgets and full recordings aren't compared; calls still are. */
static void other_modes(void **state) {
  (void)state;
  struct made made;
  make(&made, 3, 1, 5);
  made.runs[1][1].has_budget = true;
  struct prof_diff diff = diff_of(&made);
  assert_true(diff.modes_differ);
  assert_int_equal(diff.tested, 0);
  assert_int_equal(diff.rows.items[0].why, PROF_WHY_MODES);
  prof_diff_fini(&diff);
  unmake(&made);
}

/* What a budget takes is part of the times. */
static void other_budgets(void **state) {
  (void)state;
  static const unsigned budgets[][2] = {{50, 50}, {50, 20}, {0, 20}};
  for (size_t i = 0; i < 3; i++) {
    struct made made;
    make(&made, 3, 1, 5);
    for (int side = 0; side < 2; side++)
      for (size_t run = 0; run < 3; run++) {
        made.runs[side][run].has_budget = true;
        made.runs[side][run].budget_permille = budgets[i][side];
      }
    struct prof_diff diff = diff_of(&made);
    assert_int_equal(diff.modes_differ, i == 1); /* 0: of an older baseline */
    prof_diff_fini(&diff);
    unmake(&made);
  }
}

/* A number of calls that never varies within a side is compared exactly, and the time of a call by itself. */
static void other_work(void **state) {
  (void)state;
  struct made made;
  make(&made, 3, 1, 9);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < 3; i++)
      add(&made.runs[side][i], "twice", "main", side ? 2000 : 1000, side ? 2e7 : 1e7);
  struct prof_diff diff = diff_of(&made);
  const struct prof_diff_row *row = find(&diff, "twice");
  assert_true(row->other_work);
  assert_int_equal(row->calls[PROF_NEW], 2000);
  assert_true(fabs(row->ratio - 1) < 0.05);
  assert_false(find(&diff, "f3")->other_work);
  prof_diff_fini(&diff);
  unmake(&made);
}

/* f(old) is g(new); helper went into main. */
static void guesses(void **state) {
  (void)state;
  struct made made;
  make(&made, 3, 1, 13);
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < 3; i++) {
      struct prof_run *run = &made.runs[side][i];
      add(run, side ? "parse_line" : "parse", "main", 700, 5e6);
      add(run, "outer", "main", 10, side ? 9e6 : 4e6);
      if (!side)
        add(run, "inner", "outer", 500, 5e6);
    }
  struct prof_diff diff = diff_of(&made);
  const struct prof_diff_row *renamed = find(&diff, "parse_line"), *outer = find(&diff, "outer");
  assert_int_equal(renamed->guess, PROF_GUESS_RENAMED);
  assert_string_equal(renamed->guess_name, "parse");
  assert_true(renamed->has_ratio);
  assert_null(find(&diff, "parse"));
  assert_int_equal(outer->guess, PROF_GUESS_INLINED);
  assert_string_equal(outer->guess_name, "inner");
  assert_true(fabs(outer->self_ns[PROF_OLD] - 9e6) < 1);
  assert_null(find(&diff, "inner"));
  assert_true(diff.strange[0] < 1e-9 && diff.strange[1] < 1e-9);
  prof_diff_fini(&diff);
  unmake(&made);
}

/* What has no likeness stays new or gone; the same name in another file is another function. */
static void strangers(void **state) {
  (void)state;
  struct made made;
  make(&made, 3, 1, 21);
  for (size_t i = 0; i < 3; i++) {
    add(&made.runs[0][i], "gone", "main", 700, 5e6);
    add(&made.runs[1][i], "fresh", "main", 3, 1e6);
  }
  struct prof_diff diff = diff_of(&made);
  assert_int_equal(find(&diff, "gone")->why, PROF_WHY_ONE_SIDE);
  assert_int_equal(find(&diff, "gone")->runs[PROF_NEW], 0);
  assert_int_equal(find(&diff, "fresh")->runs[PROF_OLD], 0);
  assert_true(diff.strange[0] > 0.05 && diff.strange[0] < 0.15);
  prof_diff_fini(&diff);
  unmake(&made);
}

/* Rows of one identity are one row. */
static void joined(void **state) {
  (void)state;
  struct prof_run run = {0};
  add(&run, "f", "main", 2, 100);
  add(&run, "f", "main", 3, 50);
  const struct prof_run_row other = {.kind = PROF_RUN_FUNCTION, .name = "f", .file = "lib/other.c"};
  assert_true(prof_run_add(&run, &other));
  assert_int_equal(run.rows.count, 2);
  assert_int_equal(run.rows.items[0].calls, 5);
  assert_int_equal(run.rows.items[0].self_ns, 150);
  prof_run_fini(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_slower),      cmocka_unit_test(some_slower),   cmocka_unit_test(calls_unknown),
      cmocka_unit_test(nothing_changed), cmocka_unit_test(few_samples),   cmocka_unit_test(one_run_has_no_verdict),
      cmocka_unit_test(other_modes),     cmocka_unit_test(other_budgets), cmocka_unit_test(other_work),
      cmocka_unit_test(guesses),         cmocka_unit_test(strangers),     cmocka_unit_test(joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
