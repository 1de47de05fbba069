/*
 * test_record_log_reader.c - the log of the shared region: finished, unfinished and garbled records.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/region/log_reader.h"

static struct prof_region region;
static struct prof_log_reader reader;
static struct prof_log_view view;

static int setup(void **state) {
  (void)state;
  struct prof_diag diag;
  memset(&reader, 0, sizeof reader);
  return prof_region_create(&region, 1 << 20, PROF_WHEN_FULL_WAIT, &diag) == PROF_OK ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  prof_region_destroy(&region);
  return 0;
}

/* As the runtime does it; `finished` false: the writer dies before the last store. */
static uint8_t *append(uint32_t kind, const void *fixed, size_t bytes, const char *text, bool finished) {
  size_t all = (bytes + strlen(text) + 1 + 7) & ~(size_t)7;
  uint8_t *to = (uint8_t *)(uintptr_t)region.log + region.control->log_tail;
  region.control->log_tail += all;
  struct prof_log_head head = {0, (uint32_t)all};
  memcpy(to + sizeof head, (const uint8_t *)fixed + sizeof head, bytes - sizeof head);
  memcpy(to + bytes, text, strlen(text) + 1);
  head.kind = finished ? kind : 0;
  memcpy(to, &head, sizeof head);
  return to;
}

static uint8_t *append_process(uint32_t number, bool finished) {
  struct prof_log_process process = {.process = number, .pid = 100 + (int)number};
  return append(PROF_LOG_PROCESS, &process, sizeof process, "/bin/program", finished);
}

static void in_order(void **state) {
  (void)state;
  struct prof_log_module module = {.process = 1, .first_site = 5, .site_count = 3};
  struct prof_log_number number = {.process = 1};
  assert_false(prof_log_next(&reader, &region, &view));
  append_process(1, true);
  append(PROF_LOG_MODULE, &module, sizeof module, "/lib/x.so", true);
  append(PROF_LOG_ERROR, &number, sizeof number, "a text", true);
  assert_true(prof_log_next(&reader, &region, &view));
  assert_int_equal(view.kind, PROF_LOG_PROCESS);
  assert_int_equal(view.process.pid, 101);
  assert_string_equal(view.text, "/bin/program");
  assert_true(prof_log_next(&reader, &region, &view));
  assert_int_equal(view.module.first_site, 5);
  assert_string_equal(view.text, "/lib/x.so");
  assert_true(prof_log_next(&reader, &region, &view));
  assert_string_equal(view.text, "a text");
  assert_false(prof_log_next(&reader, &region, &view));
  assert_int_equal(reader.garbled, 0);
}

static void finish_record(uint8_t *record, uint32_t bytes) {
  struct prof_log_head head = {PROF_LOG_PROCESS, bytes};
  memcpy(record, &head, sizeof head);
}

static uint32_t length_of(const uint8_t *record) {
  uint32_t bytes;
  memcpy(&bytes, record + offsetof(struct prof_log_head, bytes), sizeof bytes);
  return bytes;
}

static void next_is(uint32_t process) {
  assert_true(prof_log_next(&reader, &region, &view));
  assert_int_equal(view.kind, PROF_LOG_PROCESS);
  assert_int_equal(view.process.process, process);
}

/* It holds up nobody; its record comes later, and may never come. */
static void passes_over_the_slow(void **state) {
  (void)state;
  uint8_t *slow = append_process(1, false);
  append_process(2, true);
  next_is(2);
  assert_int_equal(reader.late_count, 1);
  assert_false(prof_log_next(&reader, &region, &view));
  assert_false(prof_log_waits(&reader, &region));
  append_process(3, true);
  assert_true(prof_log_waits(&reader, &region));
  next_is(3);
  finish_record(slow, length_of(slow));
  assert_true(prof_log_waits(&reader, &region));
  next_is(1);
  assert_int_equal(reader.late_count + reader.garbled, 0);
  assert_false(prof_log_next(&reader, &region, &view));
  assert_false(prof_log_waits(&reader, &region));
}

/* As if nothing was stored yet; returns the length to come. */
static uint32_t blank(uint8_t *record) {
  uint32_t bytes = length_of(record);
  memset(record, 0, bytes);
  return bytes;
}

static void write_again(uint8_t *record, uint32_t bytes, uint32_t number) {
  const struct prof_log_process process = {
      .head = {PROF_LOG_PROCESS, bytes}, .process = number, .pid = 100 + (int)number};
  memcpy(record, &process, sizeof process);
}

