/* test_diff_memory.c - what two groups of runs allocated: exact, varying, missing, kept in a baseline, limited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decide/baseline.h"
#include "decide/diff.h"
#include "decide/limit.h"

struct figures {
  uint64_t calls, bytes, peak_bytes;
};

static void add(struct prof_run *run, const char *name, struct figures figures) {
  const struct prof_run_row row = {.kind = PROF_RUN_MEMORY,
                                   .name = name,
                                   .file = "a.c",
                                   .calls = figures.calls,
                                   .bytes = figures.bytes,
                                   .peak_bytes = figures.peak_bytes};
  assert_true(prof_run_add(run, &row));
  run->allocations += figures.calls;
  run->allocated_bytes += figures.bytes;
  run->peak_bytes += figures.peak_bytes;
}

/* Runs in which parse allocates the same each time, `times` as often on the new side, and load varies. */
static void make(struct prof_run_group groups[2], size_t runs, uint64_t times) {
  for (int side = 0; side < 2; side++) {
    groups[side] = (struct prof_run_group){0};
    for (size_t i = 0; i < runs; i++) {
      struct prof_run *run = prof_run_group_add(&groups[side]);
      assert_non_null(run);
      run->measures = PROF_RUN_HAS_MEMORY;
      const uint64_t factor = side ? times : 1, noise = 50 * (i + (size_t)side) % 7;
      add(run, "parse", (struct figures){100 * factor, 6400 * factor, 640});
      add(run, "load", (struct figures){10, 20000 + noise * 4000, 12000});
      if (i == 0)
        add(run, "once", (struct figures){50, 3000, 2000});
      if (side)
        add(run, "fresh", (struct figures){30, 3000, 1000});
      const struct prof_run_row time = {
          .kind = PROF_RUN_FUNCTION, .name = "quiet", .file = "a.c", .line = 3, .calls = 5, .raw_ns = 1000};
      assert_true(prof_run_add(run, &time));
    }
  }
}

static struct prof_diff diff_of(const struct prof_run_group groups[2]) {
  static const struct prof_diff_options usual = {.same = 0.05, .min_share = 0.01};
  struct prof_diff diff;
  assert_int_equal(prof_diff_make(groups, &usual, NULL, &diff), PROF_OK);
  return diff;
}

static const struct prof_diff_row *find(const struct prof_diff *diff, const char *kind, const char *name,
                                        enum prof_diff_metric metric) {
  for (size_t i = 0; i < diff->memory.count; i++) {
    const struct prof_diff_row *row = &diff->memory.items[i];
    if (row->metric == metric && !strcmp(row->kind, kind) && (!name || !strcmp(row->name, name)))
      return row;
  }
  return NULL;
}

static void unmake(struct prof_run_group groups[2], struct prof_diff *diff) {
  prof_diff_fini(diff);
  prof_run_group_fini(&groups[0]);
  prof_run_group_fini(&groups[1]);
}

static void three_runs(void **state) {
  (void)state;
  struct prof_run_group groups[2];
  make(groups, 3, 2);
  struct prof_diff diff = diff_of(groups);
  const struct prof_diff_row *calls = find(&diff, "memory", "parse", PROF_DIFF_ALLOCATIONS),
                             *peak = find(&diff, "memory", "parse", PROF_DIFF_PEAK),
                             *load = find(&diff, "memory", "load", PROF_DIFF_BYTES),
                             *once = find(&diff, "memory", "once", PROF_DIFF_ALLOCATIONS),
                             *fresh = find(&diff, "memory", "fresh", PROF_DIFF_ALLOCATIONS),
                             *all = find(&diff, "program", NULL, PROF_DIFF_ALLOCATIONS);
  assert_int_equal(calls->verdict, PROF_VERDICT_SLOWER);
  assert_true(calls->has_ratio && calls->ratio == 2 && calls->low == 2 && calls->high == 2 && calls->other_work);
  assert_true(calls->amount[PROF_OLD] == 100 && calls->amount[PROF_NEW] == 200);
  assert_int_equal(peak->verdict, PROF_VERDICT_SAME);
  assert_true(peak->low == 1 && peak->high == 1);
  assert_int_equal(load->verdict, PROF_VERDICT_UNKNOWN);
  assert_true(load->has_ratio && load->low < 0.95 && load->high > 1.05 && load->runs_needed > 3);
  assert_int_equal(once->why, PROF_WHY_SOME_RUNS);
  assert_int_equal(fresh->why, PROF_WHY_ONE_SIDE);
  assert_true(all->amount[PROF_OLD] > 110 && all->has_ratio);
  assert_ptr_equal(all, &diff.memory.items[0]);
  assert_false(diff.memory_differs);
  for (size_t i = 0; i < diff.rows.count; i++) /* no row of memory stands among the times */
    assert_true(diff.rows.items[i].metric < PROF_DIFF_TIMES);
  unmake(groups, &diff);
}

/* The new side allocates less, in no run at all: there is no ratio. */
static void none_left(void **state) {
  (void)state;
  struct prof_run_group groups[2];
  make(groups, 3, 0);
  struct prof_diff diff = diff_of(groups);
  const struct prof_diff_row *calls = find(&diff, "memory", "parse", PROF_DIFF_ALLOCATIONS);
  assert_int_equal(calls->verdict, PROF_VERDICT_FASTER);
  assert_true(calls->ratio == 0 && calls->amount[PROF_NEW] == 0);
  unmake(groups, &diff);
}

