/*
 * test_burst_time.c - plain time of a thread: waiting for the recorder is taken from what the thread ran.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/burst/thread_time.h"

static const struct prof_burst_time life = {.begin = 0, .end = 1000, .life_begin = 0, .life_end = 1000};

/* Plain time of [begin, end), without the cost of events. */
static double plain(const struct prof_burst_time *time, uint64_t begin, uint64_t end, double stalled) {
  struct prof_burst_ran ran = {0};
  prof_burst_time_add_ran(time, begin, end, &ran);
  return prof_burst_plain_ticks(&ran, (double)prof_burst_time_ran(time, time->life_begin, time->life_end), stalled, 0);
}

/* It runs for 200 of 1,000 ticks, and waits for the recorder in half of them.  The last 250 have 50 ticks of running.
 */
static void preempted_threads_have_plain_time(void **state) {
  (void)state;
  struct prof_burst_time time = life;
  for (uint64_t i = 0; i < 20; i++)
    assert_true(prof_burst_time_pause(&time, i * 50 + 10, i * 50 + 50, 1));
  assert_int_equal(prof_burst_time_ran(&time, 0, 1000), 200);
  assert_int_equal((int)(plain(&time, 0, 1000, 100) + 0.5), 100);
  assert_int_equal((int)(plain(&time, 750, 1000, 100) + 0.5), 25);
  prof_burst_time_fini(&time);
}

/* Pauses in stretches stand for ten times their length: 2 x 10 x 20 of 1,000 ticks; in the second stretch, by
 * itself, 20. */
static void pauses_in_stretches_stand_for_more(void **state) {
  (void)state;
  struct prof_burst_time time = life;
  assert_true(prof_burst_time_pause(&time, 100, 120, 10) && prof_burst_time_pause(&time, 600, 620, 10));
  assert_int_equal(prof_burst_time_ran(&time, 0, 1000), 600);
  assert_int_equal(prof_burst_time_ran_within(&time, 580, 680), 80);
  assert_int_equal(prof_burst_time_ran_within(&time, 610, 630), 10);
  assert_int_equal(prof_burst_time_ran_within(&time, 620, 620), 0);
  prof_burst_time_fini(&time);
}

static void others_lose_little(void **state) {
  (void)state;
  struct prof_burst_time time = life;
  assert_int_equal((int)(plain(&time, 500, 1000, 100) + 0.5), 450);
  assert_true(plain(&time, 500, 1000, 2000) <= 0); /* more than it ran */
  prof_burst_time_fini(&time);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(preempted_threads_have_plain_time),
      cmocka_unit_test(pauses_in_stretches_stand_for_more),
      cmocka_unit_test(others_lose_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
