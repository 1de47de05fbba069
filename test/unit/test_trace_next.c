/*
 * test/unit/test_trace_next.c - a recording that goes on in another file: which facts it takes along, and that frames
 * are open in both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "trace/part_names.h"
#include "trace/write/write_bursts.h"
#include "trace/write/write_samples.h"
#include "trace_folder.h"

static struct trace_folder first, second;
static prof_writer *writer;

static int begin(void **state) {
  (void)state;
  trace_folder_make(&first);
  trace_folder_make(&second);
  const struct prof_writer_options options = {.keeps_facts = true, .start_realtime_ns = 1};
  return prof_writer_open(first.path, &options, NULL, &writer) == PROF_OK ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  if (writer != NULL)
    (void)!prof_writer_close(writer, NULL);
  writer = NULL;
  trace_folder_remove(&first);
  trace_folder_remove(&second);
  return 0;
}

static prof_trace *close_and_open(const struct trace_folder *folder) {
  prof_trace *trace;
  if (writer != NULL)
    assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  writer = NULL;
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  return trace;
}

static void go_on(void) {
  assert_int_equal(prof_writer_end(writer, &(struct prof_end_record){.reason = 5}), PROF_OK);
  assert_int_equal(prof_writer_next(writer, second.path, 2, NULL), PROF_OK);
}

static void put_process(uint32_t process, uint32_t parent, bool forked) {
  const struct prof_function_record function = {.key = 1, .name = prof_span("f"), .file = prof_span("f.c")};
  const struct prof_site_record site = {.address = 16, .kind = PROF_SITE_ENTRY, .function = 0};
  const struct prof_module_record module = {.module = process,
                                            .path = prof_span("/m"),
                                            .functions = &function,
                                            .function_count = 1,
                                            .sites = &site,
                                            .site_count = 1};
  const struct prof_load_record load = {.process = process,
                                        .module = process,
                                        .first_site = 10 * process,
                                        .site_count = 1,
                                        .begin = 4096 * process,
                                        .end = 4096 * process + 100};
  const struct prof_map_record map = {
      .process = process, .module = process, .begin = 4096 * process, .end = 4096 * process + 200};
  assert_int_equal(
      prof_writer_process(writer, &(struct prof_process_record){.process = process,
                                                                .parent = parent,
                                                                .pid = 100 + process,
                                                                .flags = forked ? PROF_FORMAT_PROCESS_FORKED : 0}),
      PROF_OK);
  assert_int_equal(prof_writer_module(writer, &module), PROF_OK);
  assert_int_equal(prof_writer_load(writer, &load), PROF_OK);
  assert_int_equal(prof_writer_map(writer, &map), PROF_OK);
}

static uint32_t pids_of(const prof_trace *trace) { /* as bits: pid - 100 */
  size_t count;
  uint32_t bits = 0;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  for (size_t i = 0; i < count; i++)
    bits |= 1u << (processes[i].pid - 100);
  return bits;
}

static void facts_go_along(void **state) {
  (void)state;
  static const struct prof_state_change changes[] = {{5, 10, PROF_RECORD_BURST}, {6, 20, PROF_RECORD_BURST}};
  static const struct prof_state_change later = {9, 10, PROF_RECORD_ALWAYS};
  static const struct prof_rate_change rates[] = {{5, PROF_RATE_NONE}, {8, PROF_RATE_FAST}};
  const struct prof_setting_record setting = {"command", prof_span("a")};
  assert_int_equal(prof_writer_settings(writer, &setting, 1), PROF_OK);
  put_process(1, 0, false);
  assert_int_equal(prof_writer_states(writer, changes, 2), PROF_OK);
  assert_int_equal(prof_writer_states(writer, &later, 1), PROF_OK);
  assert_int_equal(prof_writer_rates(writer, rates, 2), PROF_OK);
  assert_int_equal(prof_writer_note(writer, &(struct prof_note_record){.text = prof_span("once")}), PROF_OK);
  go_on();
  prof_trace *trace = close_and_open(&second);
  size_t count;
  assert_string_equal(prof_trace_setting(trace, "command", NULL), "a");
  assert_int_equal(pids_of(trace), 1u << 1);
  (void)prof_trace_functions(trace, &count);
  assert_int_equal(count, 1);
  (void)prof_trace_loads(trace, &count);
  assert_int_equal(count, 1);
  (void)prof_trace_maps(trace, &count);
  assert_int_equal(count, 1);
  (void)prof_trace_notes(trace, &count);
  assert_int_equal(count, 0);
  const struct prof_state_change *states = prof_trace_states(trace, &count);
  assert_int_equal(count, 2); /* the latest of each */
  const struct prof_rate_change *rate = prof_trace_rates(trace, &count);
  assert_true(count == 1 && rate->time == 8 && rate->rate == PROF_RATE_FAST); /* the latest */
  assert_true(states[0].site == 20 && states[1].site == 10 && states[1].state == PROF_RECORD_ALWAYS);
  assert_true(prof_trace_info(trace)->start_realtime_ns == 2 && !prof_trace_info(trace)->complete);
  prof_trace_close(trace);
  trace = close_and_open(&first);
  assert_true(prof_trace_info(trace)->complete && prof_trace_info(trace)->end_reason == 5);
  (void)prof_trace_lacking(trace, &count);
  assert_int_equal(count, 0);
  prof_trace_close(trace);
}

