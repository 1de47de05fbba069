/*
 * test_pmu_plan.c - names of counters, and which count together, on a double of the kernel: a processor with two
 * counters, without cache references, whose kernel's code may not be counted.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "record/pmu/pmu_plan.h"

enum { ROOM = 2, FIRST_FD = 1000 };

static struct {
  int opened, closed;
  int in_group[64]; /* by descriptor of its leader, from FIRST_FD */
} kernel;

static int double_open(struct perf_event_attr *attributes, pid_t pid, int processor, int leader) {
  assert_int_equal(pid, 0);
  assert_int_equal(processor, -1);
  errno = !attributes->exclude_kernel                                                                           ? EACCES
          : attributes->type == PERF_TYPE_RAW                                                                   ? EBUSY
          : attributes->type == PERF_TYPE_HARDWARE && attributes->config == PERF_COUNT_HW_CACHE_REFERENCES      ? ENOENT
          : attributes->type != PERF_TYPE_SOFTWARE && leader >= 0 && kernel.in_group[leader - FIRST_FD] == ROOM ? EINVAL
                                                                                                                : 0;
  if (errno != 0)
    return -1;
  int fd = FIRST_FD + kernel.opened++;
  kernel.in_group[(leader >= 0 ? leader : fd) - FIRST_FD]++;
  return fd;
}

static void double_close(int fd) {
  assert_in_range(fd, FIRST_FD, FIRST_FD + 63);
  kernel.closed++;
}

static const struct prof_pmu_layer layer = {double_open, double_close};

static struct prof_pmu_set plan(const char *list) {
  struct prof_pmu_event events[PROF_PMU_MOST];
  struct prof_pmu_set set;
  uint32_t count;
  memset(&kernel, 0, sizeof kernel);
  assert_int_equal(prof_pmu_names_parse(list, NULL, events, &count), PROF_OK);
  prof_pmu_plan(&set, events, count, &layer);
  assert_int_equal(kernel.opened, kernel.closed);
  return set;
}

static void names_have_encodings(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
    bool no_kernel, no_user;
  } cases[] = {{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false, false},
               {"instructions:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, true, false},
               {"cache-misses:k", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, false, true},
               {"LLC-load-misses", PERF_TYPE_HW_CACHE, 0x10002, false, false},
               {"dTLB-store-misses", PERF_TYPE_HW_CACHE, 0x10103, false, false},
               {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false, false},
               {"r01c2", PERF_TYPE_RAW, 0x1c2, false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct prof_pmu_event events[PROF_PMU_MOST];
    uint32_t count;
    assert_int_equal(prof_pmu_names_parse(cases[i].name, NULL, events, &count), PROF_OK);
    assert_int_equal(count, 1);
    assert_string_equal(events[0].name, cases[i].name);
    assert_int_equal(events[0].type, cases[i].type);
    assert_int_equal(events[0].config, cases[i].config);
    assert_int_equal(events[0].no_kernel, cases[i].no_kernel);
    assert_int_equal(events[0].no_user, cases[i].no_user);
  }
}

static void wrong_lists_are_refused(void **state) {
  (void)state;
  static const char *const lists[] = {
      "",
      "cycles,",
      ",",
      "cycles,cycles",
      "page-faults,faults:u",
      "no-such-thing",
      "cycles:x",
      "r",
      "rxyz",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    struct prof_pmu_event events[PROF_PMU_MOST];
    struct prof_diag diag = {0};
    uint32_t count;
    assert_int_equal(prof_pmu_names_parse(lists[i], &diag, events, &count), PROF_USAGE);
    assert_non_null(strstr(diag.what, "--counters"));
  }
  char many[PROF_PMU_MOST * 8 + 8] = "r1";
  for (uint32_t i = 2; i <= PROF_PMU_MOST + 1; i++)
    snprintf(many + strlen(many), sizeof many - strlen(many), ",r%x", i);
  struct prof_pmu_event events[PROF_PMU_MOST];
  uint32_t count;
  assert_int_equal(prof_pmu_names_parse(many, NULL, events, &count), PROF_USAGE);
}

static void what_fits_counts_together(void **state) {
  (void)state;
  struct prof_pmu_set set = plan("cycles,page-faults,instructions");
  assert_int_equal(set.groups, 1);
  assert_int_equal(set.counters[0].group, 1);
  assert_int_equal(set.counters[1].group, 0);
  assert_int_equal(set.counters[2].group, 1);
  assert_true(set.counters[0].user_only);
  char text[200];
  assert_int_equal(prof_pmu_missing_text(&set, text, sizeof text), 0);
  assert_string_equal(text, "");
}

static void what_does_not_fit_takes_turns(void **state) {
  (void)state;
  struct prof_pmu_set set = plan("cycles,instructions,cache-misses,branches,branch-misses");
  static const uint32_t groups[] = {1, 1, 2, 2, 3};
  assert_int_equal(set.groups, 3);
  for (uint32_t i = 0; i < 5; i++)
    assert_int_equal(set.counters[i].group, groups[i]);
}

static void what_is_missing_is_said(void **state) {
  (void)state;
  struct prof_pmu_set set = plan("cycles,cache-references");
  char text[200], small[24];
  assert_true(set.counters[1].refused);
  assert_int_equal(prof_pmu_missing_text(&set, text, sizeof text), 1);
  assert_string_equal(text, "not counted: cache-references (this machine has no such counter)");
  set = plan("cache-references,r99,cycles:k");
  assert_int_equal(set.groups, 0);
  assert_int_equal(prof_pmu_missing_text(&set, text, sizeof text), 3);
  assert_string_equal(text, "not counted: cache-references, r99, cycles:k (prof info shows why)");
  assert_string_equal(set.counters[2].reason, "the kernel refuses it (kernel.perf_event_paranoid)");
  assert_int_equal(prof_pmu_missing_text(&set, small, sizeof small), 3);
  assert_in_range(strlen(small), 1, sizeof small - 1);
}

static void rare_events_are_all_sampled(void **state) {
  (void)state;
  struct prof_pmu_set set = plan("page-faults,task-clock,cycles");
  struct perf_event_attr faults = prof_pmu_attributes(&set.counters[0], 997),
                         clock = prof_pmu_attributes(&set.counters[1], 997),
                         cycles = prof_pmu_attributes(&set.counters[2], 997);
  assert_true(!faults.freq && faults.sample_period == 1);
  assert_true(clock.freq && clock.sample_freq == 997);
  assert_true(cycles.freq && cycles.sample_freq == 997 && cycles.exclude_kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_have_encodings),      cmocka_unit_test(wrong_lists_are_refused),
      cmocka_unit_test(what_fits_counts_together), cmocka_unit_test(what_does_not_fit_takes_turns),
      cmocka_unit_test(what_is_missing_is_said),   cmocka_unit_test(rare_events_are_all_sampled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
