/* test_line_times.c - analysis/lines/line_times.c: objects as wire/times.h has them, and damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/lines/line_times.h"
#include "row.h"
#include "times.h"

#define MUTATIONS 20000
static const char texts[] = "f\n/src/a.c\0g\n/src/b.h";

struct sample {
  struct prof_times_object head;
  struct prof_times_slot slots[3];
  struct prof_times_place places[3];
  char texts[sizeof texts];
};

static struct sample sample_make(void) {
  struct sample sample = {
      .head = {PROF_TIMES_MAGIC, 3, sizeof texts, 25000, 20000, {0}},
      .slots = {{1000, 10}, {500, 4}, {300, 4}},
      .places = {{7, PROF_PROBE_LINE | PROF_ROW_LINE_BEGINS, 0, 0},
                 {7, PROF_PROBE_LINE | PROF_ROW_LINE_CALLS, 0, 0},
                 {9, PROF_PROBE_LINE | PROF_ROW_LINE_GOES_ON, 11, 0}},
  };
  memcpy(sample.texts, texts, sizeof texts);
  return sample;
}

static void slots_become_items(void **state) {
  struct sample sample = sample_make();
  struct prof_count_block block = {0, 0, (const uint8_t *)&sample, sizeof sample};
  struct prof_line_times times = {0};
  (void)state;
  assert_true(prof_line_times_are(&block));
  assert_int_equal(prof_line_times_add(&times, &block), PROF_OK);
  assert_int_equal(times.items.count, 3);
  assert_int_equal(times.readings, 18);
  assert_true(times.cost_ticks == 18 * 25.0);
  const struct prof_line_time *items = times.items.items;
  assert_string_equal(items[0].function, "f");
  assert_string_equal(items[0].file, "/src/a.c");
  assert_int_equal(items[0].line, 7);
  assert_int_equal(items[0].begun, 10);
  assert_false(items[0].in_calls);
  assert_true(items[0].cost_ticks == 10 * 20.0);
  assert_true(items[1].in_calls);
  assert_int_equal(items[1].begun, 0);
  assert_string_equal(items[2].function, "g");
  assert_string_equal(items[2].file, "/src/b.h");
  assert_int_equal(items[2].begun, 0);
  assert_int_equal(items[2].readings, 4);
  prof_line_times_fini(&times);
}

static void damaged_objects_are_refused(void **state) {
  struct sample sample = sample_make();
  uint32_t seed = 1, refused = 0;
  (void)state;
  for (int i = 0; i < MUTATIONS; i++) {
    size_t bytes = i % 4 ? sizeof sample : (seed >> 8) % sizeof sample;
    uint8_t *copy = malloc(bytes + 1); /* its own, so that a read past its end is seen */
    assert_non_null(copy);
    memcpy(copy, &sample, bytes);
    seed = seed * 1664525u + 1013904223u;
    if (i % 4)
      copy[(seed >> 8) % bytes] = (uint8_t)(seed >> 24);
    struct prof_count_block block = {0, 0, copy, bytes};
    struct prof_line_times times = {0};
    prof_status status = prof_line_times_add(&times, &block);
    assert_true(status == PROF_OK || status == PROF_CORRUPT);
    for (size_t j = 0; j < times.items.count; j++)
      assert_true(strlen(times.items.items[j].file) + strlen(times.items.items[j].function) < 2 * sizeof texts);
    refused += status == PROF_CORRUPT;
    prof_line_times_fini(&times);
    free(copy);
  }
  assert_true(refused > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slots_become_items),
      cmocka_unit_test(damaged_objects_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