/* 1 forked 2, which forked 3; 4 is alone. */
static void what_is_over_is_forgotten(void **state) {
  (void)state;
  put_process(1, 0, false);
  put_process(2, 1, true);
  put_process(3, 2, true);
  put_process(4, 1, false);
  prof_writer_process_over(writer, 1);
  prof_writer_process_over(writer, 4);
  go_on();
  prof_trace *trace = close_and_open(&second);
  assert_int_equal(pids_of(trace), 0xe); /* 1 has the loads of 2, and of 3 */
  prof_trace_close(trace);
}

static void nobody_is_needed(void **state) {
  (void)state;
  put_process(1, 0, false);
  put_process(2, 1, true);
  put_process(3, 0, false);
  prof_writer_process_over(writer, 1);
  prof_writer_process_over(writer, 2);
  go_on();
  prof_trace *trace = close_and_open(&second);
  size_t count;
  assert_int_equal(pids_of(trace), 1u << 3);
  (void)prof_trace_maps(trace, &count);
  assert_int_equal(count, 1);
  prof_trace_close(trace);
}

static void a_place_that_is_taken_is_an_error(void **state) {
  (void)state;
  struct prof_diag diag;
  trace_folder_write(&second, "mine", 4);
  assert_int_equal(prof_writer_end(writer, &(struct prof_end_record){.reason = 5}), PROF_OK);
  assert_int_equal(prof_writer_next(writer, second.path, 2, &diag), PROF_USAGE);
  assert_int_equal(prof_writer_note(writer, &(struct prof_note_record){.text = prof_span("late")}), PROF_USAGE);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_USAGE);
  writer = NULL;
  prof_trace *trace = close_and_open(&first);
  assert_true(prof_trace_info(trace)->complete);
  prof_trace_close(trace);
}

/* Sites 1, 2: entry, exit of function 1; 3, 4 of 2. */
static const uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 1, 1, 2, 2};
static const struct prof_site_map map = {functions, 5, NULL};

static void take(prof_matcher *matcher, uint64_t time, uint32_t site, uint32_t kind) {
  struct prof_event event = {time, prof_event_what(site, kind), 0};
  assert_int_equal(prof_matcher_drain(matcher, &event, 1, &map, false), 1);
}

static struct prof_chunk_ref only_chunk(const prof_trace *trace, struct prof_chunk *chunk) {
  size_t count;
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, &count);
  assert_int_equal(count, 1);
  assert_int_equal(prof_chunk_load(trace, 0, NULL, chunk), PROF_OK);
  return refs[0];
}

static void frames_are_open_in_both(void **state) {
  (void)state;
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  struct prof_matcher_figures figures;
  take(matcher, 100, 1, PROF_EVENT_ENTRY);
  take(matcher, 200, 3, PROF_EVENT_ENTRY);
  prof_matcher_cut(matcher, 500, 0);
  go_on();
  take(matcher, 450, 4, PROF_EVENT_EXIT); /* before the cut, and read after it */
  take(matcher, 900, 2, PROF_EVENT_EXIT);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  prof_matcher_figures(matcher, &figures);
  assert_true(figures.inversions == 0 && figures.calls == 2 && figures.unmatched == 0);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  struct prof_chunk chunk = {0};
  prof_trace *trace = close_and_open(&second);
  struct prof_chunk_ref ref = only_chunk(trace, &chunk);
  assert_true(ref.first_time == 500 && ref.last_time == 900 && ref.sequence == 1 && chunk.frame_count == 2);
  assert_true(chunk.frames[0].entry == 100 && chunk.frames[1].entry == 200 && chunk.inversions == 0);
  prof_trace_close(trace);
  trace = close_and_open(&first);
  ref = only_chunk(trace, &chunk);
  assert_true(ref.first_time == 100 && ref.last_time == 500 && chunk.frame_count == 0);
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
}

