/*
 * test/unit/test_light_samples.c - what the samples of a thread with light slices stand for: a made-up thread of which
 * it is known how its probes, its program and the sampling share the time, in slices and outside of them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/correct.h"
#include "estimate/samples_fold.h"
#include "model_case.h"
#include "trace/write/write_samples.h"

enum {
  EVENTS = 100000,
  EVERY = 4000, /* events; of them LIGHT in a slice, SPACING of which share a time */
  LIGHT = 1000,
  SPACING = 8,
  REST_TICKS = 50,  /* for an event; of ten samples 3 are in the program */
  LIGHT_TICKS = 30, /* 8 of ten */
  PERIOD = 15000,
  EXTRA_PERIOD = 1500,
};

static uint32_t event_cost; /* calibrated, thousandths of a tick */
static struct case_events events;
static struct prof_light_slice slices[EVENTS / EVERY];
static struct prof_sample_record samples[EVENTS];
static size_t slice_count, sample_count;

static void make_events(void) {
  case_clear(&events);
  slice_count = 0;
  for (uint32_t i = 0; i < EVENTS; i++) {
    uint32_t at = i % EVERY;
    uint64_t step = at >= LIGHT ? REST_TICKS : at % SPACING ? 0 : SPACING * LIGHT_TICKS;
    (i % 2 ? case_exit : case_enter)(&events, step, 0);
    if (at == 0)
      slices[slice_count++] = (struct prof_light_slice){events.time, 0, LIGHT};
    if (at == LIGHT)
      slices[slice_count - 1].end = events.time;
  }
}

static bool in_slice(uint64_t time) {
  for (size_t i = 0; i < slice_count; i++)
    if (slices[i].begin <= time && time < slices[i].end)
      return true;
  return false;
}

static int by_time(const void *left, const void *right) {
  uint64_t a = ((const struct prof_sample_record *)left)->time, b = ((const struct prof_sample_record *)right)->time;
  return a < b ? -1 : a > b;
}

static void make_samples(void) {
  sample_count = 0;
  for (int extra = 0; extra < 2; extra++) {
    uint32_t tenth = 0;
    for (uint64_t time = CASE_START + 1007; time < events.time; time += extra ? EXTRA_PERIOD : PERIOD) {
      bool light = in_slice(time);
      if (extra && !light)
        continue;
      uint8_t probe = tenth++ % 10 >= (light ? 8u : 3u) ? PROF_SAMPLE_PROBE : 0;
      samples[sample_count++] = (struct prof_sample_record){
          .time = time, .address = 0x1005, .flags = (uint8_t)(probe | (extra ? PROF_SAMPLE_EXTRA : 0))};
    }
  }
  qsort(samples, sample_count, sizeof *samples, by_time);
}

static void write_more(prof_writer *writer, void *context) {
  (void)context;
  struct prof_process_record process = {.process = 1,
                                        .pid = 100,
                                        .start_ticks = CASE_START,
                                        .event_cost = event_cost,
                                        .event_cost_among = event_cost / 2,
                                        .executable = prof_span("case")};
  uint64_t ran = events.time - CASE_START;
  struct prof_thread_record thread = {.thread = 1,
                                      .process = 1,
                                      .tid = 100,
                                      .flags = PROF_FORMAT_THREAD_ENDED,
                                      .start_ticks = CASE_START,
                                      .end_ticks = events.time,
                                      .name = prof_span("thread-0"),
                                      .cpu_ns = ran,
                                      .cpu_ticks = events.time};
  struct prof_samples_record record = {PROF_SAMPLE_SAMPLES, 1, 1, 100, samples, (uint32_t)sample_count};
  struct prof_sampler sampler = {.method = PROF_SAMPLER_PERF,
                                 .period_ns = PERIOD,
                                 .extra_period_ns = EXTRA_PERIOD,
                                 .asked_hz = 1000,
                                 .reason = ""};
  assert_int_equal(prof_writer_process(writer, &process), PROF_OK);
  assert_int_equal(prof_writer_thread(writer, &thread), PROF_OK);
  assert_int_equal(prof_writer_light(writer, 1, SPACING, slices, slice_count), PROF_OK);
  assert_int_equal(prof_writer_samples(writer, &record), PROF_OK);
  assert_int_equal(prof_writer_sampler(writer, &sampler), PROF_OK);
}

static void assert_close(double value, double expected) {
  if (!(value > 0.95 * expected && value < 1.05 * expected))
    fail_msg("%g instead of %g", value, expected);
}

