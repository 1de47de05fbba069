/*
 * test_record_crew.c - reading several full rings at the same time: the same is read as one by one.  All of them up to
 * one moment.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hands.h"
#include "played_thread.h"
#include "record/pump/crew.h"
#include "record/pump/pump_rings.h"
#include "trace_folder.h"

enum { THREADS = 5, SEGMENTS = 40, DEEP = 3 };

static struct prof_pump pump;
static struct prof_region region;
static struct trace_folder folder;
static struct prof_sampling sampling;
static struct played_thread threads[THREADS];

static struct prof_site_map catch_up(void *context) {
  return prof_modules_map(&((struct prof_pump *)context)->modules);
}

static int setup(void **state) {
  (void)state;
  static const uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 1, 1};
  struct prof_diag diag;
  prof_writer *writer;
  trace_folder_make(&folder);
  if (prof_region_create(&region, 32 << 20, PROF_WHEN_FULL_WAIT, &diag) != PROF_OK ||
      prof_writer_open(folder.path, NULL, &diag, &writer) != PROF_OK)
    return -1;
  pump = (struct prof_pump){.options = {.region = &region, .writer = writer}, .room = {.bytes = UINT64_MAX}};
  pump.source = (struct prof_channel_source){
      .region = &region, .writer = writer, .sampling = &sampling, .now_ns = 1, .catch_up = catch_up, .context = &pump};
  pump.packer = prof_packer_new(writer);
  pump.channels = calloc(region.thread_count, sizeof *pump.channels);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!prof_vec_push(&pump.modules.map, functions[i]))
      return -1;
  if (!prof_vec_push(&pump.modules.callers, (struct prof_caller){.site = 1})) /* the module with these sites */
    return -1;
  for (uint32_t i = 0; i < THREADS; i++) {
    played_begin(&threads[i], &region, i);
    if (!prof_channel_open(&pump.channels[i], &pump.source, i, i + 1, pump.packer))
      return -1;
    pump.open_channels++;
  }
  region.control->threads_used = THREADS;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  struct prof_diag diag;
  struct prof_channel_sums sums = {0};
  for (uint32_t i = 0; i < THREADS; i++)
    if (pump.channels[i].number != 0)
      prof_channel_close(&pump.channels[i], &pump.source, i, true, (struct prof_sampling_end){0}, &sums);
  free(pump.channels);
  prof_packer_free(pump.packer);
  prof_crew_fini(&pump.crew);
  prof_vec_fini(&pump.modules.map);
  prof_vec_fini(&pump.modules.callers);
  prof_status status = prof_writer_close(pump.options.writer, &diag);
  prof_region_destroy(&region);
  trace_folder_remove(&folder);
  return status == PROF_OK ? 0 : -1;
}

/* All but the last thread hold so many segments that they have left; the last one holds two. */
static void write_segments(void) {
  for (uint32_t i = 0; i < THREADS; i++)
    for (int j = 0; j < (i + 1 < THREADS ? SEGMENTS : 2); j++) {
      played_fill(&threads[i], threads[i].current, 0, played_per_segment(&region));
      played_next(&threads[i]);
    }
}

static uint64_t events_of(uint32_t index) {
  struct prof_matcher_figures figures;
  prof_matcher_figures(pump.channels[index].matcher, &figures);
  return figures.events;
}

static uint64_t read_alone(void) {
  uint64_t passed = 0;
  for (uint32_t i = 0; i < THREADS; i++)
    passed += prof_channel_drain(&pump.channels[i], &pump.source, i, PROF_CHANNEL_LEFT);
  return passed;
}

static void needs_processors(void) {
  if (prof_hands_most() < 2)
    skip();
}

static void full_rings_are_read(void **state) {
  (void)state;
  needs_processors();
  const uint64_t each = (uint64_t)SEGMENTS * played_per_segment(&region);
  write_segments();
  assert_int_equal(prof_crew_read(&pump, PROF_CHANNEL_LEFT), (THREADS - 1) * each);
  for (uint32_t i = 0; i < THREADS; i++) {
    bool full = i + 1 < THREADS;
    assert_int_equal(events_of(i), full ? each : 0);
    assert_int_equal(pump.channels[i].is_read, full);
    assert_int_equal(played_record(&threads[i])->released, full ? SEGMENTS : 0);
  }
  assert_int_equal(read_alone(), 2 * (uint64_t)played_per_segment(&region));
}

