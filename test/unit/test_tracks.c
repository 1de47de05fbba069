/*
 * test_tracks.c - fewer items of tracks: the longest and the extreme ones stay, and the counts add up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/tracks.h"

static void fill(struct prof_tracks *tracks, enum prof_track_kind kind, uint32_t count) {
  struct prof_track track = {.kind = kind, .name = "", .unit = "", .all = count};
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t length = kind == PROF_TRACK_FRAMES ? 10 + i * 7919 % 13 + (i == count / 3 ? 1000 : 0) : 0;
    const double value = i == count / 2 ? -5 : i == count / 4 ? 1e6 : (double)(i % 100);
    const struct prof_track_item item = {
        .begin_ns = 2000ull * i, .end_ns = 2000ull * i + length, .value = value, .name = "", .count = 1};
    assert_true(prof_vec_push(&track.items, item));
  }
  assert_true(prof_vec_push(&tracks->list, track));
}

static uint64_t sum_of(const struct prof_tracks *tracks, size_t at) {
  uint64_t sum = 0;
  for (size_t i = 0; i < tracks->list.items[at].items.count; i++)
    sum += tracks->list.items[at].items.items[i].count;
  return sum;
}

static void few_items_stay_as_they_are(void **state) {
  (void)state;
  struct prof_tracks tracks = {.list = {NULL, 0, 0}};
  fill(&tracks, PROF_TRACK_FRAMES, 50);
  prof_tracks_thin(&tracks, 50);
  assert_int_equal(tracks.list.items[0].items.count, 50);
  prof_tracks_fini(&tracks);
}

static void large_tracks_get_fewer_items_first(void **state) {
  (void)state;
  struct prof_tracks tracks = {.list = {NULL, 0, 0}};
  fill(&tracks, PROF_TRACK_FRAMES, 10000);
  fill(&tracks, PROF_TRACK_MARKS, 40);
  fill(&tracks, PROF_TRACK_COUNTER, 5000);
  prof_tracks_thin(&tracks, 1000);
  uint64_t all = 0;
  for (size_t i = 0; i < 3; i++)
    all += tracks.list.items[i].items.count;
  assert_in_range(all, 500, 1000);
  assert_int_equal(tracks.list.items[1].items.count, 40);
  assert_int_equal(sum_of(&tracks, 0), 10000);
  assert_int_equal(sum_of(&tracks, 2), 5000);
  prof_tracks_fini(&tracks);
}

static void the_longest_and_the_extremes_stay(void **state) {
  (void)state;
  struct prof_tracks tracks = {.list = {NULL, 0, 0}};
  fill(&tracks, PROF_TRACK_FRAMES, 9000);
  fill(&tracks, PROF_TRACK_COUNTER, 9000);
  prof_tracks_thin(&tracks, 20);
  uint64_t longest = 0;
  double least = 0, most = 0;
  for (size_t i = 0; i < tracks.list.items[0].items.count; i++) {
    const struct prof_track_item *item = &tracks.list.items[0].items.items[i];
    longest = item->end_ns - item->begin_ns > longest ? item->end_ns - item->begin_ns : longest;
  }
  for (size_t i = 0; i < tracks.list.items[1].items.count; i++) {
    const struct prof_track_item *item = &tracks.list.items[1].items.items[i];
    assert_true(i == 0 || item->begin_ns > item[-1].begin_ns);
    least = item->value < least ? item->value : least;
    most = item->value > most ? item->value : most;
  }
  assert_true(longest >= 1010);
  assert_true(least == -5 && most == 1e6);
  prof_tracks_fini(&tracks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_items_stay_as_they_are),
      cmocka_unit_test(large_tracks_get_fewer_items_first),
      cmocka_unit_test(the_longest_and_the_extremes_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
