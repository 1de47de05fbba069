/*
 * test_jumps.c - searches that begin at the right place, against counting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "source/jumps.h"

struct item {
  uint64_t address;
  uint32_t other;
};

enum { MOST = 200 };

static int compare(const void *left, const void *right) {
  uint64_t a = ((const struct item *)left)->address, b = ((const struct item *)right)->address;
  return a < b ? -1 : a > b;
}

static void check(const struct item *items, size_t count, uint64_t address) {
  size_t wanted = 0;
  while (wanted < count && items[wanted].address <= address)
    wanted++;
  struct prof_jumps jumps = {0};
  assert_int_equal(prof_jumps_upto(&jumps, items, count, sizeof *items, address), wanted);
  assert_true(prof_jumps_make(&jumps, items, count, sizeof *items));
  assert_int_equal(prof_jumps_upto(&jumps, items, count, sizeof *items, address), wanted);
  prof_jumps_fini(&jumps);
}

static void as_counted(void **state) {
  (void)state;
  uint64_t seed = 3;
  struct item items[MOST];
  for (int round = 0; round < 300; round++) {
    size_t count = (size_t)round % MOST;
    unsigned narrow = (unsigned)(round % 64); /* from addresses all over to many equal ones */
    for (size_t i = 0; i < count; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      items[i] = (struct item){seed >> narrow, 0xffffffff};
    }
    if (count > 1)
      qsort(items, count, sizeof *items, compare);
    for (int probe = 0; probe < 20; probe++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      check(items, count, seed >> narrow);
      if (count > 0)
        check(items, count, items[(seed >> 33) % count].address - (uint64_t)(probe % 3) + 1);
    }
    check(items, count, 0);
    check(items, count, UINT64_MAX);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
