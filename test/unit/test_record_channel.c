/*
 * test_record_channel.c - reading a thread's chain of segments: whole ones, holes, late slots, chains that lead
 * nowhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "played_thread.h"
#include "record/region/channel.h"
#include "trace_folder.h"

#define LATER_NS 1000000000u
enum { RECORD = 3, NUMBER = 1 };

static struct prof_region region;
static struct trace_folder folder;
static prof_writer *writer;
static prof_packer *packer;
static struct prof_channel channel;
static struct prof_channel_sums sums;
static struct prof_channel_source source;
static struct prof_sampling sampling;
static const struct prof_sampling_end not_known;
static struct played_thread thread;
static uint32_t caught_up;

static struct prof_site_map catch_up(void *context) {
  static const uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 1, 1};
  (void)context;
  caught_up++;
  return (struct prof_site_map){functions, 3};
}

static struct prof_thread *record(void) {
  return played_record(&thread);
}

static struct prof_event *slot(uint32_t segment, uint32_t index) {
  return played_slot(&thread, segment, index);
}

static void fill(uint32_t from, uint32_t to) {
  played_fill(&thread, thread.current, from, to);
}

static uint32_t per_segment(void) {
  return played_per_segment(&region);
}

static uint32_t free_segments(void) {
  uint32_t count = 0;
  for (uint32_t number = (uint32_t)region.control->free_head; number != 0;
       number = prof_region_segment(&region, number)->next) {
    for (uint32_t i = 0; i < region.slots; i++)
      assert_int_equal(slot(number, i)->time, 0);
    count++;
  }
  return count;
}

static void drain(enum prof_channel_depth depth, uint64_t now_ns) {
  source.now_ns = now_ns;
  prof_channel_drain(&channel, &source, RECORD, depth);
}

static uint64_t taken_events(void) {
  struct prof_matcher_figures figures;
  prof_matcher_figures(channel.matcher, &figures);
  return figures.events;
}

static int setup(void **state) {
  (void)state;
  struct prof_diag diag;
  caught_up = 0;
  sums = (struct prof_channel_sums){0};
  trace_folder_make(&folder);
  if (prof_region_create(&region, 1 << 20, PROF_WHEN_FULL_WAIT, &diag) != PROF_OK ||
      prof_writer_open(folder.path, NULL, &diag, &writer) != PROF_OK || (packer = prof_packer_new(writer)) == NULL)
    return -1;
  source = (struct prof_channel_source){
      .region = &region, .writer = writer, .sampling = &sampling, .now_ns = 1, .catch_up = catch_up};
  played_begin(&thread, &region, RECORD);
  return prof_channel_open(&channel, &source, RECORD, NUMBER, packer) ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  struct prof_diag diag;
  if (channel.number != 0)
    prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  prof_packer_free(packer);
  prof_status status = prof_writer_close(writer, &diag);
  prof_region_destroy(&region);
  trace_folder_remove(&folder);
  return status == PROF_OK ? 0 : -1;
}

static void whole_segments(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    fill(0, per_segment());
    played_next(&thread);
  }
  fill(0, 10);
  drain(PROF_CHANNEL_LEFT, 1);
  assert_int_equal(taken_events(), 3 * per_segment());
  assert_int_equal(free_segments(), 3);
  assert_int_equal(record()->released, 3);
  drain(PROF_CHANNEL_WHOLE, 2);
  assert_int_equal(taken_events(), 3 * per_segment() + 10);
  fill(10, 12);
  drain(PROF_CHANNEL_WHOLE, 3);
  assert_int_equal(taken_events(), 3 * per_segment() + 12);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.events, 3 * per_segment() + 12);
  assert_int_equal(sums.calls, sums.events / 2);
  assert_int_equal(sums.torn, 0);
  assert_int_equal(free_segments(), 4);
  assert_int_equal(record()->state, PROF_THREAD_FREE);
  assert_int_equal(record()->taken, record()->released);
}

/* An entry in the last slot with its frame in the slack. */
static void slack(void **state) {
  (void)state;
  fill(0, per_segment() + 1);
  slot(thread.current, per_segment())->what = prof_event_what(1, PROF_EVENT_FRAME);
  played_next(&thread);
  fill(1, 2);
  slot(thread.current, 0)->what = prof_event_what(2, PROF_EVENT_EXIT);
  slot(thread.current, 0)->time = ++thread.ticks;
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(free_segments(), 1);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.torn, 0);
}

