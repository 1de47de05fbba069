/*
 * test/unit/test_trace_delta_columns.c - deltas of many kinds, written as columns, come back from both ways of reading.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/read/cursor_inline.h"
#include "trace/write/delta_columns.h"

#define MOST 131072u

static uint64_t state = 1;

static uint32_t next_random(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

static uint32_t stepping(void) {
  return 26 * (1 + next_random() % 40) - next_random() % 2;
}
static uint32_t of_all_sizes(void) {
  return next_random() >> next_random() % 31;
}
static uint32_t evenly_spread(void) {
  return next_random() % 60000;
}
static uint32_t of_one_byte(void) { /* most of them: eight in a row, and four */
  return next_random() % 30 ? 256 - (1 + next_random() % 256) / (1 + next_random() % 2) : 300;
}
static uint32_t always_the_same(void) {
  return 3;
}
static uint32_t more_than_fit(void) { /* 300 that are equally frequent: 45 find no room */
  return 7 * (next_random() % 300);
}
static uint32_t with_long_pauses(void) {
  return next_random() % 50 ? 22 + next_random() % 3 : UINT32_MAX - next_random() % 5;
}

static const struct {
  uint32_t (*next)(void);
  bool table; /* expected for a full chunk; never for fewer than 512 events */
} kinds[] = {
    {stepping, true},      {of_all_sizes, false},    {evenly_spread, false}, {always_the_same, true},
    {more_than_fit, true}, {with_long_pauses, true}, {of_one_byte, true},
};

/* A chunk around the columns, as decode.c makes it. */
static void lay_out(struct prof_chunk *chunk, const struct prof_format_events *head, uint32_t count, uint8_t *columns,
                    uint32_t *table) {
  memcpy(table, columns, head->table_bytes);
  uint8_t *codes = columns + head->table_bytes, *lengths = codes + (head->table_bytes ? count : 0);
  uint8_t *deltas = lengths + head->length_bytes;
  *chunk = (struct prof_chunk){.event_count = count,
                               .base_time = 1000,
                               .codes = head->table_bytes ? codes : NULL,
                               .table = table,
                               .lengths = lengths,
                               .deltas = deltas,
                               .side = deltas + head->delta_bytes,
                               .side_end = deltas + head->delta_bytes};
}

/* writer: NULL: quickly. */
static void check(struct prof_delta_columns *writer, uint32_t (*next)(void), uint32_t count, bool table_expected) {
  static uint32_t deltas[MOST], table[PROF_FORMAT_TABLE_LIMIT + 1];
  static uint64_t times[MOST];
  static uint8_t ops[MOST]; /* exits */
  uint8_t *columns = malloc(prof_delta_columns_bound(count) + 16);
  assert_non_null(columns);
  for (uint32_t i = 0; i < count; i++)
    deltas[i] = next();
  struct prof_format_events head = {.event_count = count};
  const uint8_t *end = writer ? prof_delta_columns_write(writer, deltas, count, columns, &head)
                              : prof_delta_columns_write_quickly(deltas, count, columns, &head);
  assert_true((size_t)(end - columns) <= prof_delta_columns_bound(count));
  if (count == MOST || count < 512)
    assert_int_equal(head.table_bytes != 0, count == MOST && table_expected);
  assert_true(head.table_bytes <= 4 * PROF_FORMAT_TABLE_LIMIT);

  struct prof_chunk chunk;
  lay_out(&chunk, &head, count, columns, table);
  chunk.ops = ops;
  assert_ptr_equal(chunk.side, end);
  struct prof_times position;
  prof_times_begin(&position, &chunk);
  for (uint32_t at = 0, got; at < count; at += got)
    assert_true((got = prof_times_next(&position, times + at, 256)) > 0);
  assert_ptr_equal(position.delta, end);
  struct prof_cursor cursor;
  struct prof_step step;
  prof_cursor_begin(&cursor, &chunk);
  uint64_t time = 1000;
  for (uint32_t i = 0; i < count; i++) {
    time += deltas[i];
    assert_true(prof_cursor_next(&cursor, &step));
    assert_true(times[i] == time && step.time == time);
  }
  free(columns);
}

static void test_there_and_back(void **unused) {
  (void)unused;
  static const uint32_t counts[] = {1, 3, 7, 8, 9, 511, 512, 1000, 4099, MOST};
  struct prof_delta_columns *writer = prof_delta_columns_new();
  assert_non_null(writer);
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
      check(writer, kinds[kind].next, counts[i], kinds[kind].table);
      check(NULL, kinds[kind].next, counts[i], false);
    }
  prof_delta_columns_free(writer);
}

/* A writer with a ceiling adds so much for each event that may come: PROF_ENCODER_SLOT_BYTES, with all else of it. */
static void test_bound_grows_evenly(void **unused) {
  (void)unused;
  for (uint32_t count = 0; count < 5000; count++)
    assert_true(prof_delta_columns_bound(count + 1) - prof_delta_columns_bound(count) <= 8);
}

/* What is repeated costs a byte, not two. */
static void test_bytes(void **unused) {
  (void)unused;
  static uint32_t deltas[MOST];
  struct prof_delta_columns *writer = prof_delta_columns_new();
  uint8_t *columns = malloc(prof_delta_columns_bound(MOST));
  assert_true(writer && columns);
  for (uint32_t i = 0; i < MOST; i++)
    deltas[i] = i % 2 ? 5000 : 12000;
  struct prof_format_events head = {.event_count = MOST};
  const uint8_t *end = prof_delta_columns_write(writer, deltas, MOST, columns, &head);
  assert_int_equal(head.table_bytes, 8);
  assert_int_equal(head.length_bytes + head.delta_bytes, 0);
  assert_int_equal(end - columns, 8 + MOST);
  free(columns);
  prof_delta_columns_free(writer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_there_and_back),
      cmocka_unit_test(test_bound_grows_evenly),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
