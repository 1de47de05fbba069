/*
 * test_sample_rates.c - what a sample of the faster sampler stands for, in a recording with stretches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "estimate/sample_rates.h"
#include "trace/write/write_samples.h"
#include "trace_folder.h"

#define NEAR(a, b) assert_true((a) > (b)-1e-9 && (a) < (b) + 1e-9)

static prof_trace *trace_of(struct trace_folder *folder, const struct prof_rate_change *changes, size_t count) {
  static const struct prof_sampler sampler = {
      .method = PROF_SAMPLER_PERF, .period_ns = 1000, .extra_period_ns = 100, .reason = ""};
  prof_writer *writer;
  prof_trace *trace;
  trace_folder_make(folder);
  assert_int_equal(prof_writer_open(folder->path, NULL, NULL, &writer), PROF_OK);
  assert_int_equal(prof_writer_sampler(writer, &sampler), PROF_OK);
  if (count > 0)
    assert_int_equal(prof_writer_rates(writer, changes, count), PROF_OK);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  return trace;
}

static void without_changes_no_fast_sample_counts(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_sample_rates rates;
  prof_trace *trace = trace_of(&folder, NULL, 0);
  assert_true(prof_sample_rates_init(&rates, trace));
  NEAR(prof_sample_rates_times(&rates, 500), 0);
  assert_int_equal(rates.stretches, 0);
  prof_sample_rates_fini(&rates);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* 3,000 ticks in which samples of 100 ns were taken for 200: each stands for 1,500 ns. */
static void a_stretch_stands_for_the_time_around_it(void **state) {
  (void)state;
  static const struct prof_rate_change changes[] = {{1000, PROF_RATE_NONE}, {1500, PROF_RATE_FAST},
                                                    {1600, PROF_RATE_NONE}, {2900, PROF_RATE_FAST},
                                                    {3000, PROF_RATE_NONE}, {4000, PROF_RATE_USUAL}};
  struct trace_folder folder;
  struct prof_sample_rates rates;
  prof_trace *trace = trace_of(&folder, changes, sizeof changes / sizeof *changes);
  assert_true(prof_sample_rates_init(&rates, trace));
  assert_int_equal(rates.stretches, 2);
  assert_int_equal(rates.stretch_ticks, 200);
  NEAR(prof_sample_rates_times(&rates, 999), 0);
  NEAR(prof_sample_rates_times(&rates, 1550), 1.5);
  NEAR(prof_sample_rates_times(&rates, 1599), 1.5);
  NEAR(prof_sample_rates_times(&rates, 2999), 1.5);
  NEAR(prof_sample_rates_times(&rates, 4000), 0);
  prof_sample_rates_fini(&rates);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* 32 stretches of 10 ticks: the first 16 in each 100 ticks, the others in each 400.  Each half has a weight of its own.
 */
static void neighbours_share_their_time(void **state) {
  (void)state;
  struct prof_rate_change changes[66] = {{0, PROF_RATE_NONE}};
  uint64_t time = 0;
  for (int i = 0; i < 32; i++) {
    uint64_t all = i < 16 ? 100 : 400, before = (all - 10) / 2;
    changes[1 + 2 * i] = (struct prof_rate_change){time + before, PROF_RATE_FAST};
    changes[2 + 2 * i] = (struct prof_rate_change){time + before + 10, PROF_RATE_NONE};
    time += all;
  }
  changes[65] = (struct prof_rate_change){time, PROF_RATE_USUAL};
  struct trace_folder folder;
  struct prof_sample_rates rates;
  prof_trace *trace = trace_of(&folder, changes, 66);
  assert_true(prof_sample_rates_init(&rates, trace));
  assert_int_equal(rates.parts.count, 2);
  double few = prof_sample_rates_times(&rates, 50), many = prof_sample_rates_times(&rates, time - 200);
  assert_true(few > 0.9 && few < 1.2); /* a tenth of the period, ten times the length */
  assert_true(many > 3.8 && many < 4.1);
  prof_sample_rates_fini(&rates);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_changes_no_fast_sample_counts),
      cmocka_unit_test(a_stretch_stands_for_the_time_around_it),
      cmocka_unit_test(neighbours_share_their_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
