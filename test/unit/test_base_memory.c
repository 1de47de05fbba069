/*
 * test/unit/test_base_memory.c - arena and growing arrays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/vec.h"

static void pieces_dont_overlap(void **state) {
  (void)state;
  struct prof_arena arena = {0};
  static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 16384, 16385, 65536, 200000, 3};
  unsigned char *pieces[200];
  for (size_t i = 0; i < 200; i++) {
    size_t bytes = sizes[i % 11];
    pieces[i] = prof_arena_alloc(&arena, bytes);
    assert_non_null(pieces[i]);
    assert_int_equal((uintptr_t)pieces[i] % 16, 0);
    memset(pieces[i], (int)i, bytes);
  }
  for (size_t i = 0; i < 200; i++)
    for (size_t at = 0; at < sizes[i % 11]; at++)
      assert_int_equal(pieces[i][at], (unsigned char)i);
  prof_arena_fini(&arena);
  prof_arena_fini(&arena);
}

static void sizes_that_cant_be(void **state) {
  (void)state;
  struct prof_arena arena = {0};
  assert_null(prof_arena_alloc(&arena, SIZE_MAX));
  assert_null(prof_arena_alloc(&arena, SIZE_MAX / 2 + 1));
  assert_null(prof_arena_array(&arena, SIZE_MAX / 8, 16));
  assert_null(prof_arena_copy(&arena, "", SIZE_MAX));
  prof_arena_fini(&arena);
}

static void copies_end_in_nul(void **state) {
  (void)state;
  struct prof_arena arena = {0};
  assert_string_equal(prof_arena_copy(&arena, "abcdef", 3), "abc");
  assert_string_equal(prof_arena_copy(&arena, NULL, 0), "");
  uint32_t *zeros = prof_arena_array(&arena, 5, sizeof *zeros);
  for (int i = 0; i < 5; i++)
    assert_int_equal(zeros[i], 0);
  prof_arena_fini(&arena);
}

static void arrays_keep_their_items(void **state) {
  (void)state;
  PROF_VEC(uint64_t) numbers = {0};
  for (uint64_t i = 0; i < 100000; i++)
    assert_true(prof_vec_push(&numbers, i * i));
  assert_int_equal(numbers.count, 100000);
  for (uint64_t i = 0; i < 100000; i++)
    assert_int_equal(numbers.items[i], i * i);
  size_t capacity = numbers.capacity;
  assert_false(prof_vec_reserve(&numbers, SIZE_MAX / 2)); /* nothing changes */
  assert_int_equal(numbers.capacity, capacity);
  assert_int_equal(numbers.items[7], 49);
  prof_vec_fini(&numbers);
  assert_null(numbers.items);
  assert_true(prof_vec_reserve(&numbers, 0)); /* even so, items can be pointed at */
  assert_non_null(numbers.items);
  prof_vec_fini(&numbers);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_dont_overlap),
      cmocka_unit_test(sizes_that_cant_be),
      cmocka_unit_test(copies_end_in_nul),
      cmocka_unit_test(arrays_keep_their_items),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