static void one_run(void **state) {
  (void)state;
  struct prof_run_group groups[2];
  make(groups, 1, 2);
  struct prof_diff diff = diff_of(groups);
  assert_true(diff.memory.count > 0);
  for (size_t i = 0; i < diff.memory.count; i++)
    assert_int_equal(diff.memory.items[i].verdict, PROF_VERDICT_UNKNOWN);
  unmake(groups, &diff);
}

/* A run without --memory: nothing of memory is compared, and no times are. */
static void not_all(void **state) {
  (void)state;
  struct prof_run_group groups[2];
  make(groups, 3, 2);
  groups[1].runs[2].measures = 0;
  struct prof_diff diff = diff_of(groups);
  assert_true(diff.memory_differs && diff.modes_differ);
  assert_int_equal(diff.memory.count, 0);
  unmake(groups, &diff);
}

static enum prof_gate_result check(const char *text, struct prof_run_group groups[2], bool *exact) {
  struct prof_limit limit;
  struct prof_limit_checked checked;
  assert_int_equal(prof_limit_parse(text, NULL, &limit), PROF_OK);
  assert_int_equal(prof_limit_check(&limit, &groups[1], &groups[0], NULL, &checked), PROF_OK);
  *exact = checked.exact;
  return checked.result;
}

static void limits(void **state) {
  (void)state;
  static const struct {
    const char *text;
    enum prof_gate_result result;
    bool exact;
  } cases[] = {
      {"allocations of parse <= 1.05x baseline", PROF_GATE_BROKEN, true},
      {"allocations of parse <= 2x baseline", PROF_GATE_KEPT, true},
      {"peak memory of parse <= 1.05x baseline", PROF_GATE_KEPT, true},
      {"allocated of parse < 1K", PROF_GATE_BROKEN, true},
      {"allocated of load < 64M", PROF_GATE_KEPT, false},
      {"allocations of quiet < 1", PROF_GATE_KEPT, true},
      {"allocations of nobody < 1", PROF_GATE_UNKNOWN, false},
      {"calls of quiet <= 5", PROF_GATE_KEPT, true},
      {"calls of malloc < 10", PROF_GATE_BROKEN, false},
      {"calls of malloc < 1000", PROF_GATE_KEPT, false},
      {"allocations <= 1.05x baseline", PROF_GATE_BROKEN, false},
      {"allocations <= 2x baseline", PROF_GATE_UNKNOWN, false},
      {"allocated < 64M", PROF_GATE_KEPT, false},
  };
  struct prof_run_group groups[2];
  make(groups, 3, 2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool exact;
    if (check(cases[i].text, groups, &exact) != cases[i].result || exact != cases[i].exact)
      fail_msg("%s", cases[i].text);
  }
  for (size_t i = 0; i < 3; i++) { /* without --memory nothing is known */
    groups[1].runs[i].measures = 0;
    groups[1].runs[i].allocations = 0;
  }
  bool exact;
  assert_int_equal(check("allocations of quiet < 1", groups, &exact), PROF_GATE_UNKNOWN);
  assert_int_equal(check("calls of malloc < 1000", groups, &exact), PROF_GATE_UNKNOWN);
  prof_run_group_fini(&groups[0]);
  prof_run_group_fini(&groups[1]);
}

static void baseline(void **state) {
  (void)state;
  char path[] = "/tmp/prof-baseline.XXXXXX";
  struct prof_run_group groups[2], again = {0};
  size_t omitted = 9;
  make(groups, 3, 2);
  FILE *file = fdopen(mkstemp(path), "w");
  assert_non_null(file);
  assert_true(prof_baseline_write(file, &groups[1], &omitted));
  fclose(file);
  assert_int_equal(prof_baseline_read(path, NULL, &again), PROF_OK);
  assert_int_equal(again.count, 3);
  for (size_t i = 0; i < 3; i++) {
    const struct prof_run *was = &groups[1].runs[i], *is = &again.runs[i];
    assert_int_equal(is->measures, PROF_RUN_HAS_MEMORY);
    assert_int_equal(is->allocations, was->allocations);
    assert_int_equal(is->allocated_bytes, was->allocated_bytes);
    assert_int_equal(is->rows.count, was->rows.count);
    for (size_t row = 0; row < was->rows.count; row++) {
      const uint32_t at = prof_run_find(is, &was->rows.items[row]);
      assert_true(at != UINT32_MAX);
      assert_int_equal(is->rows.items[at].calls, was->rows.items[row].calls);
      assert_int_equal(is->rows.items[at].bytes, was->rows.items[row].bytes);
      assert_int_equal(is->rows.items[at].peak_bytes, was->rows.items[row].peak_bytes);
    }
  }
  unlink(path);
  for (int side = 0; side < 2; side++)
    prof_run_group_fini(&groups[side]);
  prof_run_group_fini(&again);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(three_runs), cmocka_unit_test(none_left),
                                     cmocka_unit_test(one_run),    cmocka_unit_test(not_all),
                                     cmocka_unit_test(limits),     cmocka_unit_test(baseline)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
