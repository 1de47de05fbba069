/*
 * test/unit/test_trace_drain.c - single cases of the encoder: what happens at the edges of ring, stack and site table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "trace_folder.h"

struct single {
  struct trace_folder folder;
  prof_writer *writer;
  prof_packer *packer;
  prof_matcher *matcher;
};

static struct single begin_single(void) {
  struct single single;
  trace_folder_make(&single.folder);
  assert_int_equal(prof_writer_open(single.folder.path, NULL, NULL, &single.writer), PROF_OK);
  single.packer = prof_packer_new(single.writer);
  single.matcher = prof_matcher_new(single.packer, 1);
  assert_true(single.packer && single.matcher);
  return single;
}

static prof_trace *end_single(struct single *single, struct prof_matcher_figures *figures) {
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(single->matcher), true), PROF_OK);
  prof_matcher_figures(single->matcher, figures);
  prof_matcher_free(single->matcher);
  prof_packer_free(single->packer);
  assert_int_equal(prof_writer_close(single->writer, NULL), PROF_OK);
  prof_trace *trace;
  assert_int_equal(prof_trace_open(single->folder.path, NULL, &trace), PROF_OK);
  trace_folder_remove(&single->folder);
  return trace;
}

static const uint32_t two_functions[] = {PROF_MATCHER_NO_FUNCTION, 0, 0, 0, 1, 1, 1};
static const struct prof_site_map two = {two_functions, 7};

#define DEEP 100000u

static void frames_beyond_the_limit(void **state) {
  (void)state;
  struct single single = begin_single();
  uint64_t time = 1000;
  for (uint32_t i = 0; i < DEEP; i++) {
    struct prof_event event = {time++, prof_event_what(1, PROF_EVENT_ENTRY), 0};
    assert_int_equal(prof_matcher_drain(single.matcher, &event, 1, &two, false), 1);
  }
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(single.matcher), false), PROF_OK);
  for (uint32_t i = 0; i < DEEP; i++) {
    struct prof_event event = {time++, prof_event_what(2, PROF_EVENT_EXIT), 0};
    assert_int_equal(prof_matcher_drain(single.matcher, &event, 1, &two, false), 1);
  }
  struct prof_matcher_figures figures;
  prof_trace *trace = end_single(&single, &figures);
  assert_int_equal(figures.depth, 0);
  assert_int_equal(figures.unmatched + figures.skipped + figures.dropped, 0);
  assert_int_equal(figures.events, 2 * DEEP);
  assert_int_equal(figures.too_deep, DEEP - PROF_FORMAT_FRAME_LIMIT);
  struct prof_chunk chunk = {0};
  assert_int_equal(prof_chunk_load(trace, 1, NULL, &chunk), PROF_OK);
  assert_int_equal(chunk.frame_count, PROF_FORMAT_FRAME_LIMIT);
  assert_int_equal(chunk.frames_omitted, DEEP - PROF_FORMAT_FRAME_LIMIT);
  assert_int_equal(chunk.frames[PROF_FORMAT_FRAME_LIMIT - 1].entry, 1000 + PROF_FORMAT_FRAME_LIMIT - 1);
  assert_int_equal(prof_chunk_load_frames(trace, 1, NULL, &chunk), PROF_OK); /* more than is unpacked at first */
  assert_int_equal(chunk.frame_count, PROF_FORMAT_FRAME_LIMIT);
  assert_int_equal(chunk.frames[PROF_FORMAT_FRAME_LIMIT - 1].entry, 1000 + PROF_FORMAT_FRAME_LIMIT - 1);
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
}

static void slots_that_were_never_finished(void **state) {
  (void)state;
  struct single single = begin_single();
  struct prof_event slots[6] = {
      {10, prof_event_what(1, PROF_EVENT_ENTRY), 0},
      {0, prof_event_what(1, PROF_EVENT_ENTRY), 5}, /* begun, not committed */
      {0, 0, 0},
      {20, prof_event_what(2, PROF_EVENT_EXIT), 0},
      {0, 0, 0},
      {0, 0, 0},
  };
  assert_int_equal(prof_matcher_drain(single.matcher, slots, 6, &two, false), 1);
  assert_int_equal(slots[1].aux, 5); /* still its thread's */
  assert_int_equal(prof_matcher_drain(single.matcher, slots + 1, 5, &two, true), 5);
  for (int i = 0; i < 6; i++)
    assert_int_equal(slots[i].time | slots[i].what | slots[i].aux, 0);
  struct prof_matcher_figures figures;
  prof_trace *trace = end_single(&single, &figures);
  assert_int_equal(figures.torn, 2);
  assert_int_equal(figures.events, 2);
  assert_int_equal(figures.calls, 1);
  assert_int_equal(figures.first_ticks, 10);
  assert_int_equal(figures.last_ticks, 20);
  prof_trace_close(trace);
}

