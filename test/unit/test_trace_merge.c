/*
 * test_trace_merge.c - parts of a recording whose clock was set back are merged in the order of what happened.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trace/part/merge.h"
#include "trace/write/encode.h"
#include "trace/write/write_tables.h"
#include "trace_folder.h"

#define DAY_NS UINT64_C(86400000000000)
#define NOON_NS UINT64_C(1790000000000000000)

enum { PARTS = 3, FIRST = 1000, LENGTH = 1000 };

static void put_chunk(prof_packer *packer, uint32_t thread, uint64_t time) {
  const struct prof_open_stack none = {0};
  prof_encoder *encoder = prof_encoder_new(packer, thread);
  assert_true(prof_encoder_reserve(encoder, 2));
  assert_true(prof_encoder_begin(encoder, time, &none));
  assert_non_null(prof_encoder_edge(encoder, 1, 0));
  prof_encoder_put(encoder, &(struct prof_step){.op = PROF_OP_ENTRY, .value = 0, .time = time});
  prof_encoder_put(encoder, &(struct prof_step){.op = PROF_OP_EXIT, .time = time + 50});
  assert_int_equal(prof_encoder_flush(encoder, false), PROF_OK);
  prof_encoder_free(encoder);
}

/* Part `number`, from 0, with a thread of its own.  The clock is set back after the first one. */
static prof_trace *make(struct trace_folder *folder, uint64_t number, bool has_events) {
  const uint64_t begin = FIRST + LENGTH * number, realtime = NOON_NS + LENGTH * number - (number > 0 ? DAY_NS : 0);
  const struct prof_writer_options options = {.start_realtime_ns = realtime, .id = {1, 2, 3}};
  const struct prof_clock_record clock = {
      .ticks = begin, .monotonic_ns = begin, .realtime_ns = realtime, .frequency_hz = 1000000000, .step_ticks = 1};
  prof_writer *writer;
  prof_trace *trace;
  trace_folder_make(folder);
  assert_int_equal(prof_writer_open(folder->path, &options, NULL, &writer), PROF_OK);
  assert_int_equal(prof_writer_clock(writer, &clock), PROF_OK);
  const uint32_t thread = (uint32_t)number + 1;
  prof_packer *packer = prof_packer_new(writer);
  if (has_events)
    put_chunk(packer, thread, begin + 100);
  assert_int_equal(
      prof_writer_thread(writer, &(struct prof_thread_record){.thread = thread, .process = 1, .tid = 10 + thread}),
      PROF_OK);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  return trace;
}

/* The bits of `events`: parts that have some. */
static void merge(unsigned events) {
  struct trace_folder folders[PARTS], merged;
  prof_trace *traces[PARTS], *trace;
  struct prof_merge_result result;
  for (unsigned i = 0; i < PARTS; i++)
    traces[PARTS - 1 - i] = make(&folders[i], i, events >> i & 1); /* given in another order */
  trace_folder_make(&merged);
  const struct prof_merge_choice choice = {traces, PARTS, false};
  assert_int_equal(prof_merge_write(&choice, merged.path, NULL, &result), PROF_OK);
  assert_int_equal(result.recordings, 1);
  assert_false(result.apart);
  assert_int_equal(prof_trace_open(merged.path, NULL, &trace), PROF_OK);
  assert_int_equal(prof_trace_info(trace)->start_realtime_ns, NOON_NS);
  assert_int_equal(prof_trace_info(trace)->start_ticks, FIRST);
  prof_trace_close(trace);
  trace_folder_remove(&merged);
  for (unsigned i = 0; i < PARTS; i++) {
    prof_trace_close(traces[PARTS - 1 - i]);
    trace_folder_remove(&folders[i]);
  }
}

static void parts_follow_each_other(void **state) {
  (void)state;
  merge(7);
}

static void a_part_may_be_empty(void **state) {
  (void)state;
  for (unsigned events = 1; events < 7; events++)
    merge(events);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_follow_each_other),
      cmocka_unit_test(a_part_may_be_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
