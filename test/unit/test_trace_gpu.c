/*
 * test/unit/test_trace_gpu.c - GPU records, names and counts come back as they were written, whatever the values; and
 * damage of any byte of them harms nobody.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "trace/format.h"
#include "trace/write/write_gpu.h"
#include "trace_folder.h"
#include "trace_touch.h"

enum { RECORDS = 1000 };

static uint64_t starts[RECORDS], durations[RECORDS], correlations[RECORDS], names[RECORDS], widths[RECORDS];

static uint64_t mix(uint64_t value) {
  value ^= value >> 31;
  value *= 0x9e3779b97f4a7c15ull;
  return value ^ value >> 29;
}

/* Starts that step back, some records without a time, one column of large jumps, one that is the same everywhere. */
static void fill(void) {
  uint64_t time = 1ull << 40;
  for (uint32_t i = 0; i < RECORDS; i++) {
    time += mix(i) % 5000;
    starts[i] = i % 97 == 5 ? 0 : i % 10 == 3 ? time - 4000 : time;
    durations[i] = i % 97 == 5 ? 0 : mix(i + RECORDS) % 100000;
    correlations[i] = i % 2 ? mix(i) : UINT64_MAX - i;
    names[i] = 1 + i % 3;
    widths[i] = 256;
  }
}

static void write_all(const struct trace_folder *folder) {
  const uint64_t *columns[PROF_GPU_COLUMN_COUNT] = {[PROF_GPU_START] = starts,
                                                    [PROF_GPU_DURATION] = durations,
                                                    [PROF_GPU_CORRELATION] = correlations,
                                                    [PROF_GPU_NAME] = names,
                                                    [PROF_GPU_GRID_X] = widths};
  const struct prof_gpu_text_record texts[] = {
      {3, prof_span("third")}, {1, prof_span("_Z6kernelIiEvPT_")}, {2, prof_span("second")}};
  prof_writer *writer;
  assert_int_equal(prof_writer_open(folder->path, NULL, NULL, &writer), PROF_OK);
  struct prof_clock_record clock = {.ticks = 1000, .frequency_hz = 1000000000, .step_ticks = 1, .source = 1};
  assert_int_equal(prof_writer_clock(writer, &clock), PROF_OK);
  struct prof_gpu_source_record source = {.source = 7,
                                          .process = 1,
                                          .pid = 4242,
                                          .library_version = 130001,
                                          .driver_version = 13000,
                                          .flags = PROF_FORMAT_GPU_SOURCE_OWN_CLOCK,
                                          .start_ticks = 1ull << 39,
                                          .library = prof_span("/lib/libcupti.so.13")};
  assert_int_equal(prof_writer_gpu_source(writer, &source), PROF_OK);
  assert_int_equal(prof_writer_gpu_texts(writer, 7, texts, 3), PROF_OK);
  assert_int_equal(prof_writer_gpu_records(writer, 7, PROF_GPU_KERNEL, columns, RECORDS), PROF_OK);
  assert_int_equal(prof_writer_gpu_records(writer, 7, PROF_GPU_COPY, columns, 1), PROF_OK);
  uint64_t figures[PROF_GPU_FIGURE_COUNT] = {[PROF_GPU_DROPPED] = 3};
  assert_int_equal(prof_writer_gpu_status(writer, 7, figures), PROF_OK);
  figures[PROF_GPU_DROPPED] = 5;
  figures[PROF_GPU_CLOCK_BRACKET] = 1ull << 50;
  assert_int_equal(prof_writer_gpu_status(writer, 7, figures), PROF_OK);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
}

