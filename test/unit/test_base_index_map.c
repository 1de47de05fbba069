/*
 * test_base_index_map.c - indices found by numbers and by keys, equal hashes among them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/index_map.h"
#include "base/vec.h"

enum { MANY = 100000 };

struct item {
  uint64_t first, second;
};

static void numbers_are_found(void **state) {
  (void)state;
  struct prof_index_map map = {0};
  assert_int_equal(prof_index_of(&map, 1), UINT32_MAX);
  for (uint32_t i = 0; i < MANY; i++)
    assert_true(prof_index_add(&map, i * 3, i));
  for (uint32_t i = 0; i < MANY; i++) {
    assert_int_equal(prof_index_of(&map, i * 3), i);
    assert_int_equal(prof_index_of(&map, i * 3 + 1), UINT32_MAX);
  }
  prof_index_fini(&map);
  assert_int_equal(prof_index_of(&map, 0), UINT32_MAX);
}

/* `spread`: how many different hashes there are. */
static void keys_of(uint32_t spread, uint32_t count) {
  struct prof_index_map map = {0};
  PROF_VEC(struct item) items = {0};
  for (int round = 0; round < 2; round++) /* the second finds what the first added */
    for (uint32_t n = 0; n < count; n++) {
      const struct item item = {n * 7919ull << 32, ~(uint64_t)n};
      uint32_t at = prof_index_meet(&map, &items, prof_index_hash(item.first, item.second) % spread, i,
                                    items.items[i].first == item.first && items.items[i].second == item.second, item);
      assert_int_equal(at, n);
    }
  assert_int_equal(items.count, count);
  assert_int_equal(map.count, count);
  assert_int_equal(prof_index_find(&map, 0, i, items.items[i].second == 0), UINT32_MAX);
  prof_index_fini(&map);
  prof_vec_fini(&items);
}

static void keys_are_met_once(void **state) {
  (void)state;
  keys_of(UINT32_MAX, MANY);
}

static void equal_hashes_are_told_apart(void **state) {
  (void)state;
  keys_of(1, 1000);
  keys_of(3, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_found),
      cmocka_unit_test(keys_are_met_once),
      cmocka_unit_test(equal_hashes_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