/* Slots behind the end that the thread reserved before it left: the reader waits for them. */
static void over(void **state) {
  (void)state;
  fill(0, per_segment() + 2);
  struct prof_event late[2] = {*slot(thread.current, per_segment()), *slot(thread.current, per_segment() + 1)};
  slot(thread.current, per_segment())->time = 0;
  slot(thread.current, per_segment() + 1)->time = 0;
  uint32_t first = thread.current;
  prof_region_segment(&region, first)->over = 2;
  played_next(&thread);
  fill(0, 4);
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(taken_events(), per_segment());
  assert_int_equal(free_segments(), 0);
  *slot(first, per_segment()) = late[0];
  drain(PROF_CHANNEL_WHOLE, 2);
  assert_int_equal(taken_events(), per_segment() + 1);
  assert_int_equal(free_segments(), 0);
  *slot(first, per_segment() + 1) = late[1];
  drain(PROF_CHANNEL_WHOLE, 3);
  assert_int_equal(taken_events(), per_segment() + 6);
  assert_int_equal(free_segments(), 1);
  assert_int_equal(slot(first, per_segment() + 1)->time, 0); /* for the next one who takes the segment */
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.torn, 0);
}

/* A handler that doesn't come back leaves such a slot empty; a number that can't be is the program's. */
static void over_is_given_up(void **state) {
  (void)state;
  fill(0, per_segment());
  uint32_t first = thread.current;
  prof_region_segment(&region, first)->over = UINT32_MAX;
  played_next(&thread);
  fill(0, 4);
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(taken_events(), per_segment());
  drain(PROF_CHANNEL_WHOLE, 1 + LATER_NS);
  drain(PROF_CHANNEL_WHOLE, 1 + 2 * LATER_NS);
  assert_int_equal(taken_events(), per_segment() + 4);
  slot(first, per_segment() + PROF_SEGMENT_SLACK_SLOTS - 1)->time = 77;
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(free_segments(), 2);
  assert_int_equal(slot(first, per_segment() + PROF_SEGMENT_SLACK_SLOTS - 1)->time, 0);
}

/* Before a cut, events from its moment on stay in the ring, also in segments that were left. */
static void until(void **state) {
  (void)state;
  fill(0, per_segment());
  uint32_t first = thread.current;
  slot(first, 9)->what = prof_event_what(2, PROF_EVENT_VALUE); /* has no time */
  slot(first, 9)->time = PROF_EVENT_VALUE_BIT | 5;
  source.until_ticks = slot(first, 20)->time;
  played_next(&thread);
  fill(0, 4);
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(slot(first, 19)->time, 0);
  assert_int_not_equal(slot(first, 20)->time, 0);
  drain(PROF_CHANNEL_WHOLE, 1 + LATER_NS); /* it is no hole */
  drain(PROF_CHANNEL_LAST, 1 + 2 * LATER_NS);
  assert_int_not_equal(slot(first, 20)->time, 0);
  assert_int_equal(free_segments(), 0);
  source.until_ticks = slot(thread.current, 2)->time;
  drain(PROF_CHANNEL_WHOLE, 1 + 3 * LATER_NS);
  assert_int_equal(free_segments(), 1);
  assert_int_equal(slot(thread.current, 1)->time, 0);
  assert_int_not_equal(slot(thread.current, 2)->time, 0);
  source.until_ticks = 0;
  drain(PROF_CHANNEL_WHOLE, 1 + 4 * LATER_NS);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.torn, 0);
}

/* The log is read after the slots were seen and before they are decoded. */
static void catches_up_before_reading(void **state) {
  (void)state;
  fill(0, 2);
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_true(caught_up > 0);
}

static void hole_is_filled_in_time(void **state) {
  (void)state;
  fill(0, per_segment());
  struct prof_event late = *slot(thread.current, 5);
  slot(thread.current, 5)->time = 0;
  uint32_t first = thread.current;
  played_next(&thread);
  fill(0, 4);
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(taken_events(), 5);
  assert_int_equal(free_segments(), 0);
  *slot(first, 5) = late;
  drain(PROF_CHANNEL_WHOLE, 2);
  assert_int_equal(taken_events(), per_segment() + 4);
  assert_int_equal(free_segments(), 1);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.torn, 0);
}

