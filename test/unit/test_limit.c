/* test_limit.c - limits as they are written, and baselines as they are kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decide/baseline.h"
#include "decide/limit.h"

/* Runs in which f takes these times, in us, and has these calls. */
static struct prof_run_group make(size_t count, const double *self_us, const uint64_t *calls) {
  struct prof_run_group group = {0};
  for (size_t i = 0; i < count; i++) {
    struct prof_run *run = prof_run_group_add(&group);
    const struct prof_run_row row = {.kind = PROF_RUN_FUNCTION,
                                     .name = "f(int)",
                                     .file = "a\tb\\c.c",
                                     .line = 7,
                                     .calls = calls[i],
                                     .raw_ns = (uint64_t)(self_us[i] * 1000),
                                     .self_ns = (uint64_t)(self_us[i] * 1000),
                                     .median_ns = 12.5,
                                     .total_ns = (uint64_t)(self_us[i] * 2000),
                                     .p99_ns = (uint64_t)(self_us[i] * 1000)};
    assert_non_null(run);
    assert_true(prof_run_add(run, &row));
    run->raw_ns = run->self_ns = row.self_ns * 4;
    run->has_switches = true;
  }
  return group;
}

static struct prof_limit_checked check(const char *text, const struct prof_run_group *runs,
                                       const struct prof_run_group *baseline) {
  struct prof_limit limit;
  struct prof_limit_checked checked;
  assert_int_equal(prof_limit_parse(text, NULL, &limit), PROF_OK);
  assert_int_equal(prof_limit_check(&limit, runs, baseline, NULL, &checked), PROF_OK);
  return checked;
}

static const double steady[] = {100, 101, 99}, slow[] = {150, 152, 149}, wild[] = {50, 100, 200};
static const uint64_t calls[] = {10, 10, 10}, more[] = {11, 11, 11}, varied[] = {10, 11, 12};

static void absolute(void **state) {
  (void)state;
  struct prof_run_group runs = make(3, steady, calls), noisy = make(3, wild, varied);
  assert_int_equal(check("p99 of f < 5ms", &runs, NULL).result, PROF_GATE_KEPT);
  assert_int_equal(check("p99 of f < 90us", &runs, NULL).result, PROF_GATE_BROKEN);
  assert_int_equal(check("p99 of f > 90 us", &runs, NULL).result, PROF_GATE_KEPT);
  assert_int_equal(check("p99 of f < 100.1us", &runs, NULL).result, PROF_GATE_UNKNOWN);
  assert_int_equal(check("p99 of f < 90us", &noisy, NULL).why, PROF_LIMIT_NOISE);
  assert_int_equal(check("self share of f <= 30%", &runs, NULL).result, PROF_GATE_KEPT);
  assert_int_equal(check("calls of f <= 10", &runs, NULL).result, PROF_GATE_KEPT);
  assert_true(check("calls of f < 10", &runs, NULL).exact);
  assert_int_equal(check("calls of f < 10", &runs, NULL).result, PROF_GATE_BROKEN);
  assert_false(check("calls of f < 100", &noisy, NULL).exact);
  assert_int_equal(check("calls of g < 10", &runs, NULL).why, PROF_LIMIT_NO_MATCH);
  assert_int_equal(check("p50 of f < 1s", &runs, NULL).why, PROF_LIMIT_NOT_RECORDED);
  assert_int_equal(check("calls of f* < 10", &runs, NULL).line, 7);
  assert_int_equal(check("running < 1ms", &runs, NULL).result, PROF_GATE_KEPT);
  assert_int_equal(check("peak memory < 64M", &runs, NULL).why, PROF_LIMIT_NOT_RECORDED);
  runs.count = 1; /* one run tells calls, and no time */
  assert_int_equal(check("p99 of f < 5ms", &runs, NULL).why, PROF_LIMIT_FEW_RUNS);
  assert_int_equal(check("calls of f <= 10", &runs, NULL).result, PROF_GATE_KEPT);
  runs.count = 3;
  prof_run_group_fini(&runs);
  prof_run_group_fini(&noisy);
}

static void by_baseline(void **state) {
  (void)state;
  struct prof_run_group runs = make(3, slow, more), base = make(3, steady, calls);
  assert_int_equal(check("calls of f <= 1.05x baseline", &runs, &base).result, PROF_GATE_BROKEN);
  assert_int_equal(check("calls of f <= 1.2x baseline", &runs, &base).result, PROF_GATE_KEPT);
  assert_int_equal(check("self of f < 1.2x baseline", &runs, &base).result, PROF_GATE_BROKEN);
  assert_int_equal(check("self of f < 2x baseline", &runs, &base).result, PROF_GATE_KEPT);
  assert_int_equal(check("self of f < 2x baseline", &runs, NULL).why, PROF_LIMIT_NO_BASELINE);
  base.runs[0].machine = "another";
  assert_int_equal(check("self of f < 2x baseline", &runs, &base).why, PROF_LIMIT_OTHER_MODE);
  assert_int_equal(check("calls of f <= 1.2x baseline", &runs, &base).result, PROF_GATE_KEPT);
  prof_run_group_fini(&runs);
  prof_run_group_fini(&base);
}

