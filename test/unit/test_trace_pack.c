/*
 * test/unit/test_trace_pack.c - PACK chunks appended and read again; payloads with any bytes; files with a torn end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "model_streams.h"
#include "trace/write/write_pack.h"
#include "trace_touch.h"

static const struct prof_packed_address addresses[] = {{0x1010, 0, 2}, {0x1020, 2, 0}, {0x2000, 2, 1}};
static const struct prof_packed_frame frames[] = {{"in", "/a.h", 3, 1}, {"out", "/a.c", 9, 0}, {NULL, "/a.c", 0, 0}};
static const struct prof_packed_extent extents[] = {{0x1000, "/a.c", 2, 12}, {0x1800, "/a.h", 1, 1}};
static const struct prof_packed_lines lines = {.module = 0,
                                               .flags = PROF_PACKED_DAMAGED,
                                               .splits_missing = 2,
                                               .built = 1234567890123456789,
                                               .reason = "why",
                                               .remedy = "",
                                               .addresses = addresses,
                                               .address_count = 3,
                                               .frames = frames,
                                               .frame_count = 3,
                                               .extents = extents,
                                               .extent_count = 2};

static void make(struct trace_folder *folder) {
  uint64_t seed = seed_of(77);
  case_write(folder, threads, random_threads(&seed));
}

static prof_writer *append_to(const struct trace_folder *folder) {
  char path[256];
  prof_writer *writer;
  prof_trace *trace = case_open(folder);
  uint64_t lacks = prof_trace_lacks_bytes(trace);
  prof_trace_close(trace);
  snprintf(path, sizeof path, "%s/trace", folder->path);
  assert_int_equal(prof_writer_append_to(path, lacks, NULL, &writer), PROF_OK);
  return writer;
}

static void pack(const struct trace_folder *folder, const char *text) {
  prof_writer *writer = append_to(folder);
  assert_int_equal(prof_writer_packed_lines(writer, 1, &lines), PROF_OK);
  struct prof_packed_source source = {"/a.c", 99, text, strlen(text)};
  assert_int_equal(prof_writer_packed_source(writer, &source), PROF_OK);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
}

static void same_text(const char *got, const char *expected) {
  assert_int_equal(got == NULL, expected == NULL);
  if (got)
    assert_string_equal(got, expected);
}

static void compare(const struct prof_packed_lines *got) {
  assert_true(got->module == 0 && got->flags == lines.flags && got->splits_missing == 2 && got->built == lines.built);
  assert_string_equal(got->reason, "why");
  assert_string_equal(got->remedy, "");
  assert_int_equal(got->address_count, 3);
  assert_memory_equal(got->addresses, addresses, sizeof addresses);
  assert_int_equal(got->frame_count, 3);
  for (int i = 0; i < 3; i++) {
    same_text(got->frames[i].function, frames[i].function);
    same_text(got->frames[i].file, frames[i].file);
    assert_true(got->frames[i].line == frames[i].line && got->frames[i].column == frames[i].column);
  }
  assert_int_equal(got->extent_count, 2);
  for (int i = 0; i < 2; i++) {
    same_text(got->extents[i].file, extents[i].file);
    assert_true(got->extents[i].address == extents[i].address && got->extents[i].first == extents[i].first &&
                got->extents[i].last == extents[i].last);
  }
}

static void written_and_read(void **state) {
  (void)state;
  struct trace_folder folder;
  make(&folder);
  prof_trace *trace = case_open(&folder);
  assert_false(prof_trace_is_packed(trace));
  prof_trace_close(trace);
  pack(&folder, "int x;\n");
  pack(&folder, "");
  trace = case_open(&folder);
  struct prof_packed *packed;
  assert_true(prof_trace_is_packed(trace));
  assert_int_equal(prof_trace_packed(trace, NULL, &packed), PROF_OK);
  assert_int_equal(packed->line_count, 2);
  compare(&packed->lines[0]);
  compare(&packed->lines[1]);
  assert_int_equal(packed->source_count, 2);
  assert_string_equal(packed->sources[0].path, "/a.c");
  assert_string_equal(packed->sources[0].text, "int x;\n");
  assert_true(packed->sources[0].changed == 99 && packed->sources[1].bytes == 0);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  assert_true(damage.chunks_damaged == 0 && damage.bytes_skipped == 0 && !damage.cut);
  prof_packed_free(packed);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* What was torn off at the end costs itself only. */