static void hole_is_given_up(void **state) {
  (void)state;
  fill(0, per_segment());
  slot(thread.current, 5)->time = 0;
  uint32_t first = thread.current;
  played_next(&thread);
  fill(0, 4);
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(taken_events(), 5);
  drain(PROF_CHANNEL_WHOLE, 1 + LATER_NS);
  drain(PROF_CHANNEL_WHOLE, 1 + 2 * LATER_NS);
  assert_int_equal(taken_events(), per_segment() - 1 + 4);
  assert_int_equal(free_segments(), 0); /* kept: the slot may still be written */
  slot(first, 5)->what = 0xffffffff;
  slot(first, 5)->time = 77;
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.torn, 1);
  assert_int_equal(free_segments(), 2); /* and clean */
}

static void hole_in_the_current_segment(void **state) {
  (void)state;
  fill(0, 20);
  slot(thread.current, 7)->time = 0;
  slot(thread.current, 8)->time = 0;
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(taken_events(), 7);
  drain(PROF_CHANNEL_WHOLE, 1 + LATER_NS);
  assert_int_equal(taken_events(), 18);
  fill(20, 22);
  drain(PROF_CHANNEL_WHOLE, 2 + LATER_NS);
  assert_int_equal(taken_events(), 20);
}

/* A thread that was killed between reservation and commit. */
static void hole_at_the_end(void **state) {
  (void)state;
  fill(0, 9);
  slot(thread.current, 10)->what = 5;
  drain(PROF_CHANNEL_WHOLE, 1);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.events, 9);
}

static void chain_to_nowhere(void **state) {
  (void)state;
  static const uint32_t bad[] = {0xffffffff, 1u << 24};
  fill(0, per_segment());
  prof_region_segment(&region, thread.current)->next = bad[thread.ticks % 2];
  drain(PROF_CHANNEL_WHOLE, 1);
  drain(PROF_CHANNEL_WHOLE, 2);
  assert_true(channel.broken);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.events, per_segment());
}

/* A chain that a broken program has bent into a circle ends, too: emptied segments have no events. */
static void chain_in_a_circle(void **state) {
  (void)state;
  uint32_t first = thread.current;
  fill(0, per_segment());
  played_next(&thread);
  fill(0, per_segment());
  prof_region_segment(&region, thread.current)->next = first;
  for (uint64_t i = 1; i < 50; i++)
    drain(PROF_CHANNEL_WHOLE, i * LATER_NS);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_true(sums.events >= 2 * (uint64_t)per_segment());
}

/* Given back twice, a segment follows itself on the list of free ones: closing comes to an end all the same. */
static void free_list_in_a_circle(void **state) {
  (void)state;
  fill(0, per_segment());
  prof_region_give_back(&region, thread.current);
  prof_region_segment(&region, thread.current)->next = thread.current;
  drain(PROF_CHANNEL_LAST, 1);
  assert_true(channel.broken);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_true(sums.events >= per_segment());
}

static void waiting_events_are_flushed(void **state) {
  (void)state;
  fill(0, 6);
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(prof_encoder_waiting(channel.encoder), 6);
  source.now_ns = LATER_NS;
  prof_channel_flush_old(&channel, &source, RECORD, 0); /* not old enough */
  assert_int_equal(prof_encoder_waiting(channel.encoder), 6);
  prof_channel_flush_old(&channel, &source, RECORD, LATER_NS / 2);
  assert_int_equal(prof_encoder_waiting(channel.encoder), 0);
  assert_int_equal(prof_writer_events(writer), 6);
}

static void the_rest_is_not_wanted(void **state) {
  (void)state;
  fill(0, 6);
  drain(PROF_CHANNEL_WHOLE, 1);
  fill(6, 12);
  source.reading_ended = true;
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.events, 6);
}

static void end_after(uint32_t events, bool has_frames, uint64_t written) {
  const struct prof_sampling_end end = {.ticks = 5000, .cpu_ns = 700};
  fill(0, events);
  drain(PROF_CHANNEL_WHOLE, 1);
  assert_int_equal(prof_channel_has_frames(&channel), has_frames);
  prof_channel_close(&channel, &source, RECORD, true, end, &sums);
  assert_int_equal(sums.events, written);
}

/* Frames that are open at the thread's end are left then. */
static void ends_within_frames(void **state) {
  (void)state;
  end_after(3, true, 4);
}

static void ends_without_frames(void **state) {
  (void)state;
  end_after(2, false, 2);
}

