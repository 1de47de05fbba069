/* test_burst_callers.c - callers of calls that were only counted: those that windows with events among them show. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/burst/callers.h"

enum { THREAD = 1, FRAME = 5, START = 2, LOOP = 3, WINDOWS = 40 };

static void near(double value, double expected) {
  assert_true(fabs(value - expected) < 1e-9);
}

/* A dense phase, then a sparse one: windows with events have as many calls in both, as events limit them. */
static void phases(void **state) {
  (void)state;
  struct prof_burst_callers callers = {0};
  for (uint64_t window = 1; window <= WINDOWS; window++) {
    bool dense = window <= WINDOWS / 2;
    if (window % 2)
      assert_true(prof_burst_callers_see(&callers, THREAD, FRAME, dense ? START : LOOP, window, 10));
    else
      assert_true(prof_burst_callers_count(&callers, THREAD, FRAME, dense ? 990 : 10));
  }
  prof_burst_callers_finish(&callers);
  double start = prof_burst_callers_part(&callers, THREAD, FRAME, START);
  double loop = prof_burst_callers_part(&callers, THREAD, FRAME, LOOP);
  near(start + loop, 1);
  assert_true(start > 0.8 && start < 1); /* true 0.99; half of the events.  A stretch has some of both */
  prof_burst_callers_fini(&callers);
}

/* Several rows of one window are one distribution; others' are apart. */
static void mixed(void **state) {
  (void)state;
  struct prof_burst_callers callers = {0};
  for (uint64_t window = 1; window <= WINDOWS; window++) {
    assert_true(prof_burst_callers_see(&callers, THREAD, FRAME, START, window, 3));
    assert_true(prof_burst_callers_see(&callers, THREAD, FRAME, LOOP, window, 1));
    assert_true(prof_burst_callers_see(&callers, THREAD + 1, FRAME, LOOP, window, 1));
    assert_true(prof_burst_callers_count(&callers, THREAD, FRAME, 100));
    assert_true(prof_burst_callers_count(&callers, THREAD + 1, FRAME, 1));
  }
  prof_burst_callers_finish(&callers);
  near(prof_burst_callers_part(&callers, THREAD, FRAME, START), 0.75);
  near(prof_burst_callers_part(&callers, THREAD, FRAME, LOOP), 0.25);
  near(prof_burst_callers_part(&callers, THREAD + 1, FRAME, LOOP), 1);
  near(prof_burst_callers_part(&callers, THREAD + 1, FRAME, START), 0);
  prof_burst_callers_fini(&callers);
}

/* Windows `first` to `last`: START calls at first, LOOP later; phases are longer than a stretch of windows. */
static void take_windows(struct prof_burst_callers *callers, uint64_t first, uint64_t last) {
  for (uint64_t window = first; window <= last; window++) {
    uint32_t caller = window <= WINDOWS / 2 ? START : LOOP;
    if (window % 3)
      assert_true(prof_burst_callers_see(callers, THREAD, FRAME, caller, window, (double)(1 + window % 7)));
    else
      assert_true(prof_burst_callers_count(callers, THREAD, FRAME, (double)(100 * window)));
  }
}

/* A recording whose windows come in several parts, of which each resumes with what the one before left open. */
static void resumed(void **state) {
  (void)state;
  struct prof_burst_callers whole = {0}, part = {0};
  take_windows(&whole, 1, WINDOWS);
  prof_burst_callers_finish(&whole);
  for (uint64_t first = 1; first <= WINDOWS; first += 5) {
    struct prof_burst_callers next = {0};
    for (size_t i = 0; i < part.frames.count; i++) {
      const struct prof_burst_counted_frame *frame = &part.frames.items[i];
      assert_true(prof_burst_callers_resume_frame(&next, THREAD, FRAME, frame->counted, (double)frame->windows));
    }
    for (size_t i = 0; i < part.callers.count; i++) {
      const struct prof_burst_caller *caller = &part.callers.items[i];
      assert_true(prof_burst_callers_resume(&next, THREAD, FRAME, caller->caller, caller->counted, caller->seen));
    }
    take_windows(&next, first, first + 4);
    prof_burst_callers_fini(&part);
    part = next;
  }
  prof_burst_callers_finish(&part);
  double start = prof_burst_callers_part(&whole, THREAD, FRAME, START);
  assert_true(start > 0 && start < 1);
  near(prof_burst_callers_part(&part, THREAD, FRAME, START), start);
  near(prof_burst_callers_part(&part, THREAD, FRAME, LOOP), 1 - start);
  prof_burst_callers_fini(&part);
  prof_burst_callers_fini(&whole);
}

static void nothing(void **state) {
  (void)state;
  struct prof_burst_callers callers = {0};
  assert_true(prof_burst_callers_count(&callers, THREAD, FRAME, 100));
  assert_true(prof_burst_callers_see(&callers, THREAD, FRAME + 1, START, 1, 3));
  prof_burst_callers_finish(&callers);
  assert_true(prof_burst_callers_part(&callers, THREAD, FRAME, START) < 0);
  assert_true(prof_burst_callers_part(&callers, THREAD, FRAME + 1, START) < 0);
  assert_true(prof_burst_callers_part(&callers, THREAD, FRAME + 2, START) < 0);
  prof_burst_callers_fini(&callers);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(phases), cmocka_unit_test(mixed), cmocka_unit_test(resumed),
                                     cmocka_unit_test(nothing)};
  return cmocka_run_group_tests_name("burst_callers", tests, NULL, NULL);
}
