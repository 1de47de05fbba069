/*
 * test_sparse_pauses.c - how long a thread was off, from stretches in which its switches were recorded.
 *
 * A thread of 100 ms.  Every 5 ms there is a stretch of 1 ms, in turn with samples and without.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "estimate/sparse_pauses.h"
#include "fold/filter.h"
#include "trace/write/write_tables.h"
#include "trace_folder.h"

#define MS 1000000u
enum { SPANS = 20 };

struct fixture {
  struct trace_folder folder;
  prof_trace *trace;
  struct prof_switch_spans spans;
  struct prof_pause_list found;
};

/* times: what each stretch stands for. */
static void begin(struct fixture *fixture, double times) {
  static const struct prof_clock_record clock = {.frequency_hz = 1000000000};
  const struct prof_thread_record thread = {.thread = 1,
                                            .tid = 1,
                                            .flags = PROF_FORMAT_THREAD_ENDED,
                                            .start_ticks = 0,
                                            .end_ticks = 100 * MS,
                                            .cpu_ns = 30 * MS,
                                            .cpu_ticks = 100 * MS,
                                            .name = prof_span("thread")};
  prof_writer *writer;
  *fixture = (struct fixture){0};
  trace_folder_make(&fixture->folder);
  assert_int_equal(prof_writer_open(fixture->folder.path, NULL, NULL, &writer), PROF_OK);
  assert_int_equal(prof_writer_clock(writer, &clock), PROF_OK);
  assert_int_equal(prof_writer_thread(writer, &thread), PROF_OK);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(fixture->folder.path, NULL, &fixture->trace), PROF_OK);
  for (uint64_t i = 0; i < SPANS; i++) {
    const struct prof_switch_span span = {
        .begin = (5 * i + 2) * MS, .end = (5 * i + 3) * MS, .times = times, .is_sampled = i % 2 == 0};
    assert_true(prof_vec_push(&fixture->spans.items, span));
  }
  fixture->spans.sparse = true;
}

static void end(struct fixture *fixture) {
  prof_vec_fini(&fixture->spans.items);
  prof_vec_fini(&fixture->found.items);
  prof_trace_close(fixture->trace);
  trace_folder_remove(&fixture->folder);
}

/* In ms: what all pauses stand for.  from, to: the range in ms, 0, 0: everything.  ran: in which spans samples are. */
static double off(struct fixture *fixture, uint64_t from, uint64_t to, const uint32_t *ran, size_t ran_count) {
  static uint8_t shown[1] = {1};
  struct prof_sample samples[SPANS];
  const struct prof_filter filter = {
      .begin_ticks = from * MS, .end_ticks = to > 0 ? to * MS : UINT64_MAX, .threads = shown, .active = true};
  for (size_t i = 0; i < ran_count; i++)
    samples[i] = (struct prof_sample){.time = fixture->spans.items.items[ran[i]].begin + MS / 2, .thread = 0};
  const struct prof_sparse_task task = {.trace = fixture->trace,
                                        .filter = to > 0 ? &filter : NULL,
                                        .spans = &fixture->spans,
                                        .samples = samples,
                                        .sample_count = ran_count};
  double sum = 0;
  fixture->found.items.count = 0;
  assert_true(prof_sparse_pauses_find(&task, &fixture->found));
  for (size_t i = 0; i < fixture->found.items.count; i++) {
    const struct prof_pause *pause = &fixture->found.items.items[i];
    assert_true(pause->times > 1 && pause->begin < pause->end);
    sum += (double)(pause->end - pause->begin) * (double)pause->times / MS;
  }
  return sum;
}

#define NEAR(a, b) assert_true((a) > (b)-1e-4 && (a) < (b) + 1e-4)

/* However much the stretches stand for. */
static void a_life_fits_its_cpu_time(void **state) {
  (void)state;
  static const uint32_t ran[] = {0, 6};
  for (double times = 3; times < 20; times *= 2) {
    struct fixture fixture;
    begin(&fixture, times);
    NEAR(off(&fixture, 0, 0, ran, 2), 70);
    end(&fixture);
  }
}

/* From 20 to 60 ms there are eight stretches.  A sample lies in one of the four with samples; the others show nothing
 * of the thread, which runs less than half of its life. */
static void a_range_is_what_its_stretches_stand_for(void **state) {
  (void)state;
  static const uint32_t ran[] = {6};
  for (double times = 3; times < 20; times *= 2) {
    struct fixture fixture;
    begin(&fixture, times);
    NEAR(off(&fixture, 20, 60, ran, 1), 35);
    NEAR(off(&fixture, 20, 60, NULL, 0), 40);
    end(&fixture);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_life_fits_its_cpu_time),
      cmocka_unit_test(a_range_is_what_its_stretches_stand_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