static void sites_without_a_function(void **state) {
  (void)state;
  struct single single = begin_single();
  struct prof_event slots[] = {
      {10, prof_event_what(1, PROF_EVENT_ENTRY), 0},
      {20, prof_event_what(900, PROF_EVENT_ENTRY), 0},
      {30, prof_event_what(901, PROF_EVENT_EXIT), 0}, /* another site, so perhaps another function */
      {40, prof_event_what(0, PROF_EVENT_EXIT), 0},
      {50, prof_event_what(2, PROF_EVENT_EXIT), 0},
      {60, prof_event_what(901, PROF_EVENT_EXIT), 0},
      {70, prof_event_what(1, 15), 0},
      {80, prof_event_what(1, 63), 0},
  };
  size_t count = sizeof slots / sizeof *slots;
  assert_int_equal(prof_matcher_drain(single.matcher, slots, count, &two, false), count);
  struct prof_matcher_figures figures;
  prof_trace *trace = end_single(&single, &figures);
  assert_int_equal(figures.unmatched, 3);
  assert_int_equal(figures.skipped, 1);
  assert_int_equal(figures.dropped, 2); /* kind 15, a sample that nobody takes, and one of a later version */
  assert_int_equal(figures.depth, 0);
  prof_trace_close(trace);
}

static void nothing_waiting_writes_nothing(void **state) {
  (void)state;
  struct single single = begin_single();
  uint64_t before = prof_writer_bytes(single.writer);
  struct prof_event slots[] = {{10, prof_event_what(1, PROF_EVENT_FRAME), 1}, {20, PROF_EVENT_STALL_END, 0}};
  assert_int_equal(prof_matcher_drain(single.matcher, slots, 2, &two, false), 2);
  assert_int_equal(prof_encoder_waiting(prof_matcher_encoder(single.matcher)), 0);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(single.matcher), false), PROF_OK);
  assert_int_equal(prof_writer_bytes(single.writer), before);
  struct prof_matcher_figures figures;
  prof_trace_close(end_single(&single, &figures));
  assert_int_equal(figures.chunks, 0);
}

/* Where sites 1 to 6 of two functions are. */
static const uint32_t addresses[] = {0, 0x100, 0x140, 0x150, 0x200, 0x240, 0x250};
static const struct prof_site_map placed = {two_functions, 7, addresses};
#define OUTER 1
#define INNER 4

/* The frames of the second chunk after a stop in OUTER, which called INNER; the event after it comes at 100. */
static uint32_t frames_after(struct prof_event after, bool paused, uint64_t *entry) {
  struct single single = begin_single();
  struct prof_event slots[] = {{10, prof_event_what(OUTER, PROF_EVENT_ENTRY), 0},
                               {20, prof_event_what(INNER, PROF_EVENT_ENTRY), 0x120},
                               {30, PROF_EVENT_STOP, paused ? PROF_EVENT_STOP_PAUSE : 0},
                               after,
                               {110, prof_event_what(OUTER + 1, PROF_EVENT_EXIT), 0}};
  assert_int_equal(prof_matcher_drain(single.matcher, slots, 5, &placed, false), 5);
  struct prof_matcher_figures figures;
  prof_trace *trace = end_single(&single, &figures);
  size_t count;
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, &count);
  uint32_t frames = 0;
  if (count > 1) {
    struct prof_chunk chunk = {0};
    assert_true(refs[1].flags & PROF_CHUNK_RESUMED);
    assert_int_equal(prof_chunk_load(trace, 1, NULL, &chunk), PROF_OK);
    frames = chunk.frame_count;
    *entry = chunk.frames[0].entry;
    prof_chunk_free(&chunk);
  }
  prof_trace_close(trace);
  return frames;
}

