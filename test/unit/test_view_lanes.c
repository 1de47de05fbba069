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
#include "viewer/slowest.h"

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

/* A lane of so many calls, from `now` on; the end. */
static uint64_t fill(struct prof_lanes *lanes, uint32_t lane, uint32_t calls, uint64_t now) {
  for (uint32_t i = 0; i < calls; i++) {
    uint64_t length = below(10) == 0 ? below(20000) : below(200);
    now += below(50);
    prof_lanes_add(lanes, lane, &(struct prof_lane_call){.begin = now, .length = length, .frame = below(5)});
    now += length;
  }
  return now;
}

/* A span has each of its calls that is long enough; and the sums of the others, but for a step at its ends. */
static void a_span_is_cut(void **state) {
  (void)state;
  enum { CALLS = 5000, SPANS = 300 };
  struct prof_lanes all, index;
  prof_lanes_init(&all, PROF_LANES_NO_LIMIT);
  prof_lanes_add_lane(&all, PROF_LANE_CALLS, 1, 2);
  uint64_t end = fill(&all, 0, CALLS, 1000);
  prof_lanes_init(&index, PROF_LANES_NO_LIMIT);
  index.shift = 5;
  prof_lanes_add_lane(&index, PROF_LANE_CALLS, 1, 2);
  for (uint32_t i = 0; i < CALLS; i++)
    prof_lanes_add(&index, 0, &all.items.items[0].calls.items[i]);
  for (unsigned i = 0; i < SPANS; i++) {
    struct prof_lane_span span = {.begin = below((uint32_t)end)};
    span.end = span.begin + 1 + below(i % 2 ? 50000 : 500);
    struct prof_lanes cut;
    prof_lanes_init(&cut, PROF_LANES_NO_LIMIT);
    cut.shift = 5 + below(6);
    uint64_t step = 1ull << cut.shift;
    uint32_t lane = prof_lanes_cut(&cut, &index.items.items[0], index.shift, &span);
    struct sums seen = {0, 0}, least = {0, 0}, most = {0, 0};
    size_t at = 0;
    if (lane != PROF_NONE)
      seen = sums_of(&cut.items.items[lane], cut.shift);
    for (uint32_t j = 0; j < CALLS; j++) {
      const struct prof_lane_call *call = &all.items.items[0].calls.items[j];
      bool inside = call->begin < span.end && call->begin + call->length > span.begin;
      if (inside && call->length >= step) {
        assert_true(lane != PROF_NONE && at < cut.items.items[lane].calls.count);
        assert_memory_equal(&cut.items.items[lane].calls.items[at++], call, sizeof *call);
      }
      least.calls += (call->length >= step && inside) || (call->begin >= span.begin && call->begin < span.end);
      most.calls += call->begin < span.end + step && call->begin + call->length + step > span.begin;
    }
    assert_true(lane == PROF_NONE ? at == 0 : at == cut.items.items[lane].calls.count);
    assert_in_range(seen.calls, least.calls, most.calls);
    assert_int_equal(cut.records,
                     lane == PROF_NONE ? 0 : cut.items.items[lane].calls.count + cut.items.items[lane].cells.count);
    prof_lanes_fini(&cut);
  }
  prof_lanes_fini(&all);
  prof_lanes_fini(&index);
}

/* Parts that were coarsened alone are the same as the whole, whatever their borders. */
static void parts_are_joined(void **state) {
  (void)state;
  enum { CALLS = 3000, SHIFT = 7 };
  struct prof_lanes whole, joined, part = {.failed = false};
  prof_lanes_init(&whole, PROF_LANES_NO_LIMIT);
  prof_lanes_init(&joined, PROF_LANES_NO_LIMIT);
  joined.shift = SHIFT;
  prof_lanes_add_lane(&whole, PROF_LANE_CALLS, 0, 0);
  prof_lanes_add_lane(&joined, PROF_LANE_CALLS, 0, 0);
  fill(&whole, 0, CALLS, 0);
  for (uint32_t i = 0; i < CALLS;) {
    prof_lanes_init(&part, PROF_LANES_NO_LIMIT);
    part.shift = below(SHIFT + 1);
    prof_lanes_add_lane(&part, PROF_LANE_CALLS, 0, 0);
    for (uint32_t last = i + 1 + below(40); i < last && i < CALLS; i++)
      prof_lanes_add(&part, 0, &whole.items.items[0].calls.items[i]);
    prof_lanes_coarsen(&part, SHIFT);
    prof_lanes_trim(&part); /* changes no record, and leaves room for none */
    for (size_t j = 0; j < part.items.count; j++) {
      assert_true(part.items.items[j].calls.count == 0 ||
                  part.items.items[j].calls.capacity == part.items.items[j].calls.count);
      assert_true(part.items.items[j].cells.count == 0 ||
                  part.items.items[j].cells.capacity == part.items.items[j].cells.count);
    }
    prof_lanes_append(&joined, 0, &part.items.items[0]);
    prof_lanes_fini(&part);
  }
  prof_lanes_coarsen(&whole, SHIFT);
  const struct prof_lane *a = &whole.items.items[0], *b = &joined.items.items[0];
  assert_int_equal(a->calls.count, b->calls.count);
  assert_memory_equal(a->calls.items, b->calls.items, a->calls.count * sizeof *a->calls.items);
  assert_int_equal(a->cells.count, b->cells.count);
  for (size_t i = 0; i < a->cells.count; i++) {
    assert_int_equal(a->cells.items[i].bucket, b->cells.items[i].bucket);
    assert_int_equal(a->cells.items[i].cover, b->cells.items[i].cover);
    assert_int_equal(a->cells.items[i].calls, b->cells.items[i].calls);
  }
  assert_int_equal(joined.records, b->calls.count + b->cells.count);
  prof_lanes_fini(&whole);
  prof_lanes_fini(&joined);
}

static void the_longest_do_not_depend_on_the_order(void **state) {
  (void)state;
  struct prof_slowest up, down;
  assert_true(prof_slowest_init(&up, 1) && prof_slowest_init(&down, 1));
  for (uint32_t i = 0; i < 60; i++) {
    const struct prof_slow_call one = {.begin_ns = i, .duration_ns = i % 4, .thread = i % 3},
                                other = {.begin_ns = 59 - i, .duration_ns = (59 - i) % 4, .thread = (59 - i) % 3};
    prof_slowest_join(&up, 0, &one);
    prof_slowest_join(&down, 0, &other);
  }
  assert_int_equal(up.counts[0], PROF_SLOWEST_EACH);
  for (unsigned i = 0; i < PROF_SLOWEST_EACH; i++) {
    assert_int_equal(up.calls[0][i].begin_ns, down.calls[0][i].begin_ns);
    assert_int_equal(up.calls[0][i].duration_ns, 3);
  }
  assert_int_equal(up.calls[0][0].begin_ns, 3);
  prof_slowest_fini(&up);
  prof_slowest_fini(&down);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_calls_stay_as_they_are),
      cmocka_unit_test(many_calls_are_summed),
      cmocka_unit_test(a_cell_has_the_frame_of_most_of_its_time),
      cmocka_unit_test(bytes_have_the_layout_of_the_format),
      cmocka_unit_test(a_span_is_cut),
      cmocka_unit_test(parts_are_joined),
      cmocka_unit_test(the_longest_do_not_depend_on_the_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
