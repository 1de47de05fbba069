/*
 * test_record_beat.c - a thread that rests: it ends when it is told to, wakes when it is hurried, and has a short
 * slice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "record/clock/beat.h"
#include "record/clock/short_slice.h"

#define LONG_NS 3600000000000u

struct acting {
  struct prof_beat beat;
  pthread_cond_t acted;
  int count;
  uint64_t slice_ns; /* the thread's */
};

static void *act(void *context) {
  struct acting *acting = context;
  pthread_mutex_lock(&acting->beat.lock);
  acting->slice_ns = prof_slice_ns();
  while (prof_beat_rest(&acting->beat, LONG_NS)) {
    acting->count++;
    pthread_cond_signal(&acting->acted);
  }
  pthread_mutex_unlock(&acting->beat.lock);
  return NULL;
}

static void it_wakes_when_hurried_and_ends_when_told(void **state) {
  (void)state;
  struct acting acting = {.acted = PTHREAD_COND_INITIALIZER};
  assert_true(prof_beat_start(&acting.beat, act, &acting));
  pthread_mutex_lock(&acting.beat.lock);
  for (int i = 1; i <= 3; i++) {
    prof_beat_hurry(&acting.beat);
    while (acting.count < i)
      pthread_cond_wait(&acting.acted, &acting.beat.lock);
  }
  pthread_mutex_unlock(&acting.beat.lock);
  prof_beat_stop(&acting.beat);
  assert_int_equal(acting.count, 3);
  prof_beat_stop(&acting.beat); /* once more has no effect */
  prof_beat_fini(&acting.beat);
}

/* Where the kernel has no slices, all are 0. */
static void its_slice_is_the_least(void **state) {
  (void)state;
  struct acting acting = {.acted = PTHREAD_COND_INITIALIZER};
  uint64_t before_ns = prof_slice_ns();
  assert_true(prof_beat_start(&acting.beat, act, &acting));
  prof_beat_fini(&acting.beat);
  assert_int_equal(prof_slice_ns(), before_ns);
  (void)prof_short_slice();
  assert_int_equal(acting.slice_ns, prof_slice_ns());
  assert_true(prof_slice_ns() <= before_ns);
}

static void gaps_are_random_with_a_mean_and_a_limit(void **state) {
  (void)state;
  struct prof_beat beat = {.random = 20};
  double sum = 0;
  for (int i = 0; i < 20000; i++) {
    uint64_t gap = prof_beat_gap_ns(&beat, 1000);
    assert_true(gap <= 10000);
    sum += (double)gap;
  }
  assert_true(sum / 20000 > 950 && sum / 20000 < 1050);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_wakes_when_hurried_and_ends_when_told),
      cmocka_unit_test(its_slice_is_the_least),
      cmocka_unit_test(gaps_are_random_with_a_mean_and_a_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