static void wrong(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "p99 of f",
                                      "p99 of f < ",
                                      "p99 of f < 5",
                                      "p98 of f < 5ms",
                                      "p99 < 5ms",
                                      "cpu of f < 5s",
                                      "calls of f < 5%",
                                      "calls of f < -1",
                                      "calls of f < nan",
                                      "self of f < 2x",
                                      "peak memory < 5"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct prof_limit limit;
    struct prof_diag diag = {0};
    if (prof_limit_parse(texts[i], &diag, &limit) != PROF_USAGE)
      fail_msg("'%s' is a limit", texts[i]);
    assert_true(diag.what[0] && diag.remedy[0]);
  }
}

/* Writes a baseline, or any text, into a file; the caller removes it. */
static void put(char path[], const struct prof_run_group *group, const char *text) {
  size_t omitted = 9;
  FILE *file = fdopen(mkstemp(path), "w");
  assert_non_null(file);
  if (group) {
    assert_true(prof_baseline_write(file, group, &omitted));
    assert_int_equal(omitted, 0);
  } else {
    fputs(text, file);
  }
  fclose(file);
}

static void round_trip(void **state) {
  (void)state;
  char path[] = "/tmp/prof-baseline.XXXXXX";
  struct prof_run_group runs = make(3, wild, varied), again = {0};
  runs.runs[1].has_budget = true;
  runs.runs[1].budget_permille = 25;
  runs.runs[1].measures = PROF_RUN_HAS_LOCKS | PROF_RUN_IS_SUMMARY;
  put(path, &runs, NULL);
  assert_true(prof_baseline_is(path));
  assert_int_equal(prof_baseline_read(path, NULL, &again), PROF_OK);
  assert_int_equal(again.count, 3);
  for (size_t i = 0; i < 3; i++) {
    const struct prof_run_row *is = &again.runs[i].rows.items[0], *was = &runs.runs[i].rows.items[0];
    assert_string_equal(is->name, "f(int)");
    assert_string_equal(is->file, "a\tb\\c.c");
    assert_int_equal(is->calls, was->calls);
    assert_int_equal(is->raw_ns, was->raw_ns);
    assert_int_equal(is->p99_ns, was->p99_ns);
    assert_true(is->median_ns == 12.5);
    assert_int_equal(again.runs[i].self_ns, runs.runs[i].self_ns);
    assert_int_equal(again.runs[i].has_budget, i == 1);
    assert_int_equal(again.runs[i].budget_permille, i == 1 ? 25 : 0);
    assert_int_equal(again.runs[i].measures, runs.runs[i].measures);
  }
  unlink(path);
  prof_run_group_fini(&again);
  prof_run_group_fini(&runs);
}

static void bad_files(void **state) {
  (void)state;
  static const struct {
    const char *text;
    prof_status status;
  } cases[] = {{"", PROF_CORRUPT},
               {"prof baseline 1\n", PROF_CORRUPT},
               {"prof baseline 2\n", PROF_UNSUPPORTED},
               {"something else\n", PROF_CORRUPT},
               {"prof baseline 1\nrun\t1\n", PROF_CORRUPT},
               {"prof baseline 1\nin\t0\t1\n", PROF_CORRUPT},
               {"prof baseline 1\nrow\tnothing\t1\tf\t\t\n", PROF_CORRUPT},
               {"prof baseline 1\nrun\t0\t0\t0\t0\t0\t0\t0\t0\t1\t0\t8\ta\tb\t1\tx\n", PROF_CORRUPT},
               {"prof baseline 1\nrun\t0\t0\t0\t0\t0\t0\t0\t0\t1\t0\t8\ta\tb\t1\t1\n"
                "row\tmemory\t1\tf\t\t\nin\t1\t2\t3\t4\n",
                PROF_CORRUPT},
               {"prof baseline 1\nwhat\n", PROF_CORRUPT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[] = "/tmp/prof-baseline.XXXXXX";
    struct prof_run_group group = {0};
    put(path, NULL, cases[i].text);
    assert_int_equal(prof_baseline_read(path, NULL, &group), cases[i].status);
    prof_run_group_fini(&group);
    unlink(path);
  }
  assert_false(prof_baseline_is("/"));
  assert_false(prof_baseline_is("absent"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(absolute), cmocka_unit_test(by_baseline), cmocka_unit_test(wrong),
                                     cmocka_unit_test(round_trip), cmocka_unit_test(bad_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