static void behind_a_torn_end(void **state) {
  (void)state;
  for (size_t more = 1; more < 20; more += 3) {
    struct trace_folder folder;
    size_t bytes;
    make(&folder);
    unsigned char *data = trace_folder_read(&folder, &bytes);
    data = realloc(data, bytes + more);
    memset(data + bytes, 0x5a, more);
    trace_folder_write(&folder, data, bytes + more);
    free(data);
    pack(&folder, "int x;\n");
    prof_trace *trace = case_open(&folder);
    struct prof_packed *packed;
    assert_int_equal(prof_trace_packed(trace, NULL, &packed), PROF_OK);
    assert_int_equal(packed->line_count, 1);
    compare(&packed->lines[0]);
    prof_packed_free(packed);
    prof_trace_close(trace);
    trace_folder_remove(&folder);
  }
}

/* The recorder was killed while it wrote: wherever the file ends, what is appended is found. */
static void behind_a_cut_chunk(void **state) {
  (void)state;
  struct trace_folder folder;
  size_t bytes;
  make(&folder);
  unsigned char *data = trace_folder_read(&folder, &bytes);
  size_t last = bytes;
  while (data[last - 1] == 0) /* zeros that are missing are put there again */
    last--;
  for (size_t end = last - 1; end > bytes / 2; end -= 1 + bytes / 300) {
    trace_folder_write(&folder, data, end);
    prof_trace *trace = case_open(&folder);
    uint64_t events = prof_trace_info(trace)->events;
    prof_trace_close(trace);
    pack(&folder, "int x;\n");
    trace = case_open(&folder);
    struct prof_packed *packed;
    assert_int_equal(prof_trace_packed(trace, NULL, &packed), PROF_OK);
    assert_int_equal(packed->line_count, 1);
    compare(&packed->lines[0]);
    assert_false(prof_trace_info(trace)->complete);
    assert_int_equal(prof_trace_info(trace)->events, events);
    prof_packed_free(packed);
    prof_trace_close(trace);
  }
  free(data);
  trace_folder_remove(&folder);
}

/* Bytes of the payloads changed, checksums made right again: taken whole or not at all. */
static void any_bytes(void **state) {
  (void)state;
  struct trace_folder folder;
  size_t bytes, begin;
  make(&folder);
  free(trace_folder_read(&folder, &begin));
  pack(&folder, "int x;\n");
  unsigned char *whole = trace_folder_read(&folder, &bytes), *data = malloc(bytes);
  uint64_t seed = seed_of(4242);
  size_t refused = 0;
  for (int round = 0; round < 1500; round++) {
    memcpy(data, whole, bytes);
    struct prof_format_chunk *head = (struct prof_format_chunk *)(data + begin);
    assert_int_equal(head->kind, PROF_FORMAT_PACK);
    assert_int_equal(head->codec, PROF_FORMAT_STORED);
    unsigned char *payload = data + begin + sizeof *head;
    for (uint64_t changes = 1 + case_random(&seed) % 3; changes > 0; changes--)
      payload[case_random(&seed) % head->raw_bytes] =
          (unsigned char)(case_random(&seed) % 3 ? case_random(&seed) : 0xff);
    head->payload_crc = (uint32_t)crc32(0, payload, head->packed_bytes);
    head->header_crc = (uint32_t)crc32(0, (const Bytef *)head, offsetof(struct prof_format_chunk, header_crc));
    trace_folder_write(&folder, data, bytes);
    struct trace_touched touched;
    assert_int_equal(trace_touch(folder.path, NULL, &touched), PROF_OK);
    refused += touched.damage.chunks_damaged > 0;
  }
  assert_true(refused > 100);
  free(data);
  free(whole);
  trace_folder_remove(&folder);
}

static void not_twice_at_once(void **state) {
  (void)state;
  struct trace_folder folder;
  make(&folder);
  prof_writer *writer = append_to(&folder), *other;
  char path[256];
  struct prof_diag diag;
  snprintf(path, sizeof path, "%s/trace", folder.path);
  assert_int_equal(prof_writer_append_to(path, 0, &diag, &other), PROF_USAGE);
  assert_null(other);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  assert_int_equal(prof_writer_append_to("/nowhere/trace", 0, &diag, &other), PROF_NOT_FOUND);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_and_read), cmocka_unit_test(behind_a_torn_end), cmocka_unit_test(behind_a_cut_chunk),
      cmocka_unit_test(any_bytes),        cmocka_unit_test(not_twice_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
