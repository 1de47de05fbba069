/*
 * test/unit/test_trace_bursts.c - STATES, WINDOWS, PATHS and RATES, written and read again; wrong ones are damaged
 * chunks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trace/write/write_bursts.h"
#include "trace/write/write_samples.h"
#include "trace_folder.h"

static prof_writer *begin(struct trace_folder *folder) {
  prof_writer *writer;
  trace_folder_make(folder);
  assert_int_equal(prof_writer_open(folder->path, NULL, NULL, &writer), PROF_OK);
  return writer;
}

static prof_trace *end(const struct trace_folder *folder, prof_writer *writer, uint64_t damaged) {
  prof_trace *trace;
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  assert_int_equal(damage.chunks_damaged, damaged);
  return trace;
}

static void finish(struct trace_folder *folder, prof_trace *trace) {
  prof_trace_close(trace);
  trace_folder_remove(folder);
}

static void states_come_by_time(void **state) {
  (void)state;
  static const struct prof_state_change late[] = {{900, 3, PROF_RECORD_ALWAYS}};
  static const struct prof_state_change early[] = {{100, 3, PROF_RECORD_BURST}, {100, 9, PROF_RECORD_OFF}};
  static const struct prof_state_change wrong[] = {{100, 4, PROF_RECORD_BURST}, {200, 3, PROF_RECORD_OFF + 1}};
  struct trace_folder folder;
  prof_writer *writer = begin(&folder);
  assert_int_equal(prof_writer_states(writer, late, 1), PROF_OK);
  assert_int_equal(prof_writer_states(writer, early, 2), PROF_OK);
  assert_int_equal(prof_writer_states(writer, wrong, 2), PROF_OK);
  prof_trace *trace = end(&folder, writer, 1);
  size_t count;
  const struct prof_state_change *got = prof_trace_states(trace, &count);
  assert_int_equal(count, 3);
  for (size_t i = 0; i < 3; i++) {
    const struct prof_state_change *wanted = i < 2 ? &early[i] : late;
    assert_true(got[i].time == wanted->time && got[i].site == wanted->site && got[i].state == wanted->state);
  }
  finish(&folder, trace);
}

static void rates_come_by_time(void **state) {
  (void)state;
  static const struct prof_rate_change late[] = {{900, PROF_RATE_USUAL}};
  static const struct prof_rate_change early[] = {{100, PROF_RATE_NONE, true}, {300, PROF_RATE_FAST}};
  static const struct prof_rate_change wrong[] = {{100, PROF_RATE_NONE}, {200, PROF_RATE_FAST + 1}};
  struct trace_folder folder;
  prof_writer *writer = begin(&folder);
  assert_int_equal(prof_writer_rates(writer, late, 1), PROF_OK);
  assert_int_equal(prof_writer_rates(writer, early, 2), PROF_OK);
  assert_int_equal(prof_writer_rates(writer, wrong, 2), PROF_OK);
  prof_trace *trace = end(&folder, writer, 1);
  size_t count;
  const struct prof_rate_change *got = prof_trace_rates(trace, &count);
  assert_int_equal(count, 3);
  for (size_t i = 0; i < 3; i++) {
    const struct prof_rate_change *wanted = i < 2 ? &early[i] : late;
    assert_true(got[i].time == wanted->time && got[i].rate == wanted->rate);
    assert_int_equal(got[i].lacks_switches, wanted->lacks_switches);
  }
  finish(&folder, trace);
}

static void paths_have_numbers(void **state) {
  (void)state;
  static const struct prof_path first[] = {{0x401000, 0}, {0x7fff00001234, 1}, {0x400fff, 1}}; /* 1 to 3 */
  static const struct prof_path later[] = {{UINT64_MAX, 3}, {0, 10}};                          /* 10 and 11 */
  static const struct prof_path wrong[] = {{0x10, 0}, {0x20, 14}};                             /* 12 and 13 */
  struct trace_folder folder;
  prof_writer *writer = begin(&folder);
  assert_int_equal(prof_writer_paths(writer, 10, later, 2), PROF_OK);
  assert_int_equal(prof_writer_paths(writer, 1, first, 3), PROF_OK);
  assert_int_equal(prof_writer_paths(writer, 12, wrong, 2), PROF_OK);
  assert_int_equal(prof_writer_paths(writer, 0, wrong, 1), PROF_OK);
  assert_int_equal(prof_writer_paths(writer, PROF_FORMAT_PATHS_LIMIT - 1, first, 2), PROF_OK);
  prof_trace *trace = end(&folder, writer, 3);
  size_t count;
  const struct prof_path *got = prof_trace_paths(trace, &count);
  assert_int_equal(count, 12);
  for (size_t i = 0; i < count; i++) {
    struct prof_path wanted = i >= 10 ? later[i - 10] : i >= 1 && i <= 3 ? first[i - 1] : (struct prof_path){0};
    assert_true(got[i].address == wanted.address && got[i].parent == wanted.parent);
  }
  finish(&folder, trace);
}

