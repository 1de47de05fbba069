/*
 * test/unit/test_probe_shift.c - what light probes moved from callees to callers is put back: a made-up thread in which
 * f0 calls f1 a thousand times, and samples of both, each call of which moves a tick.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/probe_shift.h"
#include "model_case.h"

enum { CALLS = 1000, SAMPLES = 10 };

static struct case_events events;
static struct trace_folder folder;
static prof_trace *trace;
static struct prof_profile *profile;
static uint32_t caller, callee; /* nodes */

static void write_cost(prof_writer *writer, void *context) {
  (void)context;
  struct prof_process_record process = {.process = 1,
                                        .pid = 100,
                                        .start_ticks = CASE_START,
                                        .event_cost = 20000,
                                        .event_cost_among = 12000,
                                        .executable = prof_span("case")};
  assert_int_equal(prof_writer_process(writer, &process), PROF_OK);
}

static int fold(void **state) {
  (void)state;
  case_clear(&events);
  case_enter(&events, 0, 0);
  for (int i = 0; i < CALLS; i++) {
    case_enter(&events, 10, 1);
    case_exit(&events, 10, 1);
  }
  case_exit(&events, 10, 0);
  case_write_with(&folder, &events, 1, write_cost, NULL);
  trace = case_open(&folder);
  assert_int_equal(prof_profile_fold(trace, NULL, 1, NULL, &profile), PROF_OK);
  assert_int_equal(profile->node_count, 4); /* all, the thread, f0, f1 */
  caller = 2;
  callee = 3;
  return 0;
}

static int unfold(void **state) {
  (void)state;
  prof_profile_free(profile);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
  return 0;
}

static struct prof_sample sample_of(uint32_t node, double ticks) {
  return (struct prof_sample){
      .node = node, .weight_ticks = ticks, .where = PROF_WHERE_PROBED, .flags = PROF_SAMPLED_EXTRA};
}

/* Of the caller `callers`, of the callee the rest. */
static void put_back(struct prof_sample *samples, size_t callers, double caller_ticks, double callee_ticks) {
  struct prof_sliced sliced = {.weight_ticks = 1};
  for (size_t i = 0; i < SAMPLES; i++)
    samples[i] = i < callers ? sample_of(caller, caller_ticks) : sample_of(callee, callee_ticks);
  assert_int_equal(prof_probe_shift_undo(profile, samples, SAMPLES, &sliced), PROF_OK);
}

static void assert_ticks(double value, double expected) {
  assert_float_equal(value, expected, 1e-6 * expected);
}

static void each_call_gets_its_part_from_its_caller(void **state) {
  (void)state;
  struct prof_sample samples[SAMPLES];
  put_back(samples, 6, 1000, 1000);
  /* The caller's own call has no caller to take a tick from, and what all stand for together stays 10,000. */
  assert_ticks(samples[0].weight_ticks, 5001 / 6. * 10000 / 10001);
  assert_ticks(samples[9].weight_ticks, 5000 / 4. * 10000 / 10001);
}

/* Of 500 ticks the caller loses 125, not 999; of 1,000 the callee gains 250, not 1,000. */
static void a_quarter_moves_at_most(void **state) {
  (void)state;
  struct prof_sample samples[SAMPLES];
  put_back(samples, 1, 500, 1000);
  assert_ticks(samples[0].weight_ticks, 375. * 9500 / 10375);
  assert_ticks(samples[9].weight_ticks, 10000 / 9. * 9500 / 10375);
  put_back(samples, 9, 1000, 1000);
  assert_ticks(samples[0].weight_ticks, 8001 / 9. * 10000 / 9251);
  assert_ticks(samples[9].weight_ticks, 1250. * 10000 / 9251);
}

static void other_samples_are_left_alone(void **state) {
  (void)state;
  struct prof_sample samples[SAMPLES + 5];
  for (size_t i = 0; i < SAMPLES + 5; i++)
    samples[i] = sample_of(i % 2 ? caller : callee, 1000);
  samples[SAMPLES].flags = 0;
  samples[SAMPLES + 1].flags |= PROF_SAMPLED_ASIDE;
  samples[SAMPLES + 2].where = PROF_WHERE_PROFILER;
  samples[SAMPLES + 3].node = PROF_NONE;
  samples[SAMPLES + 4].node = 1; /* within no call */
  struct prof_sliced sliced = {.weight_ticks = 1};
  assert_int_equal(prof_probe_shift_undo(profile, samples, SAMPLES + 5, &sliced), PROF_OK);
  assert_ticks(samples[0].weight_ticks, 1200. * 10000 / 10001);
  assert_ticks(samples[1].weight_ticks, 4001 / 5. * 10000 / 10001);
  for (size_t i = SAMPLES; i < SAMPLES + 5; i++)
    assert_ticks(samples[i].weight_ticks, 1000);
}

static void without_slices_nothing_moves(void **state) {
  (void)state;
  struct prof_sample samples[2] = {sample_of(caller, 1000), sample_of(callee, 1000)};
  struct prof_sliced sliced = {0};
  assert_int_equal(prof_probe_shift_undo(profile, samples, 2, &sliced), PROF_OK);
  assert_ticks(samples[0].weight_ticks, 1000);
  assert_ticks(samples[1].weight_ticks, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_call_gets_its_part_from_its_caller),
      cmocka_unit_test(a_quarter_moves_at_most),
      cmocka_unit_test(other_samples_are_left_alone),
      cmocka_unit_test(without_slices_nothing_moves),
  };
  return cmocka_run_group_tests(tests, fold, unfold);
}
