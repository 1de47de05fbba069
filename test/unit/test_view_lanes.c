/*
 * test_view_lanes.c - levels of detail: nothing is lost when steps get coarser, and the bytes read back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "proftrace.h"
#include "viewer/lanes.h"

static uint32_t seed = 1;
static uint32_t below(uint32_t limit) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % limit;
}

struct sums {
  uint64_t calls, ns;
};

/* Of a lane: calls and time, and whether both kinds of records are in order and of the right length. */
static struct sums sums_of(const struct prof_lane *lane, uint32_t shift) {
  struct sums sums = {0, 0};
  for (size_t i = 0; i < lane->calls.count; i++) {
    const struct prof_lane_call *call = &lane->calls.items[i];
    assert_true(shift == 0 || call->length >> shift > 0);
    assert_true(i == 0 || call->begin >= call[-1].begin + call[-1].length);
    sums.calls++;
    sums.ns += call->length;
  }
  for (size_t i = 0; i < lane->cells.count; i++) {
    const struct prof_lane_cell *cell = &lane->cells.items[i];
    assert_true(i == 0 || cell->bucket > cell[-1].bucket);
    assert_true(cell->calls > 0);
    assert_true(cell->weight <= cell->cover);
    sums.calls += cell->calls;
    sums.ns += cell->cover;
  }
  return sums;
}

static void few_calls_stay_as_they_are(void **state) {
  (void)state;
  struct prof_lanes lanes;
  prof_lanes_init(&lanes, 100);
  uint32_t lane = prof_lanes_add_lane(&lanes, PROF_LANE_CALLS, 3, 1);
  assert_int_equal(lane, 0);
  for (uint64_t i = 0; i < 100; i++)
    prof_lanes_add(&lanes, lane, &(struct prof_lane_call){.begin = 10 * i, .length = i % 3, .frame = (uint32_t)i});
  prof_lanes_finish(&lanes);
  assert_int_equal(lanes.shift, 0);
  assert_int_equal(lanes.items.items[0].calls.count, 100);
  assert_int_equal(lanes.items.items[0].cells.count, 0);
  assert_int_equal(lanes.merged, 0);
  prof_lanes_fini(&lanes);
}

static void many_calls_are_summed(void **state) {
  (void)state;
  enum { LANES = 3, CALLS = 40000, MOST = 500 };
  struct prof_lanes lanes;
  struct sums wanted[LANES] = {{0, 0}};
  uint64_t now[LANES] = {0}, shorter = 0;
  prof_lanes_init(&lanes, MOST);
  for (uint32_t i = 0; i < LANES; i++)
    prof_lanes_add_lane(&lanes, PROF_LANE_CALLS, i, 0);
  for (uint32_t i = 0; i < CALLS; i++) {
    uint32_t lane = below(LANES);
    uint64_t length = below(20) == 0 ? below(100000) : below(300);
    now[lane] += below(50);
    prof_lanes_add(&lanes, lane, &(struct prof_lane_call){.begin = now[lane], .length = length, .frame = below(5)});
    now[lane] += length;
    wanted[lane].calls++;
    wanted[lane].ns += length;
  }
  prof_lanes_finish(&lanes);
  assert_true(lanes.shift > 0 && lanes.records <= MOST);
  for (uint32_t i = 0; i < LANES; i++) {
    struct sums sums = sums_of(&lanes.items.items[i], lanes.shift);
    assert_int_equal(sums.calls, wanted[i].calls);
    assert_int_equal(sums.ns, wanted[i].ns);
    shorter += wanted[i].calls - lanes.items.items[i].calls.count;
  }
  assert_int_equal(lanes.merged, shorter);
  prof_lanes_fini(&lanes);
}

static void a_cell_has_the_frame_of_most_of_its_time(void **state) {
  (void)state;
  struct prof_lanes lanes;
  prof_lanes_init(&lanes, 4);
  prof_lanes_add_lane(&lanes, PROF_LANE_CALLS, 0, 0);
  static const uint32_t frames[] = {1, 7, 2, 7, 3, 7, 4, 7, 7}, lengths[] = {5, 9, 5, 9, 5, 9, 5, 9, 9};
  for (uint64_t i = 0, now = 0; i < 9; now += 10, i++)
    prof_lanes_add(&lanes, 0, &(struct prof_lane_call){.begin = now, .length = lengths[i], .frame = frames[i]});
  lanes.most = 1;
  prof_lanes_finish(&lanes);
  assert_int_equal(lanes.records, 1);
  assert_int_equal(lanes.items.items[0].cells.items[0].calls, 9);
  assert_int_equal(lanes.items.items[0].cells.items[0].cover, 65);
  assert_int_equal(lanes.items.items[0].cells.items[0].frame, 7);
  prof_lanes_fini(&lanes);
}

static void bytes_have_the_layout_of_the_format(void **state) {
  (void)state;
  struct prof_lanes lanes;
  size_t count;
  prof_lanes_init(&lanes, 10);
  prof_lanes_add_lane(&lanes, PROF_LANE_STATES, 2, 0);
  prof_lanes_add(&lanes, 0, &(struct prof_lane_call){.begin = 300, .length = 5, .frame = 1, .flags = 0});
  prof_lanes_add(&lanes, 0, &(struct prof_lane_call){.begin = 306, .length = 200, .frame = 0, .flags = 2});
  prof_lanes_finish(&lanes);
  uint8_t *bytes = prof_lanes_bytes(&lanes, &count);
  /* shift, lanes; kind, thread, depth, calls, cells, length; begin, length, frame, flags */
  static const uint8_t wanted[] = {0, 0, 0, 0, 1, 0, 0,  0, 1, 0, 0,    0, 2, 0, 0,    0, 0, 0, 0, 0, 2, 0,
                                   0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0xac, 2, 1, 5, 0xc8, 1, 1, 0, 0, 2, 0, 0};
  assert_non_null(bytes);
  assert_int_equal(count, sizeof wanted);
  assert_memory_equal(bytes, wanted, sizeof wanted);
  free(bytes);
  prof_lanes_fini(&lanes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_calls_stay_as_they_are),
      cmocka_unit_test(many_calls_are_summed),
      cmocka_unit_test(a_cell_has_the_frame_of_most_of_its_time),
      cmocka_unit_test(bytes_have_the_layout_of_the_format),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
