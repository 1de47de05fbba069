/*
 * test/unit/test_live_blocks.c - the table of live blocks against a plain list, with many removals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tally/live_blocks.h"

#define SPACE 700u /* different keys: far more operations than keys, so that they come and go */
#define TURNS 40000u

static uint32_t random_state = 12345;
static uint32_t below(uint32_t limit) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % limit;
}

static void adds_and_takes(void **context) {
  (void)context;
  static uint64_t bytes_of[SPACE]; /* 0: not there */
  struct prof_live_blocks blocks = {0};
  struct prof_live_block block, was;
  size_t live = 0;
  for (uint32_t turn = 1; turn <= TURNS; turn++) {
    const uint32_t key = below(SPACE);
    const uint64_t address = 0x7f0000000000ull + key * 16ull;
    uint64_t *bytes = &bytes_of[key];
    if (below(2)) {
      block = (struct prof_live_block){.address = address, .bytes = turn};
      assert_true(prof_live_blocks_add(&blocks, &block, &was));
      assert_int_equal(was.address, *bytes ? address : 0);
      assert_int_equal(was.bytes, *bytes);
      live += *bytes == 0;
      *bytes = turn;
    } else {
      assert_int_equal(prof_live_blocks_take(&blocks, address, &block), *bytes != 0);
      if (*bytes)
        assert_int_equal(block.bytes, *bytes);
      live -= *bytes != 0;
      *bytes = 0;
    }
    assert_int_equal(blocks.count, live);
    const struct prof_live_block *found = prof_live_blocks_find(&blocks, address);
    assert_int_equal(found ? found->bytes : 0, *bytes);
  }
  prof_live_blocks_fini(&blocks);
}

static void nothing_in_an_empty_one(void **context) {
  (void)context;
  struct prof_live_blocks blocks = {0};
  struct prof_live_block block;
  assert_false(prof_live_blocks_take(&blocks, 16, &block));
  assert_null(prof_live_blocks_find(&blocks, 16));
  prof_live_blocks_fini(&blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(adds_and_takes), cmocka_unit_test(nothing_in_an_empty_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
