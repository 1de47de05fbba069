/*
 * test/unit/test_trace_part.c - PART, written and read again; a wrong one is a damaged chunk; which chunks a part
 * takes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trace/part/part.h"
#include "trace/write/encode.h"
#include "trace/write/write_part.h"
#include "trace/write/write_tables.h"
#include "trace_folder.h"

#define CHUNKS 8u /* of one thread, two events each: chunk i at 100 i and 100 i + 50 */

static void put_chunk(prof_encoder *encoder, uint64_t time) {
  const struct prof_open_stack none = {0};
  assert_true(prof_encoder_reserve(encoder, 2));
  assert_true(prof_encoder_begin(encoder, time, &none));
  const struct prof_edge_slot *edge = prof_encoder_edge(encoder, 1, 0);
  assert_non_null(edge);
  prof_encoder_put(encoder, &(struct prof_step){.op = PROF_OP_ENTRY, .value = 0, .time = time});
  prof_encoder_put(encoder, &(struct prof_step){.op = PROF_OP_EXIT, .time = time + 50});
  assert_int_equal(prof_encoder_flush(encoder, false), PROF_OK);
}

static prof_trace *open_folder(const struct trace_folder *folder) {
  prof_trace *trace;
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  return trace;
}

/* Two threads with the same chunks; `last` writes more before the file is closed. */
static prof_trace *make(struct trace_folder *folder, void (*last)(prof_writer *)) {
  prof_writer *writer;
  trace_folder_make(folder);
  assert_int_equal(prof_writer_open(folder->path, NULL, NULL, &writer), PROF_OK);
  prof_packer *packer = prof_packer_new(writer);
  for (uint32_t thread = 1; thread <= 2; thread++) {
    prof_encoder *encoder = prof_encoder_new(packer, thread);
    for (uint32_t i = 1; i <= CHUNKS; i++)
      put_chunk(encoder, 100 * i);
    prof_encoder_free(encoder);
    assert_int_equal(prof_writer_thread(writer, &(struct prof_thread_record){.thread = thread,
                                                                             .process = 1,
                                                                             .tid = 10 + thread,
                                                                             .lost = 7,
                                                                             .cpu_ns = 1000,
                                                                             .cpu_ticks = 900,
                                                                             .too_deep = 4}),
                     PROF_OK);
  }
  if (last != NULL)
    last(writer);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  return open_folder(folder);
}

static const struct prof_part_thread rows[] = {
    {.thread = 2, .events = 6, .untimed = 1, .lost = 3, .too_deep = 9, .cpu_ns = 400},
    {.thread = 1, .hidden = true},
    {.thread = 99, .events = 5}, /* no such thread */
};

static void write_good(prof_writer *writer) {
  const struct prof_part part = {150, 700, rows, 3};
  assert_int_equal(prof_writer_part(writer, &part), PROF_OK);
}

/* Ends before it begins; and has fewer rows than it says. */
static void write_wrong(prof_writer *writer) {
  assert_int_equal(prof_writer_part(writer, &(struct prof_part){700, 150, rows, 3}), PROF_OK);
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_PART};
  prof_payload_u64s(&payload, 1, 2);
  prof_payload_u32s(&payload, 1000000, 0);
  assert_int_equal(prof_writer_payload(writer, &head, &payload), PROF_OK);
}

static void its_figures_are_without_what_was_before(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make(&folder, write_good);
  const struct prof_part *part = prof_trace_part(trace);
  assert_non_null(part);
  assert_true(part->begin_ticks == 150 && part->end_ticks == 700 && part->thread_count == 3);
  const struct prof_thread_info *threads = prof_trace_threads(trace, NULL);
  assert_true(threads[0].hidden && !threads[1].hidden);
  assert_true(threads[0].events == 2 * CHUNKS && threads[1].events == 2 * CHUNKS + 6 && threads[1].untimed == 1);
  assert_true(threads[1].lost == 4 && threads[1].cpu_ns == 600 && threads[1].too_deep == 0 && threads[0].lost == 7);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void a_wrong_one_is_damage(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make(&folder, write_wrong);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  assert_int_equal(damage.chunks_damaged, 2);
  assert_null(prof_trace_part(trace));
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* Which sequence numbers of thread 1 a part with this time has, as bits; UINT32_MAX: it is empty. */
static uint32_t taken(const prof_trace *trace, uint64_t begin, uint64_t end) {
  static const bool only[] = {true, false};
  const struct prof_part_choice choice = {begin, end, only};
  struct prof_part_result result;
  struct trace_folder folder;
  uint32_t bits = 0;
  size_t count;
  trace_folder_make(&folder);
  prof_status status = prof_part_write(trace, &choice, folder.path, NULL, &result);
  if (status == PROF_EMPTY) {
    trace_folder_remove(&folder);
    return UINT32_MAX;
  }
  assert_int_equal(status, PROF_OK);
  prof_trace *part = open_folder(&folder);
  const struct prof_chunk_ref *refs = prof_trace_chunks(part, &count);
  const struct prof_thread_info *threads = prof_trace_threads(part, NULL);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(threads[refs[i].thread].number, 1);
    bits |= 1u << refs[i].sequence;
  }
  assert_int_equal(result.events, 2 * count);
  assert_true(threads[0].events == 2 * CHUNKS && threads[1].events == 2 * CHUNKS); /* with those that are left out */
  prof_trace_close(part);
  trace_folder_remove(&folder);
  return bits;
}

static void it_takes_what_reaches_into_it(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make(&folder, NULL);
  assert_int_equal(taken(trace, 0, UINT64_MAX), 0xff);
  assert_int_equal(taken(trace, 320, 420), 0xe);  /* 300 to 450, and the one before */
  assert_int_equal(taken(trace, 360, 420), 0xc);  /* begins between two */
  assert_int_equal(taken(trace, 320, 470), 0x1e); /* ends between two: the one after */
  assert_int_equal(taken(trace, 0, 120), 0x1);
  assert_int_equal(taken(trace, 800, UINT64_MAX), 0xc0);
  assert_int_equal(taken(trace, 360, 380), 0xc); /* nothing happens, but frames may be open */
  assert_int_equal(taken(trace, 900, UINT64_MAX), UINT32_MAX);
  assert_int_equal(taken(trace, 10, 20), UINT32_MAX);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* What is there isn't touched. */
static void it_takes_no_file_that_is_there(void **state) {
  (void)state;
  static const bool all[] = {true, true};
  struct trace_folder folder;
  struct prof_part_result result;
  prof_trace *trace = make(&folder, NULL);
  const struct prof_part_choice choice = {0, UINT64_MAX, all};
  assert_int_equal(prof_part_write(trace, &choice, folder.path, NULL, &result), PROF_USAGE);
  prof_trace_close(open_folder(&folder));
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_figures_are_without_what_was_before),
      cmocka_unit_test(a_wrong_one_is_damage),
      cmocka_unit_test(it_takes_what_reaches_into_it),
      cmocka_unit_test(it_takes_no_file_that_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
