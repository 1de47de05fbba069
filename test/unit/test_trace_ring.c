/*
 * test/unit/test_trace_ring.c - a recording whose latest part is held in memory: what snapshots have, what is dropped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trace/write/write_part.h"
#include "trace/write/write_ring.h"
#include "trace/write/write_samples.h"
#include "trace_folder.h"

static prof_writer *writer;

static int begin(void **state) {
  (void)state;
  const struct prof_writer_options options = {.start_realtime_ns = 7, .begin_ns = 100, .id = {1, 2, 3}};
  return prof_writer_open_ring(&options, NULL, &writer) == PROF_OK ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  if (writer != NULL)
    (void)!prof_writer_close(writer, NULL);
  writer = NULL;
  return 0;
}

static void put_process(uint32_t process) {
  assert_int_equal(prof_writer_process(writer, &(struct prof_process_record){.process = process, .pid = 100 + process}),
                   PROF_OK);
  const struct prof_module_record module = {.module = process, .path = prof_span("/m")};
  assert_int_equal(prof_writer_module(writer, &module), PROF_OK);
}

/* A note stands for what only its lap has; PART for where the lap begins. */
static void put_lap(uint64_t begin_ticks, const char *note) {
  const struct prof_part part = {begin_ticks, UINT64_MAX, NULL, 0};
  assert_int_equal(prof_writer_part(writer, &part), PROF_OK);
  assert_int_equal(prof_writer_note(writer, &(struct prof_note_record){.text = prof_span(note)}), PROF_OK);
}

static void next(uint64_t now_ns, uint64_t keep_bytes, uint64_t keep_ns) {
  assert_int_equal(prof_writer_next_lap(writer, now_ns, keep_bytes, keep_ns), PROF_OK);
}

static prof_trace *write_and_open(struct prof_snapshot *snapshot, struct trace_folder *folder) {
  struct prof_end_record record = {.reason = 6, .wall_ns = 5};
  uint64_t bytes;
  prof_trace *trace;
  trace_folder_make(folder);
  assert_int_equal(prof_snapshot_write(snapshot, folder->path, &record, NULL, &bytes), PROF_OK);
  prof_snapshot_free(snapshot);
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  struct prof_damage damage;
  size_t lacking;
  prof_trace_damage(trace, &damage);
  (void)prof_trace_lacking(trace, &lacking);
  assert_true(damage.chunks_damaged == 0 && damage.bytes_skipped == 0 && lacking == 0);
  assert_true(prof_trace_info(trace)->complete && prof_trace_info(trace)->end_reason == 6);
  assert_true(prof_trace_info(trace)->file_bytes == bytes && prof_trace_info(trace)->start_realtime_ns == 7);
  return trace;
}

static void finish(prof_trace *trace, struct trace_folder *folder) {
  prof_trace_close(trace);
  trace_folder_remove(folder);
}

static struct prof_snapshot *take_since(uint64_t since_ns) {
  struct prof_snapshot *snapshot;
  assert_int_equal(prof_snapshot_take(writer, since_ns, NULL, &snapshot), PROF_OK);
  return snapshot;
}

static struct prof_snapshot *take(void) {
  return take_since(0);
}

static void check_notes(const prof_trace *trace, const char *wanted) {
  char found[16] = "";
  size_t count;
  const char *const *notes = prof_trace_notes(trace, &count);
  for (size_t i = 0; i < count; i++)
    strcat(found, notes[i]);
  assert_string_equal(found, wanted);
}

/* The writer goes on, and is closed, before the snapshot is written. */
static void it_has_the_laps_that_ended(void **state) {
  (void)state;
  struct trace_folder folder;
  put_process(1);
  put_lap(1000, "a");
  next(200, 0, 0);
  put_lap(2000, "b");
  put_process(2);
  next(300, 0, 0);
  put_lap(3000, "c");
  struct prof_snapshot *snapshot = take();
  assert_int_equal(prof_snapshot_begin_ns(snapshot), 100);
  put_lap(4000, "d");
  next(400, 1, 0); /* drops all others */
  (void)!prof_writer_close(writer, NULL);
  writer = NULL;
  prof_trace *trace = write_and_open(snapshot, &folder);
  check_notes(trace, "ab");
  assert_int_equal(prof_trace_part(trace)->begin_ticks, 1000);
  size_t count;
  (void)prof_trace_processes(trace, &count);
  assert_int_equal(count, 2);
  (void)prof_trace_modules(trace, &count); /* each once */
  assert_int_equal(count, 2);
  finish(trace, &folder);
}