static const struct prof_window_thread threads[] = {{1, 0, 2, 700}, {2, 2, 0, 1}, {7, 2, 1, 3}, {2, 3, 1, 9}};
static const struct prof_window_row rows[] = {
    {5, 0xdeadbeef, 300, 0}, {70000, 0, 1, UINT64_MAX}, {6, 1, 2, 0}, {8, 2, 9, 0}};

static void windows_are_whole(void **state) {
  (void)state;
  static const struct prof_window windows[] = {{1000, 5000, 0x0123456789abcdef, 1u << 29, 0, 3},
                                               {1000, 1001, 0, UINT32_MAX, 3, 0},
                                               {9000, 9500, 1, 1, 3, 1, PROF_WINDOW_COUNTED}};
  const struct prof_thread_record one = {.thread = 1}, two = {.thread = 2}; /* none of 7 */
  struct trace_folder folder;
  prof_writer *writer = begin(&folder);
  assert_int_equal(prof_writer_thread(writer, &one), PROF_OK);
  assert_int_equal(prof_writer_thread(writer, &two), PROF_OK);
  assert_int_equal(prof_writer_windows(writer, &(struct prof_windows_record){windows, 3, threads, rows}), PROF_OK);
  prof_trace *trace = end(&folder, writer, 0);
  size_t count;
  const struct prof_window_chunk_ref *ref = prof_trace_window_chunks(trace, &count);
  assert_int_equal(count, 1);
  assert_true(ref->first_time == 1000 && ref->last_time == 9500 && ref->count == 3);
  struct prof_window_chunk chunk = {0};
  for (int again = 0; again < 2; again++) {
    assert_int_equal(prof_window_chunk_load(trace, 0, NULL, &chunk), PROF_OK);
    assert_int_equal(chunk.count, 3);
    for (int i = 0; i < 3; i++) {
      const struct prof_window *got = &chunk.windows[i], *wanted = &windows[i];
      assert_true(got->begin == wanted->begin && got->end == wanted->end && got->seed == wanted->seed &&
                  got->part == wanted->part && got->flags == wanted->flags);
      assert_int_equal(got->thread_count, i == 0 ? 2 : wanted->thread_count);
    }
    const struct prof_window_thread *first = &chunk.threads[chunk.windows[0].first_thread];
    assert_true(first->thread == 0 && first->events == 700 && first->row_count == 2);
    assert_memory_equal(&chunk.rows[first->first_row], rows, 2 * sizeof *rows);
    const struct prof_window_thread *last = &chunk.threads[chunk.windows[2].first_thread];
    assert_true(last->thread == 1 && last->events == 9 && last->row_count == 1);
    assert_memory_equal(&chunk.rows[last->first_row], &rows[3], sizeof *rows);
  }
  prof_window_chunk_free(&chunk);
  finish(&folder, trace);
}