static void records_come_back(void **state) {
  (void)state;
  struct trace_folder folder;
  struct prof_gpu_chunk chunk = {0};
  prof_trace *trace;
  size_t count;
  trace_folder_make(&folder);
  fill();
  write_all(&folder);
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  const struct prof_gpu_chunk_ref *refs = prof_trace_gpu_chunks(trace, &count);
  assert_int_equal(count, 2);
  assert_int_equal(refs[0].record, PROF_GPU_KERNEL);
  assert_int_equal(refs[0].count, RECORDS);
  assert_int_equal(refs[1].count, 1);
  uint64_t first = UINT64_MAX, last = 0;
  assert_int_equal(prof_gpu_chunk_load(trace, 0, NULL, &chunk), PROF_OK);
  for (uint32_t i = 0; i < RECORDS; i++) {
    assert_int_equal(chunk.columns[PROF_GPU_START][i], starts[i]);
    assert_int_equal(chunk.columns[PROF_GPU_DURATION][i], durations[i]);
    assert_true(chunk.columns[PROF_GPU_CORRELATION][i] == correlations[i]);
    assert_int_equal(chunk.columns[PROF_GPU_NAME][i], names[i]);
    assert_int_equal(chunk.columns[PROF_GPU_GRID_X][i], 256);
    assert_int_equal(chunk.columns[PROF_GPU_BYTES][i], 0);
    first = starts[i] != 0 && starts[i] < first ? starts[i] : first;
    last = starts[i] + durations[i] > last ? starts[i] + durations[i] : last;
  }
  assert_int_equal(refs[0].first_time, first);
  assert_int_equal(refs[0].last_time, last);
  assert_int_equal(prof_gpu_chunk_load(trace, 1, NULL, &chunk), PROF_OK);
  assert_int_equal(chunk.count, 1);
  assert_int_equal(chunk.columns[PROF_GPU_START][0], starts[0]);
  prof_gpu_chunk_free(&chunk);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void names_and_counts_come_back(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace;
  size_t count;
  trace_folder_make(&folder);
  fill();
  write_all(&folder);
  assert_int_equal(prof_trace_open(folder.path, NULL, &trace), PROF_OK);
  const struct prof_gpu_source *source = prof_trace_gpu_sources(trace, &count);
  assert_int_equal(count, 1);
  assert_int_equal(source->pid, 4242);
  assert_int_equal(source->library_version, 130001);
  assert_true(source->own_clock);
  assert_string_equal(source->library, "/lib/libcupti.so.13");
  assert_int_equal(source->figures[PROF_GPU_DROPPED], 5);
  assert_int_equal(source->figures[PROF_GPU_CLOCK_BRACKET], 1ull << 50);
  assert_int_equal(source->figures[PROF_GPU_UNTIMED], 0);
  assert_string_equal(prof_trace_gpu_text(trace, 0, 1), "_Z6kernelIiEvPT_");
  assert_string_equal(prof_trace_gpu_text(trace, 0, 3), "third");
  assert_string_equal(prof_trace_gpu_text(trace, 0, 4), "");
  assert_string_equal(prof_trace_gpu_text(trace, 0, 0), "");
  assert_string_equal(prof_trace_gpu_text(trace, 1, 1), "");
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* Gives the chunk at `at` right checksums again. */
static void seal(unsigned char *at) {
  struct prof_format_chunk head;
  memcpy(&head, at, sizeof head);
  head.payload_crc = (uint32_t)crc32(0, at + sizeof head, head.packed_bytes);
  head.header_crc = (uint32_t)crc32(0, (const Bytef *)&head, offsetof(struct prof_format_chunk, header_crc));
  memcpy(at, &head, sizeof head);
}

/* Every byte of every stored payload wrong in turn, and sealed as if it were right: nothing is read that isn't there.
 */
static void any_wrong_byte_is_survived(void **state) {
  (void)state;
  struct trace_folder folder;
  size_t bytes, tried = 0, refused = 0;
  trace_folder_make(&folder);
  fill();
  write_all(&folder);
  unsigned char *data = trace_folder_read(&folder, &bytes);
  struct prof_format_chunk head;
  for (size_t chunk = sizeof(struct prof_format_file); chunk < bytes;
       chunk += sizeof head + (head.packed_bytes + 7u) / 8 * 8) {
    memcpy(&head, data + chunk, sizeof head);
    for (size_t at = 0; head.codec == PROF_FORMAT_STORED && at < head.packed_bytes; at++) {
      struct trace_touched touched;
      unsigned char before = data[chunk + sizeof head + at];
      data[chunk + sizeof head + at] ^= (unsigned char)(1u << at % 8 | 0x80);
      seal(data + chunk);
      trace_folder_write(&folder, data, bytes);
      assert_int_equal(trace_touch(folder.path, NULL, &touched), PROF_OK);
      assert_true(touched.gpu_records >= RECORDS);
      refused += touched.gpu_chunks_refused;
      tried++;
      data[chunk + sizeof head + at] = before;
    }
    seal(data + chunk);
  }
  assert_true(tried > 200 && refused > 20);
  free(data);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_come_back),
      cmocka_unit_test(names_and_counts_come_back),
      cmocka_unit_test(any_wrong_byte_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