/* Steps of all chunks; those of a thread are in its order. */
static uint64_t sum_of_chunks(void) {
  prof_trace *trace;
  struct prof_chunk chunk = {0};
  uint64_t steps = 0, last[THREADS] = {0};
  size_t count;
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, &count);
  for (size_t i = 0; i < count; i++) {
    struct prof_cursor cursor;
    struct prof_step step;
    assert_in_range(chunks[i].thread, 0, THREADS - 1);
    assert_int_equal(prof_chunk_load(trace, i, NULL, &chunk), PROF_OK);
    prof_cursor_begin(&cursor, &chunk);
    for (; prof_cursor_next(&cursor, &step); steps++) {
      assert_true(step.time > last[chunks[i].thread]);
      last[chunks[i].thread] = step.time;
    }
  }
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
  return steps;
}

/* Many chunks of several threads, packed at the same time, are whole and in order. */
static void chunks_are_whole(void **state) {
  (void)state;
  needs_processors();
  struct prof_channel_sums sums = {0};
  uint64_t events = 0;
  for (int turn = 0; turn < DEEP; turn++) {
    write_segments();
    events += prof_crew_read(&pump, PROF_CHANNEL_LEFT) + read_alone();
  }
  for (uint32_t i = 0; i < THREADS; i++)
    prof_channel_close(&pump.channels[i], &pump.source, i, true, (struct prof_sampling_end){0}, &sums);
  assert_int_equal(sums.events, events);
  assert_int_equal(sums.calls, events / 2);
  assert_int_equal(sums.unmatched + sums.torn + sums.inversions, 0);

  assert_int_equal(sum_of_chunks(), events);
}

/* A record of the log may name what the events are about, so it is taken before them, by the pump. */
static void news_stop_the_hands(void **state) {
  (void)state;
  needs_processors();
  write_segments();
  region.control->log_tail = 64;
  assert_int_equal(prof_crew_read(&pump, PROF_CHANNEL_LEFT), 0);
  assert_false(pump.room.exhausted);
  for (uint32_t i = 0; i < THREADS; i++)
    assert_false(pump.channels[i].is_read);
  assert_int_equal(read_alone(), ((THREADS - 1) * (uint64_t)SEGMENTS + 2) * played_per_segment(&region));
}

static void little_room_is_for_one(void **state) {
  (void)state;
  write_segments();
  pump.room.bytes = 1 << 20;
  assert_int_equal(prof_crew_read(&pump, PROF_CHANNEL_LEFT), 0);
  assert_int_equal(pump.room.bytes, 1 << 20);
}

static void triggers_are_for_one(void **state) {
  (void)state;
  const char *const function[] = {"f"};
  const struct prof_kept_wish wish = {.patterns = {[PROF_KEPT_STOP] = {function, 1}}};
  write_segments();
  pump.kept.wish = &wish;
  assert_int_equal(prof_crew_read(&pump, PROF_CHANNEL_LEFT), 0);
}

static void one_full_ring_is_for_one(void **state) {
  (void)state;
  for (int i = 0; i < SEGMENTS; i++) {
    played_fill(&threads[0], threads[0].current, 0, played_per_segment(&region));
    played_next(&threads[0]);
  }
  assert_int_equal(prof_crew_read(&pump, PROF_CHANNEL_LEFT), 0);
}

/* Before a cut all rings are read up to one moment, also that of a thread that has ended. */
static void one_moment_for_all(void **state) {
  (void)state;
  enum { BEFORE = 100 };
  write_segments();
  pump.source.until_ticks = threads[0].ticks - (uint64_t)SEGMENTS * played_per_segment(&region) + BEFORE + 1;
  played_record(&threads[1])->state = PROF_THREAD_ENDED;
  prof_crew_read(&pump, PROF_CHANNEL_WHOLE);
  for (uint32_t i = 0; i < THREADS; i++) {
    prof_pump_read_ring(&pump, i, PROF_CHANNEL_WHOLE);
    assert_int_equal(events_of(i), BEFORE);
    assert_int_equal(played_record(&threads[i])->released, 0);
  }
  pump.source.until_ticks = 0;
  played_record(&threads[1])->state = PROF_THREAD_LIVE;
  read_alone();
  assert_int_equal(events_of(1), (uint64_t)SEGMENTS * played_per_segment(&region));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      CASE(full_rings_are_read),    CASE(chunks_are_whole),     CASE(news_stop_the_hands),
      CASE(little_room_is_for_one), CASE(triggers_are_for_one), CASE(one_full_ring_is_for_one),
      CASE(one_moment_for_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
