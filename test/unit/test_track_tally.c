/*
 * test_track_tally.c - counters in time within a bound: figures stay exact, parts grow; bytes and back; malformed ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tally/track_tally.h"
#include "trace/bytes.h"

enum { TRACKS = 200, VALUES = 40000 };
#define STEP_NS 3000000ull

static uint32_t track(struct prof_track_tally *tally, uint32_t process) {
  char name[] = "queue", unit[] = "items";
  const struct prof_track_sum like = {.process = process, .divisor = 1, .name = name, .unit = unit};
  return prof_track_tally_meet(tally, &like);
}

static double value_of(uint32_t i) {
  return (double)((int64_t)(i * 7919ull % VALUES) - 100);
}

static void make(struct prof_track_tally *tally, uint32_t tracks, uint32_t values) {
  *tally = (struct prof_track_tally){.part_count = 0};
  for (uint32_t i = 0; i < values; i++)
    for (uint32_t process = 1; process <= tracks; process++) {
      const uint32_t at = track(tally, process);
      assert_true(
          prof_track_tally_value(tally, at, (struct prof_track_moment){i * STEP_NS, value_of(i)}, value_of(i), 1));
    }
}

/* Figures of all values, from the parts; parts are in order. */
static void check(const struct prof_track_sum *sum, uint32_t shift, uint32_t values) {
  double least = INFINITY, most = -INFINITY, amount = 0;
  uint64_t count = 0;
  for (uint32_t i = 0; i < values; i++)
    amount += value_of(i);
  for (size_t i = 0; i < sum->parts.count; i++) {
    const struct prof_track_part *part = &sum->parts.items[i];
    least = fmin(least, part->least.value);
    most = fmax(most, part->most.value);
    count += part->count;
    assert_true(i == 0 || part->number > sum->parts.items[i - 1].number);
    assert_true(part->least.time_ns >> shift == part->number && part->most.time_ns >> shift == part->number);
    assert_true(part->last.time_ns >> shift == part->number);
  }
  assert_true(least == -100 && most == VALUES - 101 && sum->amount == amount && sum->weight == values);
  assert_int_equal(count, values);
  assert_int_equal(sum->count, values);
  const struct prof_track_moment last = sum->parts.items[sum->parts.count - 1].last;
  assert_true(last.time_ns == (values - 1) * STEP_NS && last.value == value_of(values - 1));
}

static void parts_grow(void **state) {
  (void)state;
  struct prof_track_tally tally;
  make(&tally, 1, VALUES);
  check(&tally.tracks.items[0], tally.shift, VALUES);
  assert_in_range(tally.part_count, PROF_TRACK_PARTS / 2, PROF_TRACK_PARTS);
  prof_track_tally_fini(&tally);
}

static void all_have_a_limit(void **state) {
  (void)state;
  struct prof_track_tally tally;
  make(&tally, TRACKS, 400);
  assert_in_range(tally.part_count, PROF_TRACK_ALL_PARTS / 4, PROF_TRACK_ALL_PARTS);
  assert_int_equal(tally.tracks.items[TRACKS - 1].count, 400);
  prof_track_tally_fini(&tally);
}

static void tracks_have_a_limit(void **state) {
  (void)state;
  struct prof_track_tally tally = {.part_count = 0};
  for (uint32_t process = 1; process <= PROF_TRACK_ROWS; process++)
    assert_int_equal(track(&tally, process), process - 1);
  assert_int_equal(track(&tally, PROF_TRACK_ROWS + 1), UINT32_MAX);
  assert_int_equal(track(&tally, 7), 6);
  prof_track_tally_fini(&tally);
}

/* Threads of a stretch come one after another. */
static void late_values(void **state) {
  (void)state;
  struct prof_track_tally tally = {.part_count = 0};
  const uint32_t at = track(&tally, 1);
  for (uint32_t turn = 0; turn < 2; turn++)
    for (uint64_t i = turn; i < 600; i += 2)
      assert_true(prof_track_tally_value(&tally, at, (struct prof_track_moment){i << 20, (double)i}, (double)i, 1));
  assert_true(prof_track_tally_value(&tally, at, (struct prof_track_moment){0, NAN}, NAN, 1));
  const struct prof_track_sum *sum = &tally.tracks.items[0];
  assert_int_equal(sum->others, 1);
  for (size_t i = 0; i < sum->parts.count; i++) {
    assert_int_equal(sum->parts.items[i].number, i);
    assert_true(sum->parts.items[i].last.value == sum->parts.items[i].most.value);
  }
  assert_true(sum->parts.items[sum->parts.count - 1].last.value == 599);
  prof_track_tally_clear(&tally);
  assert_int_equal(tally.part_count + tally.tracks.items[0].count, 0);
  prof_track_tally_fini(&tally);
}

static void put(const struct prof_track_tally *tally, struct prof_payload *payload) {
  *payload = (struct prof_payload){0};
  prof_track_tally_write(tally, payload);
  assert_false(payload->failed);
}

static void bytes_and_back(void **state) {
  (void)state;
  struct prof_track_tally tally, same;
  struct prof_payload first, second;
  make(&tally, 3, 1000);
  assert_true(prof_vec_push(&tally.tracks.items[1].readings, ((struct prof_reading){5, 7})));
  put(&tally, &first);
  assert_int_equal(prof_track_tally_read(first.items, first.count, &same), PROF_OK);
  put(&same, &second);
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.items, second.items, first.count);
  assert_int_equal(same.part_count, tally.part_count);
  prof_track_tally_fini(&same);
  prof_track_tally_fini(&tally);
  prof_vec_fini(&first);
  prof_vec_fini(&second);
}

/* Cut anywhere, or with a byte changed: refused, or read as something else that has the limits. */
static void malformed(void **state) {
  (void)state;
  struct prof_track_tally tally, read;
  struct prof_payload payload;
  make(&tally, 2, 30);
  assert_true(prof_vec_push(&tally.tracks.items[1].readings, ((struct prof_reading){5, 7})));
  put(&tally, &payload);
  prof_track_tally_fini(&tally);
  for (size_t i = 0; i < payload.count; i++) {
    assert_int_equal(prof_track_tally_read(payload.items, i, &read), PROF_CORRUPT);
    prof_track_tally_fini(&read);
    const uint8_t was = payload.items[i];
    for (unsigned change = 1; change < 256; change *= 3) {
      payload.items[i] = (uint8_t)(was ^ change);
      const prof_status status = prof_track_tally_read(payload.items, payload.count, &read);
      assert_true(status == PROF_OK || status == PROF_CORRUPT);
      if (status == PROF_OK && read.tracks.count > 0)
        assert_true(prof_track_tally_value(&read, 0, (struct prof_track_moment){1, 1}, 1, 1));
      prof_track_tally_fini(&read);
    }
    payload.items[i] = was;
  }
  prof_vec_fini(&payload);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_grow),  cmocka_unit_test(all_have_a_limit), cmocka_unit_test(tracks_have_a_limit),
      cmocka_unit_test(late_values), cmocka_unit_test(bytes_and_back),   cmocka_unit_test(malformed),
  };
  return cmocka_run_group_tests_name("track_tally", tests, NULL, NULL);
}
