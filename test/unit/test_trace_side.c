/*
 * test/unit/test_trace_side.c - a VALUE that is passed over and one that is read end at the same byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trace/bytes.h"
#include "trace/format.h"
#include "trace/read/cursor_inline.h"

#define AFTER 16 /* bytes behind the event */

static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, 1u << 27, 1u << 31, 1ull << 41, UINT64_MAX};
#define NUMBERS (sizeof numbers / sizeof *numbers)

/* How many bytes each way takes; 0: it did not. */
static void check(const uint8_t *bytes, size_t count, size_t *passed, size_t *taken) {
  struct prof_chunk chunk = {.side = bytes, .side_end = bytes + count};
  struct prof_side one = {bytes}, other = {bytes};
  struct prof_step step;
  uint64_t added;
  *passed = prof_side_pass_value(&one, &chunk) ? (size_t)(one.at - bytes) : 0;
  if (!*passed)
    assert_ptr_equal(one.at, bytes);
  *taken = prof_side_take(&other, &chunk, PROF_CHUNK_OP_SPECIAL, &step, &added) ? (size_t)(other.at - bytes) : 0;
}

static void values_of_all_lengths(void **context) {
  (void)context;
  unsigned passes = 0;
  for (size_t i = 0; i < NUMBERS; i++)
    for (size_t j = 0; j < NUMBERS; j++) {
      uint8_t bytes[1 + 2 * PROF_VARINT_LIMIT + AFTER];
      memset(bytes, 0x81, sizeof bytes);
      bytes[0] = PROF_FORMAT_VALUE;
      uint64_t site = numbers[i] <= UINT32_MAX ? numbers[i] : 5;
      uint8_t *end = prof_varint_put(prof_varint_put(bytes + 1, site), numbers[j]);
      size_t length = (size_t)(end - bytes), passed, taken;
      for (size_t count = 0; count <= length + AFTER; count++) {
        check(bytes, count, &passed, &taken);
        assert_int_equal(taken, count < length ? 0 : length);
        assert_true(passed == 0 || passed == length);
        assert_true(count >= length || passed == 0);
        passes += passed != 0;
      }
    }
  assert_true(passes > NUMBERS * NUMBERS);
}

static void others_are_not_passed(void **context) {
  (void)context;
  for (unsigned code = 0; code < 256; code++) {
    uint8_t bytes[2 * AFTER] = {(uint8_t)code, 1, 1};
    size_t passed, taken;
    check(bytes, sizeof bytes, &passed, &taken);
    assert_int_equal(passed, code == PROF_FORMAT_VALUE ? 3 : 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_of_all_lengths),
      cmocka_unit_test(others_are_not_passed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