/* The events that tell of the wait come after the cut; both parts are without it. */
static void a_wait_is_cut(void **state) {
  (void)state;
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  struct prof_matcher_figures figures;
  take(matcher, 100, 1, PROF_EVENT_ENTRY);
  prof_matcher_cut(matcher, 500, 300);
  go_on();
  take(matcher, 300, 0, PROF_EVENT_STALL_BEGIN);
  take(matcher, 800, 0, PROF_EVENT_STALL_END);
  take(matcher, 900, 2, PROF_EVENT_EXIT);
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), true), PROF_OK);
  prof_matcher_figures(matcher, &figures);
  assert_true(figures.inversions == 0 && figures.stalled_ticks == 500);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  static const enum prof_op early[] = {PROF_OP_STALL_BEGIN, PROF_OP_NOTHING}, late[] = {PROF_OP_STALL_BEGIN};
  struct prof_chunk chunk = {0};
  struct prof_cursor cursor;
  struct prof_step step;
  prof_trace *trace = close_and_open(&second);
  (void)only_chunk(trace, &chunk);
  assert_int_equal(chunk.stalled_before, 200);
  prof_cursor_begin(&cursor, &chunk);
  do
    assert_true(prof_cursor_next(&cursor, &step));
  while (step.op == PROF_OP_NOTHING);
  assert_true(step.op == late[0] && step.time == 500);
  prof_trace_close(trace);
  trace = close_and_open(&first);
  (void)only_chunk(trace, &chunk);
  prof_cursor_begin(&cursor, &chunk);
  assert_true(prof_cursor_next(&cursor, &step) && step.time == 100);
  for (int i = 0; i < 2; i++)
    assert_true(prof_cursor_next(&cursor, &step) && step.op == early[i] && step.time == (i == 0 ? 300 : 500));
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
}

static void nothing_is_written_of_an_idle_thread(void **state) {
  (void)state;
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  prof_matcher_cut(matcher, 500, 0);
  assert_int_equal(prof_encoder_waiting(prof_matcher_encoder(matcher)), 0);
  take(matcher, 600, 1, PROF_EVENT_ENTRY);
  take(matcher, 700, 2, PROF_EVENT_EXIT);
  prof_matcher_cut(matcher, 900, 0);
  assert_int_equal(prof_encoder_waiting(prof_matcher_encoder(matcher)), 0);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  struct prof_chunk chunk = {0};
  prof_trace *trace = close_and_open(&first);
  assert_int_equal(only_chunk(trace, &chunk).last_time, 700);
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
}

static void names_have_numbers(void **state) {
  (void)state;
  assert_int_equal(prof_part_number("part-0001"), 1);
  assert_int_equal(prof_part_number("part-12345"), 12345);
  assert_int_equal(prof_part_number("snapshot-0020"), 20);
  static const char *const others[] = {
      "part-1",     "part-0000",        "part-",      "part-0001x", "part-0x01", "Part-0001",
      "part-00 01", "part-99999999999", "part-0001/", "xpart-0001", ""};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(prof_part_number(others[i]), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(facts_go_along, begin, end),
      cmocka_unit_test_setup_teardown(what_is_over_is_forgotten, begin, end),
      cmocka_unit_test_setup_teardown(nobody_is_needed, begin, end),
      cmocka_unit_test_setup_teardown(a_place_that_is_taken_is_an_error, begin, end),
      cmocka_unit_test_setup_teardown(frames_are_open_in_both, begin, end),
      cmocka_unit_test_setup_teardown(a_wait_is_cut, begin, end),
      cmocka_unit_test_setup_teardown(nothing_is_written_of_an_idle_thread, begin, end),
      cmocka_unit_test(names_have_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
