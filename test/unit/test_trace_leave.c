/*
 * test_trace_leave.c - functions that are recorded no longer: frames are cut at a time; landings in functions without
 * frames; entries that show which frames are gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "trace_folder.h"

enum { GONE = 2 };
/* Sites 1, 2: entry, exit of function 1; 3, 4 of 2; 5, 6 of 3; 7, 8: of loop 4. */
static const uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 1, 1, 2, 2, 3, 3, 4, 4};
static const struct prof_site_map map = {functions, 9, NULL};

static struct trace_folder folder;
static prof_writer *writer;
static prof_packer *packer;
static prof_matcher *matcher;

static int begin(void **state) {
  (void)state;
  trace_folder_make(&folder);
  if (prof_writer_open(folder.path, NULL, NULL, &writer) != PROF_OK)
    return -1;
  packer = prof_packer_new(writer);
  matcher = prof_matcher_new(packer, 1);
  return 0;
}

static int end(void **state) {
  (void)state;
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  if (writer)
    (void)!prof_writer_close(writer, NULL);
  trace_folder_remove(&folder);
  return 0;
}

static void take(uint64_t time, uint32_t site, uint32_t kind, uint32_t aux) {
  struct prof_event event = {time, prof_event_what(site, kind), aux};
  assert_int_equal(prof_matcher_drain(matcher, &event, 1, &map, false), 1);
}

static bool is_gone(void *context, uint32_t function) {
  (*(int *)context)++;
  return function == GONE;
}

static struct prof_matcher_figures figures(void) {
  struct prof_matcher_figures now;
  prof_matcher_figures(matcher, &now);
  return now;
}

static void frames_of_others_go_on(void **state) {
  (void)state;
  int asked = 0;
  take(10, 1, PROF_EVENT_ENTRY, 100);
  take(20, 3, PROF_EVENT_ENTRY, 101);
  take(30, 5, PROF_EVENT_ENTRY, 102);
  prof_matcher_leave(matcher, 40, is_gone, &asked);
  assert_true(asked > 0);
  assert_int_equal(figures().depth, 2);
  take(50, 6, PROF_EVENT_EXIT, 0);
  take(60, 2, PROF_EVENT_EXIT, 0);
  struct prof_matcher_figures last = figures();
  assert_int_equal(last.unmatched + last.skipped + last.dropped + last.depth, 0);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  assert_int_equal(figures().calls, 3); /* no call twice */
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  prof_trace *trace;
  struct prof_chunk chunk = {0};
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  assert_int_equal(prof_chunk_load(trace, 1, NULL, &chunk), PROF_OK);
  assert_int_equal(chunk.frame_count, 2);
  assert_int_equal(chunk.frames[0].entry, 40);
  assert_int_equal(chunk.frames[1].entry, 40);
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
  writer = NULL;
}

static void nothing_happens_without_such_frames(void **state) {
  (void)state;
  int asked = 0;
  prof_matcher_leave(matcher, 5, is_gone, &asked);
  take(10, 1, PROF_EVENT_ENTRY, 100);
  prof_matcher_leave(matcher, 40, is_gone, &asked);
  assert_int_equal(figures().events, 1);
  assert_int_equal(figures().chunks, 0);
}

static void a_stack_may_vanish_whole(void **state) {
  (void)state;
  int asked = 0;
  take(10, 3, PROF_EVENT_ENTRY, 100);
  prof_matcher_leave(matcher, 5, is_gone, &asked); /* earlier than the last event: no step back */
  assert_int_equal(figures().depth, 0);
  assert_int_equal(figures().inversions, 0);
  take(20, 1, PROF_EVENT_ENTRY, 100);
  assert_int_equal(figures().depth, 1);
}

static void frames_while_paused(void **state) {
  (void)state;
  int asked = 0;
  take(10, 1, PROF_EVENT_ENTRY, 100);
  take(20, 3, PROF_EVENT_ENTRY, 101);
  take(30, 0, PROF_EVENT_STOP, PROF_EVENT_STOP_PAUSE);
  prof_matcher_leave(matcher, 40, is_gone, &asked);
  take(50, 2, PROF_EVENT_EXIT, 0); /* function 1's frame goes on, and ends */
  assert_int_equal(figures().depth, 0);
  assert_int_equal(figures().unmatched + figures().skipped, 0);
}

static void entry_at(uint64_t time, uint32_t site, uint32_t address) {
  take(time, site, PROF_EVENT_ENTRY, 100);
  take(time, site, PROF_EVENT_FRAME, address);
}

static void landings_without_a_frame(void **state) {
  (void)state;
  entry_at(10, 1, 0x7000);
  take(11, 7, PROF_EVENT_LOOP_ENTRY, 0);
  entry_at(20, 3, 0x6000);
  entry_at(30, 5, 0x5000);
  take(40, 0, PROF_EVENT_LANDED, 0x4000); /* below all */
  assert_int_equal(figures().depth, 4);
  take(50, 0, PROF_EVENT_LANDED, 0x6800);
  assert_int_equal(figures().depth, 2); /* function 1 and its loop */
  assert_int_equal(figures().unmatched, 0);
  take(60, 0, PROF_EVENT_LANDED, 0); /* tells nothing */
  take(70, 8, PROF_EVENT_LOOP_EXIT, 0);
  take(80, 2, PROF_EVENT_EXIT, 0);
  assert_int_equal(figures().depth, 0);
}

static void entries_show_what_is_gone(void **state) {
  (void)state;
  prof_matcher_heal(matcher);
  for (int i = 0; i < 100; i++) {
    take(100 + 10u * (unsigned)i, 1, PROF_EVENT_STACK, 0x7000);
    take(101 + 10u * (unsigned)i, 1, PROF_EVENT_ENTRY, 100);
    take(102 + 10u * (unsigned)i, 7, PROF_EVENT_LOOP_ENTRY, 0); /* its address isn't known */
  }
  assert_int_equal(figures().depth, 2);
  take(5000, 3, PROF_EVENT_STACK, 0x6000);
  take(5001, 3, PROF_EVENT_ENTRY, 100);
  assert_int_equal(figures().depth, 3);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(frames_of_others_go_on),   CASE(nothing_happens_without_such_frames),
      CASE(a_stack_may_vanish_whole), CASE(frames_while_paused),
      CASE(landings_without_a_frame), CASE(entries_show_what_is_gone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