static void old_laps_are_dropped(void **state) {
  (void)state;
  struct trace_folder folder;
  put_lap(1000, "a");
  next(200, 0, 150); /* ended at 200: until 350 */
  put_lap(2000, "b");
  next(300, 0, 150);
  put_lap(3000, "c");
  next(351, 0, 150);
  prof_trace *trace = write_and_open(take(), &folder);
  check_notes(trace, "bc");
  assert_int_equal(prof_trace_part(trace)->begin_ticks, 2000);
  finish(trace, &folder);
}

/* Those that ended later, with all facts; the others stay for the next one. */
static void only_the_last_laps(void **state) {
  (void)state;
  struct trace_folder folder;
  put_process(1);
  put_lap(1000, "a");
  next(200, 0, 0);
  put_lap(2000, "b");
  next(300, 0, 0);
  put_lap(3000, "c");
  next(400, 0, 0);
  prof_trace *trace = write_and_open(take_since(300), &folder);
  size_t processes;
  check_notes(trace, "bc");
  assert_int_equal(prof_trace_part(trace)->begin_ticks, 2000);
  prof_trace_processes(trace, &processes);
  assert_int_equal(processes, 1);
  finish(trace, &folder);
  trace = write_and_open(take(), &folder);
  check_notes(trace, "abc");
  finish(trace, &folder);
}

static void large_ones_are_dropped(void **state) {
  (void)state;
  struct trace_folder folder;
  put_lap(1000, "a");
  uint64_t each = prof_writer_lap_bytes(writer);
  for (int lap = 1; lap < 5; lap++) {
    next(100u + 100u * (unsigned)lap, 3 * each, 0);
    assert_int_equal(prof_writer_lap_bytes(writer), 0);
    put_lap(1000u + 1000u * (unsigned)lap, (const char[]){(char)('a' + lap), 0});
  }
  next(900, 3 * each, 0);
  prof_trace *trace = write_and_open(take(), &folder);
  check_notes(trace, "cde");
  finish(trace, &folder);
}

/* Facts of a process that is over stay as long as a lap may have its events. */
static void facts_stay_with_their_laps(void **state) {
  (void)state;
  struct trace_folder folder;
  size_t count, at_last = 0;
  put_process(1);
  put_process(2);
  put_lap(1000, "a");
  prof_writer_process_over(writer, 1);
  for (uint64_t lap = 1; lap < 6; lap++) {
    next(100 + 100 * lap, 0, 150);
    put_lap(1000 + 1000 * lap, "x");
    prof_trace *trace = write_and_open(take(), &folder);
    (void)prof_trace_processes(trace, &at_last);
    const char *const *notes = prof_trace_notes(trace, &count);
    if (count > 0 && notes[0][0] == 'a')
      assert_int_equal(at_last, 2);
    finish(trace, &folder);
  }
  assert_int_equal(at_last, 1);
}

static void a_place_that_is_taken_is_an_error(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_end_record record = {.reason = 6};
  uint64_t bytes;
  trace_folder_make(&folder);
  trace_folder_write(&folder, "mine", 4);
  put_lap(1000, "a");
  next(200, 0, 0);
  struct prof_snapshot *snapshot = take();
  assert_int_equal(prof_snapshot_write(snapshot, folder.path, &record, NULL, &bytes), PROF_USAGE);
  prof_snapshot_free(snapshot);
  assert_int_equal(prof_writer_error(writer, NULL), PROF_OK); /* the recording goes on */
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(it_has_the_laps_that_ended, begin, end),
      cmocka_unit_test_setup_teardown(old_laps_are_dropped, begin, end),
      cmocka_unit_test_setup_teardown(only_the_last_laps, begin, end),
      cmocka_unit_test_setup_teardown(large_ones_are_dropped, begin, end),
      cmocka_unit_test_setup_teardown(facts_stay_with_their_laps, begin, end),
      cmocka_unit_test_setup_teardown(a_place_that_is_taken_is_an_error, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
