/*
 * test_view_sketch.c - the first picture of a timeline holds long calls only, and each of them is one of the index.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model_case.h"
#include "viewer/span_index.h"
#include "viewer/span_sketch.h"

static struct case_events threads[2];

/* Calls of random lengths; a chunk each 40 events, so that some calls are open in several of them. */
static void fill(struct case_events *events, uint64_t seed) {
  uint32_t stack[8], depth = 0;
  case_clear(events);
  for (uint32_t i = 0; i < 4000; i++) {
    uint64_t random = case_random(&seed);
    if (depth == 0 || (depth < 8 && random % 2)) {
      stack[depth++] = (uint32_t)(random / 2 % CASE_FUNCTIONS);
      case_enter(events, 1 + random % 50, stack[depth - 1]);
    } else {
      case_exit(events, 1 + random % 50, stack[--depth]);
    }
    events->cut_before[events->count - 1] = i % 40 == 0 && i > 0;
  }
  while (depth > 0)
    case_exit(events, 5, stack[--depth]);
}

static struct prof_recording open_recording(const struct trace_folder *folder) {
  struct prof_recording recording;
  struct prof_recording_spec spec = {.path = folder->path, .range = {.end_ns = UINT64_MAX}, .time = PROF_TIME_ELAPSED};
  assert_int_equal(prof_recording_open(&recording, &spec, NULL), PROF_OK);
  return recording;
}

/* Each call is the beginning of one of the index; `lengths` gets the sum of their lengths. */
static size_t compare(const struct prof_span_index *sketch, const struct prof_span_index *index, uint64_t *lengths) {
  size_t calls = 0;
  for (size_t i = 0; i < sketch->lanes.items.count; i++) {
    const struct prof_lane *lane = &sketch->lanes.items.items[i];
    assert_int_equal(lane->cells.count, 0);
    for (size_t j = 0; j < lane->calls.count; j++) {
      const struct prof_lane_call *call = &lane->calls.items[j];
      const struct prof_lane_call *whole = prof_span_index_call(index, lane->thread, lane->depth, call->begin);
      assert_non_null(whole);
      assert_int_equal(whole->begin, call->begin);
      assert_int_equal(whole->frame, call->frame);
      assert_true(whole->length >= call->length);
      assert_true(call->flags & PROF_LANE_CUT_END);
      *lengths += call->length;
    }
    calls += lane->calls.count;
  }
  return calls;
}

static void calls_are_those_of_the_index(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_span_index sketch, index;
  fill(&threads[0], 7);
  fill(&threads[1], 8);
  case_write(&folder, threads, 2);
  struct prof_recording recording = open_recording(&folder);
  size_t chunks;
  prof_trace_chunks(recording.trace, &chunks);
  assert_true(chunks > 150);
  assert_int_equal(prof_span_sketch_make(&recording, NULL, &sketch), PROF_OK);
  assert_int_equal(prof_span_index_make(&recording, 1000000, NULL, NULL, &index), PROF_OK);
  assert_int_equal(index.lanes.shift, 0);
  uint64_t lengths = 0;
  size_t calls = compare(&sketch, &index, &lengths);
  assert_true(calls > 100 && calls < 4000);
  assert_true(lengths > 0);
  prof_span_index_fini(&sketch);
  prof_span_index_fini(&index);
  prof_recording_close(&recording);
  trace_folder_remove(&folder);
}

/* A call that is open at all chunks is one call, from its entry to the last of them. */
static void an_outer_call_is_one(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_span_index sketch;
  struct case_events *events = &threads[0];
  case_clear(events);
  case_enter(events, 10, 0);
  for (uint32_t i = 0; i < 100; i++) {
    case_enter(events, 5, 1);
    events->cut_before[events->count - 1] = i % 10 == 5;
    case_exit(events, 5, 1);
  }
  case_exit(events, 10, 0);
  case_write(&folder, threads, 1);
  struct prof_recording recording = open_recording(&folder);
  size_t chunks;
  const struct prof_chunk_ref *refs = prof_trace_chunks(recording.trace, &chunks);
  assert_int_equal(prof_span_sketch_make(&recording, NULL, &sketch), PROF_OK);
  assert_int_equal(sketch.lanes.items.count, 1); /* f1 is never open there */
  assert_int_equal(sketch.lanes.items.items[0].calls.count, 1);
  const struct prof_lane_call *call = &sketch.lanes.items.items[0].calls.items[0];
  assert_int_equal(call->begin, 10);
  assert_int_equal(call->begin + call->length, refs[chunks - 1].first_time - CASE_START);
  prof_span_index_fini(&sketch);
  prof_recording_close(&recording);

  case_damage(&folder, chunks / 2, false); /* a hole: the call is cut there, and begins anew after it */
  recording = open_recording(&folder);
  struct prof_damage before, damage;
  prof_trace_damage(recording.trace, &before);
  assert_int_equal(prof_span_sketch_make(&recording, NULL, &sketch), PROF_OK);
  assert_int_equal(sketch.lanes.items.count, 1);
  assert_int_equal(sketch.lanes.items.items[0].calls.count, 2);
  assert_int_equal(sketch.lanes.items.items[0].calls.items[0].flags, PROF_LANE_CUT_END);
  assert_int_equal(sketch.lanes.items.items[0].calls.items[1].flags, PROF_LANE_CUT_END | PROF_LANE_CUT_BEGIN);
  prof_trace_damage(recording.trace, &damage);
  assert_int_equal(damage.chunks_damaged, before.chunks_damaged); /* those who load the events count it */
  prof_span_index_fini(&sketch);
  prof_recording_close(&recording);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_are_those_of_the_index),
      cmocka_unit_test(an_outer_call_is_one),
  };
  return cmocka_run_group_tests_name("view_sketch", tests, NULL, NULL);
}