static void wrong_windows_are_damage(void **state) {
  (void)state;
  static const struct prof_window empty = {1000, 1000, 0, 1, 0, 0}, backwards = {1000, 999, 0, 1, 0, 0};
  static const struct prof_window good = {1000, 5000, 0, 1, 0, 1};
  static const struct prof_window order[] = {{1000, 5000, 0, 1, 0, 0}, {900, 5000, 0, 1, 0, 0}};
  struct trace_folder folder;
  prof_writer *writer = begin(&folder);
  assert_int_equal(prof_writer_windows(writer, &(struct prof_windows_record){&empty, 1, NULL, NULL}), PROF_OK);
  assert_int_equal(prof_writer_windows(writer, &(struct prof_windows_record){&good, 1, threads, rows}), PROF_OK);
  assert_int_equal(prof_writer_windows(writer, &(struct prof_windows_record){order, 2, NULL, NULL}), PROF_OK);
  assert_int_equal(prof_writer_windows(writer, &(struct prof_windows_record){&backwards, 1, NULL, NULL}), PROF_OK);
  prof_trace *trace = end(&folder, writer, 2); /* the header shows it */
  size_t count;
  (void)prof_trace_window_chunks(trace, &count);
  assert_int_equal(count, 2);
  struct prof_window_chunk chunk = {0};
  assert_int_equal(prof_window_chunk_load(trace, 1, NULL, &chunk), PROF_CORRUPT);
  assert_int_equal(chunk.count, 0);
  assert_int_equal(prof_window_chunk_load(trace, 0, NULL, &chunk), PROF_OK);
  assert_int_equal(chunk.count, 1);
  prof_window_chunk_free(&chunk);
  finish(&folder, trace);
}

/* By the spec's formula, with figures from another implementation (Python). */
static void choice_is_random(void **state) {
  (void)state;
  uint32_t on = 0;
  for (uint32_t site = 1; site <= 4000; site++)
    on += prof_window_has(42, 1u << 29, site);
  assert_int_equal(on, 490);
  assert_true(prof_window_has(7, UINT32_MAX, 3));
  assert_false(prof_window_has(7, 0, 3));
}

static void samples_name_paths(void **state) {
  (void)state;
  static const struct prof_sample_record with[] = {{100, 0x10, 1, 0, 0}, {200, 0x20, 0, 0, 1000000}};
  static const struct prof_sample_record without[] = {{300, 0x10, 1, 0, 0}};
  const struct prof_process_record process = {.process = 1};
  struct trace_folder folder;
  prof_writer *writer = begin(&folder);
  struct prof_samples_record record = {.kind = PROF_SAMPLE_SAMPLES, .process = 1, .records = with, .count = 2};
  assert_int_equal(prof_writer_process(writer, &process), PROF_OK);
  assert_int_equal(prof_writer_samples(writer, &record), PROF_OK);
  record.records = without;
  record.count = 1;
  assert_int_equal(prof_writer_samples(writer, &record), PROF_OK);
  prof_trace *trace = end(&folder, writer, 0);
  struct prof_sample_chunk chunk = {0};
  assert_int_equal(prof_sample_chunk_load(trace, 0, NULL, &chunk), PROF_OK);
  assert_true(chunk.paths[0] == 0 && chunk.paths[1] == 1000000);
  assert_int_equal(prof_sample_chunk_load(trace, 1, NULL, &chunk), PROF_OK);
  assert_null(chunk.paths);
  prof_sample_chunk_free(&chunk);
  finish(&folder, trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_come_by_time),      cmocka_unit_test(rates_come_by_time),
      cmocka_unit_test(paths_have_numbers),       cmocka_unit_test(windows_are_whole),
      cmocka_unit_test(wrong_windows_are_damage), cmocka_unit_test(choice_is_random),
      cmocka_unit_test(samples_name_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