/* Its writer hasn't even said the length. */
static void passes_over_the_nameless(void **state) {
  (void)state;
  uint8_t *slow = append_process(1, false);
  uint32_t bytes = blank(slow);
  assert_false(prof_log_next(&reader, &region, &view));
  append_process(2, true);
  append_process(3, true);
  next_is(2);
  assert_int_equal(reader.late_count, 1);
  next_is(3);
  assert_false(prof_log_next(&reader, &region, &view));
  write_again(slow, bytes, 1);
  next_is(1);
  assert_int_equal(reader.late_count + reader.garbled, 0);
}

/* Several without a length in a row are one part; each of them may get its length first. */
static void nameless_in_a_row(void **state) {
  (void)state;
  enum { COUNT = 4 };
  for (unsigned order = 0; order < COUNT; order++) {
    uint8_t *slow[COUNT];
    uint32_t bytes[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
      bytes[i] = blank(slow[i] = append_process(i, false));
    append_process(100, true);
    next_is(100);
    assert_int_equal(reader.late_count, 1);
    for (uint32_t i = 0; i < COUNT; i++) {
      uint32_t at = (i * 3 + order) % COUNT; /* 3 and 4 have no common divisor */
      write_again(slow[at], bytes[at], 10 + at);
      memset(slow[at], 0, sizeof(uint32_t)); /* the kind: a length, but not finished */
      assert_false(prof_log_next(&reader, &region, &view));
      assert_false(prof_log_next(&reader, &region, &view));
      assert_false(prof_log_waits(&reader, &region));
      finish_record(slow[at], bytes[at]);
      assert_true(prof_log_waits(&reader, &region));
      next_is(10 + at);
      assert_false(prof_log_next(&reader, &region, &view));
    }
    assert_int_equal(reader.late_count + reader.garbled, 0);
  }
}

/* More of them than are remembered are counted. */
static void many_dead(void **state) {
  (void)state;
  for (uint32_t i = 0; i <= PROF_LOG_LATE_MAX; i++)
    append_process(i + 1, false);
  append_process(7777, true);
  next_is(7777);
  assert_int_equal(reader.late_count, PROF_LOG_LATE_MAX);
  assert_int_equal(reader.garbled, 1);
}

/* A length that can't be, of a record that was passed over. */
static void damaged_later(void **state) {
  (void)state;
  uint8_t *slow = append_process(1, false);
  append_process(2, true);
  next_is(2);
  const struct prof_log_head head = {0, length_of(slow) + 8};
  memcpy(slow, &head, sizeof head);
  assert_false(prof_log_next(&reader, &region, &view));
  assert_int_equal(reader.late_count, 0);
  assert_int_equal(reader.garbled, 1);
}

static void unknown_and_short(void **state) {
  (void)state;
  struct prof_log_number number = {.process = 3};
  append(99, &number, sizeof number, "later version", true);
  append(PROF_LOG_MODULE, &number, sizeof number, "", true); /* too short for its kind */
  append_process(7, true);
  assert_true(prof_log_next(&reader, &region, &view));
  assert_int_equal(view.process.process, 7);
  assert_int_equal(reader.garbled, 2);
}

static void text_without_end(void **state) {
  (void)state;
  static char text[6000];
  memset(text, 'x', sizeof text - 1);
  struct prof_log_number number = {.process = 3};
  uint8_t *record = append(PROF_LOG_ERROR, &number, sizeof number, text, true);
  memset(record + sizeof number, 'y', sizeof text);
  region.control->log_tail += 8;
  assert_true(prof_log_next(&reader, &region, &view));
  assert_int_equal(strlen(view.text), sizeof reader.text - 1);
}

static void nonsense(void **state) {
  (void)state;
  uint32_t seed = 11;
  uint8_t *log = (uint8_t *)(uintptr_t)region.log;
  for (int round = 0; round < 3000; round++) {
    memset(&reader, 0, sizeof reader);
    for (size_t i = 0; i < 256; i++) {
      seed = seed * 1664525u + 1013904223u;
      log[i] = seed >> 28 ? 0 : (uint8_t)(seed >> 16);
    }
    region.control->log_tail = round % 2 ? 256 : UINT64_MAX - (seed >> 8);
    int records = 0;
    while (records < 1000 && prof_log_next(&reader, &region, &view)) {
      assert_true(strlen(view.text) < sizeof reader.text);
      records++;
    }
    assert_true(records < 1000);
    assert_true(reader.at <= PROF_REGION_LOG_BYTES);
  }
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      CASE(in_order),  CASE(passes_over_the_slow), CASE(passes_over_the_nameless), CASE(nameless_in_a_row),
      CASE(many_dead), CASE(damaged_later),        CASE(unknown_and_short),        CASE(text_without_end),
      CASE(nonsense),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
