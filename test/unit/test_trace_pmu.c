/*
 * test/unit/test_trace_pmu.c - PMU and PMU_SAMPLES, written and read again; wrong ones are damaged chunks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trace/bytes.h"
#include "trace/write/write_pmu.h"
#include "trace/write/write_tables.h"
#include "trace_folder.h"

static prof_writer *begin(struct trace_folder *folder) {
  prof_writer *writer;
  trace_folder_make(folder);
  assert_int_equal(prof_writer_open(folder->path, NULL, NULL, &writer), PROF_OK);
  const struct prof_process_record process = {.process = 1, .pid = 10, .executable = prof_span("/bin/app")};
  assert_int_equal(prof_writer_process(writer, &process), PROF_OK);
  return writer;
}

static prof_trace *end(const struct trace_folder *folder, prof_writer *writer, uint64_t damaged) {
  prof_trace *trace;
  struct prof_damage damage;
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  prof_trace_damage(trace, &damage);
  assert_int_equal(damage.chunks_damaged, damaged);
  return trace;
}

static void finish(struct trace_folder *folder, prof_trace *trace) {
  prof_trace_close(trace);
  trace_folder_remove(folder);
}

static void the_last_counters_are_valid(void **state) {
  (void)state;
  static const struct prof_pmu first[] = {{1, 0, 5, 6, 7, "cycles", ""}};
  static const struct prof_pmu last[] = {{1, PROF_PMU_USER_ONLY, 50, 60, 70, "cycles", ""},
                                         {2, PROF_PMU_REFUSED, 0, 0, 0, "r\xff", "not here"}};
  static const struct prof_pmu wrong[] = {{0, 0, 0, 0, 0, "number 0", ""}};
  struct trace_folder folder;
  prof_writer *writer = begin(&folder);
  assert_int_equal(prof_writer_pmus(writer, first, 1), PROF_OK);
  assert_int_equal(prof_writer_pmus(writer, last, 2), PROF_OK);
  assert_int_equal(prof_writer_pmus(writer, wrong, 1), PROF_OK);
  prof_trace *trace = end(&folder, writer, 1);
  size_t count;
  const struct prof_pmu *got = prof_trace_pmus(trace, &count);
  assert_int_equal(count, 2);
  for (size_t i = 0; i < 2; i++) {
    assert_true(got[i].number == last[i].number && got[i].flags == last[i].flags && got[i].value == last[i].value);
    assert_true(got[i].enabled_ns == last[i].enabled_ns && got[i].running_ns == last[i].running_ns);
    assert_string_equal(got[i].name, last[i].name);
    assert_string_equal(got[i].reason, last[i].reason);
  }
  finish(&folder, trace);
}

static void samples_come_back(void **state) {
  (void)state;
  static const struct prof_pmu_record records[] = {{1000, 0x401000, 1, 0},
                                                   {1000, 0x400000, UINT64_MAX, PROF_SAMPLE_KERNEL},
                                                   {9000, UINT64_MAX, 7, PROF_SAMPLE_PROBE}};
  const struct prof_pmu_samples_record sent = {3, 1, 77, 2, records, 3};
  struct trace_folder folder;
  prof_writer *writer = begin(&folder);
  assert_int_equal(prof_writer_pmu_samples(writer, &sent), PROF_OK);
  prof_trace *trace = end(&folder, writer, 0);
  size_t count;
  const struct prof_pmu_chunk_ref *refs = prof_trace_pmu_chunks(trace, &count);
  assert_int_equal(count, 1);
  assert_true(refs[0].count == 3 && refs[0].first_time == 1000 && refs[0].last_time == 9000);
  assert_int_equal(prof_trace_threads(trace, NULL)[refs[0].thread].number, 3);
  struct prof_pmu_chunk chunk = {0};
  assert_int_equal(prof_pmu_chunk_load(trace, 0, NULL, &chunk), PROF_OK);
  assert_true(chunk.process == 0 && chunk.tid == 77 && chunk.pmu == 2 && chunk.count == 3);
  for (size_t i = 0; i < 3; i++)
    assert_true(chunk.records[i].time == records[i].time && chunk.records[i].address == records[i].address &&
                chunk.records[i].weight == records[i].weight && chunk.records[i].flags == records[i].flags);
  prof_pmu_chunk_free(&chunk);
  finish(&folder, trace);
}

/* A chunk with these numbers, then varints. */
static void put(prof_writer *writer, const uint32_t numbers[4], const uint64_t *varints, size_t count,
                uint64_t last_time) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {
      .kind = PROF_FORMAT_PMU_SAMPLES, .events = 1, .first_time = 100, .last_time = last_time};
  for (size_t i = 0; i < 4; i++)
    prof_payload_u32(&payload, numbers[i]);
  for (size_t i = 0; i < count; i++)
    prof_payload_varint(&payload, varints[i]);
  assert_int_equal(prof_writer_payload(writer, &head, &payload), PROF_OK);
}

static void wrong_samples_are_damage(void **state) {
  (void)state;
  static const uint64_t good[] = {0, 8, 0, 1}, late[] = {50, 8, 0, 1};
  static const struct {
    uint32_t numbers[4];
    const uint64_t *varints;
    size_t count;
    uint64_t last_time;
    prof_status status;
  } cases[] = {{{1, 5, 1, 1}, good, 4, 100, PROF_OK},      {{2, 5, 1, 1}, good, 4, 100, PROF_CORRUPT},
               {{1, 5, 0, 1}, good, 4, 100, PROF_CORRUPT}, {{1, 5, 1, 2}, good, 4, 100, PROF_CORRUPT},
               {{1, 5, 1, 1}, good, 3, 100, PROF_CORRUPT}, {{1, 5, 1, 1}, late, 4, 120, PROF_CORRUPT},
               {{1, 5, 1, 1}, good, 4, 120, PROF_CORRUPT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct trace_folder folder;
    prof_writer *writer = begin(&folder);
    put(writer, cases[i].numbers, cases[i].varints, cases[i].count, cases[i].last_time);
    prof_trace *trace = end(&folder, writer, 0);
    struct prof_pmu_chunk chunk = {0};
    assert_int_equal(prof_pmu_chunk_load(trace, 0, NULL, &chunk), cases[i].status);
    prof_pmu_chunk_free(&chunk);
    finish(&folder, trace);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_counters_are_valid),
      cmocka_unit_test(samples_come_back),
      cmocka_unit_test(wrong_samples_are_damage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