static void all_samples_stand_for_the_middle(void **state) {
  (void)state;
  struct trace_folder folder;
  event_cost = 30000;
  make_events();
  make_samples();
  case_write_with(&folder, &events, 1, write_more, NULL);
  prof_trace *trace = case_open(&folder);
  struct prof_profile *profile;
  struct prof_samples *placed;
  struct prof_fold_options options = {.workers = 1};
  assert_int_equal(prof_samples_fold(trace, NULL, &options, NULL, &profile, &placed), PROF_OK);
  double sum = 0;
  for (size_t i = 0; i < placed->count; i++) {
    const struct prof_sample *sample = &placed->items[i];
    uint32_t gap = in_slice(sample->time) ? SPACING * LIGHT_TICKS : REST_TICKS;
    /* where a slice begins or ends the two mix */
    assert_true(sample->gap_ticks == gap || sample->gap_ticks == REST_TICKS ||
                sample->gap_ticks == SPACING * LIGHT_TICKS);
    sum += prof_sample_is_counted(sample) ? sample->weight_ticks : 0;
  }
  /* What a sample takes is told by the events around it. */
  double light = LIGHT_TICKS * 0.8 * (1 - SPACING * LIGHT_TICKS * (1. / EXTRA_PERIOD + 1. / PERIOD)),
         rest = REST_TICKS * 0.3 * (1 - 1. * REST_TICKS / PERIOD);
  assert_int_equal(placed->light_threads, 1);
  assert_close(sum, (light + rest) / 2 * EVENTS);
  assert_close(1 + placed->light[0].error, 1 + (rest > light ? rest - light : light - rest) / (light + rest));
  assert_close((double)profile->nodes[0].total_ticks, (light + rest) / 2 * EVENTS);
  prof_samples_free(placed);
  prof_profile_free(profile);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* Too sparse for times from samples: what was calibrated doesn't matter if samples were in probes. */
static void samples_in_probes_tell_what_is_taken_out(void **state) {
  (void)state;
  make_events();
  make_samples();
  uint64_t all = 0, probes = 0;
  for (size_t i = 0; i < sample_count; i++) {
    bool ordinary = !(samples[i].flags & PROF_SAMPLE_EXTRA);
    all += ordinary;
    probes += ordinary && samples[i].flags & PROF_SAMPLE_PROBE;
  }
  assert_true(probes > 100);
  double ran = (double)(events.time - CASE_START), cost = ran * (double)probes / (double)all / EVENTS;
  for (event_cost = 1000; event_cost <= 8000; event_cost += 7000) {
    struct trace_folder folder;
    case_write_with(&folder, &events, 1, write_more, NULL);
    prof_trace *trace = case_open(&folder);
    for (int ranged = 0; ranged < 2; ranged++) { /* whatever part of the time is shown */
      struct prof_filter filter;
      struct prof_filter_spec spec = {.depth = UINT32_MAX, .begin_ns = ranged ? 3000000 : 0, .end_ns = UINT64_MAX};
      struct prof_profile *profile;
      struct prof_samples *placed;
      assert_int_equal(prof_filter_init(&filter, trace, &spec, NULL), PROF_OK);
      assert_int_equal(
          prof_samples_fold(trace, &filter, &(struct prof_fold_options){.workers = 1}, NULL, &profile, &placed),
          PROF_OK);
      assert_int_equal(profile->coverage.corrected_threads, 1);
      assert_int_equal(placed->light_threads, 0);
      double taken = profile->coverage.event_taken_ticks; /* calibration still has its small weight */
      assert_true(fabs(taken - cost) < cost / 50);
      /* the other one of a call's two events cost its caller, which isn't there */
      assert_close((double)profile->coverage.taken_ticks, taken * (double)profile->coverage.events / 2);
      assert_true(profile->coverage.error_ticks > 0 &&
                  profile->coverage.error_ticks <= profile->coverage.taken_ticks + 1);
      prof_samples_free(placed);
      prof_profile_free(profile);
      prof_filter_fini(&filter);
    }
    prof_trace_close(trace);
    trace_folder_remove(&folder);
  }
}

/* What an event cost goes from what calibration says to what samples say without a step. */
static void the_cost_of_an_event_has_no_steps(void **state) {
  (void)state;
  struct prof_correction correction = {
      .state = PROF_CORRECT_DONE, .written = 1000000, .cpu_ticks = 50000000, .cost_ticks = 6, .most_ticks = 9};
  double before = prof_correction_sampled_cost(&correction, 1, 5).ticks;
  for (uint64_t count = 10; count <= 5000; count += 5) { /* a fifth of them: 10 ticks an event */
    double cost = prof_correction_sampled_cost(&correction, count / 5, count).ticks;
    assert_true(cost > 6 && cost < 10);
    assert_true(cost > before && cost - before < 0.6);
    before = cost;
  }
  assert_true(before > 9.9);
  /* One sample in a probe, by chance, where events are few: calibration holds. */
  correction.written = 5000;
  double chance = prof_correction_sampled_cost(&correction, 1, 300).ticks;
  assert_true(chance >= 6 && chance < 6.5);
  correction.written = 1000000;
  correction.readings = 1;
  assert_true(prof_correction_sampled_cost(&correction, 200, 1000).ticks == 0);
  correction.readings = 0;
  correction.state = PROF_CORRECT_NO_COST;
  assert_true(prof_correction_sampled_cost(&correction, 200, 1000).ticks == 0);
}

/* Nor do times have any, on the way from what was measured to what samples say. */
static void the_part_of_samples_has_no_steps(void **state) {
  (void)state;
  struct prof_correction correction = {.state = PROF_CORRECT_DONE};
  for (int light = 0; light <= 400; light += 20) {
    double before = 0;
    for (correction.share = 0; correction.share < 1.5; correction.share += 0.005) {
      double part = prof_correction_sampled_part(&correction, (uint64_t)light, 500);
      assert_true(part >= before && part - before < 0.021 && part <= 1);
      before = part;
    }
    assert_true(before == 1);
    correction.share = 0.2; /* mostly program: as measured, less the probes */
    assert_true(prof_correction_sampled_part(&correction, (uint64_t)light, 500) == 0);
  }
  correction.share = 0.4;
  double before = prof_correction_sampled_part(&correction, 0, 500);
  for (uint64_t light = 0; light <= 400; light++, before = prof_correction_sampled_part(&correction, light, 500))
    assert_true(fabs(prof_correction_sampled_part(&correction, light, 500) - before) < 0.01);
  correction.share = 1;
  for (uint64_t count = 0; count < 200; count++)
    assert_close(1 + prof_correction_sampled_part(&correction, 0, count), 1 + (count < 100 ? (double)count / 100 : 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_samples_stand_for_the_middle),
      cmocka_unit_test(samples_in_probes_tell_what_is_taken_out),
      cmocka_unit_test(the_cost_of_an_event_has_no_steps),
      cmocka_unit_test(the_part_of_samples_has_no_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