static void end_is_not_known(void **state) {
  (void)state;
  fill(0, 3);
  prof_channel_close(&channel, &source, RECORD, true, not_known, &sums);
  assert_int_equal(sums.events, 3);
}

/* A segment that its thread uses a part of ends there. */
static void parts_of_segments(void **state) {
  (void)state;
  enum { PART = 100 };
  for (int i = 0; i < 3; i++) {
    prof_region_segment(&region, thread.current)->slots = PART;
    fill(0, PART);
    played_next(&thread);
  }
  prof_region_segment(&region, thread.current)->slots = 0; /* all of it */
  fill(0, 10);
  drain(PROF_CHANNEL_LEFT, 1);
  assert_int_equal(taken_events(), 3 * PART);
  assert_int_equal(record()->released, 3);
  prof_region_segment(&region, thread.current)->slots = 4; /* less than it has read: the program has written over it */
  drain(PROF_CHANNEL_WHOLE, 2);
  assert_int_equal(taken_events(), 3 * PART + 5);
  prof_region_segment(&region, thread.current)->slots = 1;
  drain(PROF_CHANNEL_WHOLE, 3);
  assert_int_equal(taken_events(), 3 * PART + 5);
}

static uint64_t region_bytes(void) {
  struct stat status;
  assert_int_equal(fstat(region.fd, &status), 0);
  return (uint64_t)status.st_blocks * 512;
}

/* Free segments are cut back at once, others when they are given back. */
static void segments_are_cut_back(void **state) {
  (void)state;
  enum { COUNT = 8 };
  uint64_t before = region_bytes();
  for (int i = 0; i < COUNT; i++) {
    fill(0, per_segment());
    played_next(&thread);
  }
  assert_true(region_bytes() >= before + (COUNT - 1) * PROF_REGION_SEGMENT_BYTES);
  drain(PROF_CHANNEL_LEFT, 1);
  fill(0, per_segment());
  prof_region_use_part(&region, PROF_SEGMENT_FIRST_BYTES);
  assert_true(region_bytes() <= before + PROF_REGION_SEGMENT_BYTES + COUNT * PROF_SEGMENT_FIRST_BYTES);
  assert_int_equal(region.control->segment_slots, prof_segment_part_slots(PROF_SEGMENT_FIRST_BYTES));
  played_next(&thread);
  drain(PROF_CHANNEL_LEFT, 2);
  assert_int_equal(taken_events(), (COUNT + 1) * per_segment());
  assert_true(region_bytes() <= before + (COUNT + 2) * PROF_SEGMENT_FIRST_BYTES);
  assert_int_equal(free_segments(), COUNT); /* last: looking at a page makes it */
}

/* Room for few slots: those are taken, the rest when there is more. */
static void as_far_as_there_is_room(void **state) {
  (void)state;
  struct prof_room room = {.bytes = 4000};
  source.room = &room;
  fill(0, per_segment());
  played_next(&thread);
  drain(PROF_CHANNEL_LEFT, 1);
  uint64_t first = taken_events();
  assert_true(room.exhausted);
  assert_true(first > 0 && first < per_segment());
  assert_int_equal(record()->released, 0);
  drain(PROF_CHANNEL_LEFT, 2);
  assert_int_equal(taken_events(), first);
  room = (struct prof_room){.bytes = 1 << 20};
  drain(PROF_CHANNEL_LEFT, 3);
  assert_false(room.exhausted);
  assert_int_equal(taken_events(), per_segment());
  assert_int_equal(record()->released, 1);
  source.room = NULL; /* the source outlives it */
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      CASE(whole_segments),
      CASE(slack),
      CASE(over),
      CASE(until),
      CASE(over_is_given_up),
      CASE(catches_up_before_reading),
      CASE(hole_is_filled_in_time),
      CASE(hole_is_given_up),
      CASE(hole_in_the_current_segment),
      CASE(hole_at_the_end),
      CASE(chain_to_nowhere),
      CASE(free_list_in_a_circle),
      CASE(chain_in_a_circle),
      CASE(waiting_events_are_flushed),
      CASE(the_rest_is_not_wanted),
      CASE(ends_within_frames),
      CASE(ends_without_frames),
      CASE(end_is_not_known),
      CASE(parts_of_segments),
      CASE(segments_are_cut_back),
      CASE(as_far_as_there_is_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