/* Which frames are open after prof_stop and prof_start, the first event tells. */
static void frames_after_a_pause(void **state) {
  (void)state;
  uint64_t entry = 0;
  assert_int_equal(
      frames_after((struct prof_event){100, prof_event_what(INNER, PROF_EVENT_ENTRY), 0x130}, true, &entry), 1);
  assert_int_equal(entry, 99);
  assert_int_equal(
      frames_after((struct prof_event){100, prof_event_what(INNER, PROF_EVENT_ENTRY), 0x230}, true, &entry), 2);
  assert_int_equal(
      frames_after((struct prof_event){100, prof_event_what(INNER, PROF_EVENT_ENTRY), 0x930}, true, &entry), 2);
  assert_int_equal(frames_after((struct prof_event){100, prof_event_what(INNER + 1, PROF_EVENT_EXIT), 0}, true, &entry),
                   2);
  assert_int_equal(frames_after((struct prof_event){100, prof_event_what(OUTER + 1, PROF_EVENT_EXIT), 0}, true, &entry),
                   1);
  assert_int_equal(frames_after((struct prof_event){100, prof_event_what(900, PROF_EVENT_EXIT), 0}, true, &entry), 1);
  assert_int_equal(entry, 109); /* the exit after it told */
  assert_int_equal(
      frames_after((struct prof_event){100, prof_event_what(INNER, PROF_EVENT_ENTRY), 0x130}, false, &entry), 0);
}

/* Exits of calls that were entered while recording was off are no faults, but those within later calls are. */
static void exits_after_a_pause(void **state) {
  (void)state;
  const struct prof_event first = {10, prof_event_what(OUTER, PROF_EVENT_ENTRY), 0},
                          of_inner = {50, prof_event_what(INNER + 1, PROF_EVENT_EXIT), 0},
                          outer_again = {60, prof_event_what(OUTER, PROF_EVENT_ENTRY), 0x120};
  for (int paused = 0; paused < 2; paused++) {
    const struct prof_event stop = {30, PROF_EVENT_STOP, paused ? PROF_EVENT_STOP_PAUSE : 0};
    struct single single = begin_single();
    struct prof_event slots[] = {
        first, stop, of_inner, outer_again, of_inner, {70, prof_event_what(OUTER + 1, PROF_EVENT_EXIT), 0}, of_inner};
    for (uint32_t i = 4; i < 7; i++)
      slots[i].time = 60 + 5 * i;
    assert_int_equal(prof_matcher_drain(single.matcher, slots, 7, &placed, false), 7);
    struct prof_matcher_figures figures;
    prof_trace_close(end_single(&single, &figures));
    assert_int_equal(figures.unmatched, paused ? 1 : 3);
  }
}

static bool is_inner(void *context, uint32_t site, uint32_t function) {
  return context == &placed && function == placed.functions[INNER] && site == INNER + 1;
}

/* A call of a function that was off when it was entered, and is on when it ends. */
static void exits_of_what_was_off(void **state) {
  (void)state;
  struct single single = begin_single();
  prof_matcher_excuse(single.matcher, is_inner, (void *)&placed);
  struct prof_event slots[] = {{10, prof_event_what(OUTER, PROF_EVENT_ENTRY), 0},
                               {20, prof_event_what(INNER + 1, PROF_EVENT_EXIT), 0},
                               {30, prof_event_what(OUTER + 1, PROF_EVENT_EXIT), 0},
                               {40, prof_event_what(OUTER + 1, PROF_EVENT_EXIT), 0}};
  assert_int_equal(prof_matcher_drain(single.matcher, slots, 4, &placed, false), 4);
  struct prof_matcher_figures figures;
  prof_trace_close(end_single(&single, &figures));
  assert_int_equal(figures.unmatched, 1); /* the last one */
  assert_int_equal(figures.events, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_beyond_the_limit),  cmocka_unit_test(slots_that_were_never_finished),
      cmocka_unit_test(sites_without_a_function), cmocka_unit_test(nothing_waiting_writes_nothing),
      cmocka_unit_test(frames_after_a_pause),     cmocka_unit_test(exits_after_a_pause),
      cmocka_unit_test(exits_of_what_was_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
