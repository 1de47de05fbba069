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

#define LATER_NS 1000000000u

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
  assert_false(prof_log_next(&reader, &region, 0, &view));
  append_process(1, true);
  append(PROF_LOG_MODULE, &module, sizeof module, "/lib/x.so", true);
  append(PROF_LOG_ERROR, &number, sizeof number, "a text", true);
  assert_true(prof_log_next(&reader, &region, 0, &view));
  assert_int_equal(view.kind, PROF_LOG_PROCESS);
  assert_int_equal(view.process.pid, 101);
  assert_string_equal(view.text, "/bin/program");
  assert_true(prof_log_next(&reader, &region, 0, &view));
  assert_int_equal(view.module.first_site, 5);
  assert_string_equal(view.text, "/lib/x.so");
  assert_true(prof_log_next(&reader, &region, 0, &view));
  assert_string_equal(view.text, "a text");
  assert_false(prof_log_next(&reader, &region, 0, &view));
  assert_int_equal(reader.garbled, 0);
}

static void waits_for_the_slow(void **state) {
  (void)state;
  uint8_t *slow = append_process(1, false);
  append_process(2, true);
  assert_false(prof_log_next(&reader, &region, 1, &view));
  struct prof_log_head head;
  memcpy(&head, slow, sizeof head);
  head.kind = PROF_LOG_PROCESS;
  memcpy(slow, &head, sizeof head);
  assert_true(prof_log_next(&reader, &region, 2, &view));
  assert_int_equal(view.process.process, 1);
  assert_true(prof_log_next(&reader, &region, 3, &view));
  assert_int_equal(view.process.process, 2);
}

static void finish_record(uint8_t *record, uint32_t bytes) {
  struct prof_log_head head = {PROF_LOG_PROCESS, bytes};
  memcpy(record, &head, sizeof head);
}

/* It holds up nobody for ever; if it was only kept from running, its record comes later. */
static void passes_over_the_dead(void **state) {
  (void)state;
  uint8_t *slow = append_process(1, false);
  append_process(2, true);
  assert_false(prof_log_next(&reader, &region, 1, &view));
  assert_true(prof_log_next(&reader, &region, LATER_NS, &view));
  assert_int_equal(view.process.process, 2);
  assert_int_equal(reader.late_count, 1);
  assert_false(prof_log_next(&reader, &region, 2 * LATER_NS, &view));
  uint32_t bytes;
  memcpy(&bytes, slow + offsetof(struct prof_log_head, bytes), sizeof bytes);
  finish_record(slow, bytes);
  assert_true(prof_log_next(&reader, &region, 3 * LATER_NS, &view));
  assert_int_equal(view.process.process, 1);
  assert_int_equal(reader.late_count + reader.garbled, 0);
  assert_false(prof_log_next(&reader, &region, 4 * LATER_NS, &view));
}

/* Its writer died before it had said even the length. */
static void passes_over_the_nameless(void **state) {
  (void)state;
  uint8_t *slow = append_process(1, false);
  uint32_t bytes;
  memcpy(&bytes, slow + offsetof(struct prof_log_head, bytes), sizeof bytes);
  memset(slow, 0, sizeof(struct prof_log_process) + 16);
  append_process(2, true);
  append_process(3, true);
  assert_false(prof_log_next(&reader, &region, 1, &view));
  assert_true(prof_log_next(&reader, &region, LATER_NS, &view));
  assert_int_equal(view.process.process, 2);
  assert_int_equal(reader.late_count, 1);
  assert_true(prof_log_next(&reader, &region, LATER_NS, &view));
  assert_int_equal(view.process.process, 3);
  finish_record(slow, bytes);
  assert_true(prof_log_next(&reader, &region, LATER_NS, &view));
  assert_int_equal(view.kind, PROF_LOG_PROCESS);
  assert_int_equal(reader.late_count, 0);
}

/* Each is waited for only once; more of them than are remembered are counted. */
static void many_dead(void **state) {
  (void)state;
  for (uint32_t i = 0; i <= PROF_LOG_LATE_MAX; i++)
    append_process(i + 1, false);
  append_process(7777, true);
  uint64_t now_ns = 1;
  while (!prof_log_next(&reader, &region, now_ns, &view))
    now_ns += LATER_NS;
  assert_int_equal(view.process.process, 7777);
  assert_int_equal(reader.late_count, PROF_LOG_LATE_MAX);
  assert_int_equal(reader.garbled, 1);
}

static void unknown_and_short(void **state) {
  (void)state;
  struct prof_log_number number = {.process = 3};
  append(99, &number, sizeof number, "later version", true);
  append(PROF_LOG_MODULE, &number, sizeof number, "", true); /* too short for its kind */
  append_process(7, true);
  assert_true(prof_log_next(&reader, &region, 0, &view));
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
  assert_true(prof_log_next(&reader, &region, 0, &view));
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
    while (records < 1000 && prof_log_next(&reader, &region, (uint64_t)records * LATER_NS, &view)) {
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
      CASE(in_order),  CASE(waits_for_the_slow), CASE(passes_over_the_dead), CASE(passes_over_the_nameless),
      CASE(many_dead), CASE(unknown_and_short),  CASE(text_without_end),     CASE(nonsense),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
