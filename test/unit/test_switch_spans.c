/*
 * test_switch_spans.c - when switches were recorded, and what stretches of that stand for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "estimate/switch_spans.h"
#include "trace/write/write_samples.h"
#include "trace_folder.h"

#define NEAR(a, b) assert_true((a) > (b)-1e-9 && (a) < (b) + 1e-9)
#define MS 1000000u

struct fixture {
  struct trace_folder folder;
  prof_trace *trace;
  struct prof_switch_spans spans;
};

static void begin(struct fixture *fixture, const struct prof_rate_change *changes, size_t count) {
  static const struct prof_sampler sampler = {.method = PROF_SAMPLER_PERF, .period_ns = 1000, .reason = ""};
  static const struct prof_clock_record clock = {.frequency_hz = 1000000000};
  prof_writer *writer;
  trace_folder_make(&fixture->folder);
  assert_int_equal(prof_writer_open(fixture->folder.path, NULL, NULL, &writer), PROF_OK);
  assert_int_equal(prof_writer_clock(writer, &clock), PROF_OK);
  assert_int_equal(prof_writer_sampler(writer, &sampler), PROF_OK);
  if (count > 0)
    assert_int_equal(prof_writer_rates(writer, changes, count), PROF_OK);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(fixture->folder.path, NULL, &fixture->trace), PROF_OK);
  assert_true(prof_switch_spans_init(&fixture->spans, fixture->trace));
}

static void end(struct fixture *fixture) {
  prof_switch_spans_fini(&fixture->spans);
  prof_trace_close(fixture->trace);
  trace_folder_remove(&fixture->folder);
}

static void without_gaps_it_is_one(void **state) {
  (void)state;
  static const struct prof_rate_change changes[] = {{1 * MS, PROF_RATE_NONE}, {2 * MS, PROF_RATE_FAST}};
  struct fixture fixture;
  begin(&fixture, changes, 2);
  assert_int_equal(fixture.spans.items.count, 1);
  assert_true(fixture.spans.items.items[0].begin == 0 && fixture.spans.items.items[0].end == UINT64_MAX);
  NEAR(fixture.spans.items.items[0].times, 1);
  assert_false(fixture.spans.sparse || prof_switches_are_sparse(fixture.trace));
  end(&fixture);
}

/* From 100 to 140 ms there are two stretches of 1 ms: each stands for 20.  Then all switches are there again. */
static void stretches_stand_for_the_time_around_them(void **state) {
  (void)state;
  static const struct prof_rate_change changes[] = {
      {100 * MS, PROF_RATE_NONE, true},  {110 * MS, PROF_RATE_FAST, false}, {111 * MS, PROF_RATE_NONE, true},
      {130 * MS, PROF_RATE_NONE, false}, {131 * MS, PROF_RATE_NONE, true},  {140 * MS, PROF_RATE_USUAL, false}};
  struct fixture fixture;
  begin(&fixture, changes, sizeof changes / sizeof *changes);
  const struct prof_switch_span *spans = fixture.spans.items.items;
  assert_int_equal(fixture.spans.items.count, 4);
  assert_true(spans[0].begin == 0 && spans[0].end == 100 * MS);
  NEAR(spans[0].times, 1);
  assert_true(spans[1].begin == 110 * MS && spans[1].end == 111 * MS && spans[1].is_sampled);
  assert_true(spans[2].begin == 130 * MS && spans[2].end == 131 * MS && !spans[2].is_sampled);
  NEAR(spans[1].times, 20);
  NEAR(spans[2].times, 20);
  assert_true(spans[3].begin == 140 * MS && spans[3].end == UINT64_MAX);
  NEAR(spans[3].times, 1);
  assert_true(fixture.spans.sparse && prof_switches_are_sparse(fixture.trace));
  end(&fixture);
}

/* On a busy machine stretches last longer than they should: with no others between them they stand for all of the time.
 */
static void long_ones_stand_for_it_where_there_are_no_others(void **state) {
  (void)state;
  static const struct prof_rate_change changes[] = {
      {100 * MS, PROF_RATE_NONE, true},  {200 * MS, PROF_RATE_NONE, false}, {300 * MS, PROF_RATE_NONE, true},
      {500 * MS, PROF_RATE_FAST, false}, {700 * MS, PROF_RATE_NONE, true},  {1000 * MS, PROF_RATE_NONE, true}};
  struct fixture fixture;
  begin(&fixture, changes, sizeof changes / sizeof *changes);
  const struct prof_switch_span *spans = fixture.spans.items.items;
  assert_int_equal(fixture.spans.items.count, 3);
  NEAR(spans[0].times, 1.5);
  NEAR(spans[1].times, 1 + 0.5 + 1);
  NEAR(spans[2].times, 1 + 0.5 + 1.5);
  end(&fixture);
}

/* The last stretches share what is left of the recording. */
static void the_recording_may_end_in_between(void **state) {
  (void)state;
  static const struct prof_rate_change changes[] = {{100 * MS, PROF_RATE_NONE, true},
                                                    {110 * MS, PROF_RATE_FAST, false},
                                                    {112 * MS, PROF_RATE_NONE, true},
                                                    {120 * MS, PROF_RATE_FAST, true}};
  struct fixture fixture;
  begin(&fixture, changes, sizeof changes / sizeof *changes);
  assert_int_equal(fixture.spans.items.count, 2);
  NEAR(fixture.spans.items.items[1].times, 10);
  end(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_gaps_it_is_one),
      cmocka_unit_test(stretches_stand_for_the_time_around_them),
      cmocka_unit_test(long_ones_stand_for_it_where_there_are_no_others),
      cmocka_unit_test(the_recording_may_end_in_between),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
