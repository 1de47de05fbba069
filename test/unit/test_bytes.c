/*
 * test_bytes.c - numbers and texts out of bytes that may end too early.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "source/bytes.h"

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__})

static void numbers(void **state) {
  (void)state;
  struct prof_bytes bytes = prof_bytes_from(BYTES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), 0);
  assert_int_equal(prof_bytes_u8(&bytes), 1);
  assert_int_equal(prof_bytes_u16(&bytes), 0x0302);
  assert_int_equal(prof_bytes_u32(&bytes), 0x07060504);
  assert_int_equal(prof_bytes_u64(&bytes), 0x0f0e0d0c0b0a0908);
  assert_false(bytes.bad);
  assert_int_equal(prof_bytes_u8(&bytes), 0);
  assert_true(bytes.bad);
}

static void numbers_cut_short(void **state) {
  (void)state;
  struct prof_bytes bytes = prof_bytes_from(BYTES(1, 2, 3), 0);
  assert_int_equal(prof_bytes_u32(&bytes), 0);
  assert_true(bytes.bad);
  assert_int_equal(prof_bytes_left(&bytes), 0);
  bytes = prof_bytes_from(BYTES(1, 2, 3), 4); /* begins beyond the end */
  assert_true(bytes.bad);
  assert_int_equal(prof_bytes_u8(&bytes), 0);
  bytes = prof_bytes_from(BYTES(1, 2, 3), 1);
  prof_bytes_skip(&bytes, UINT64_MAX);
  assert_true(bytes.bad);
  bytes = prof_bytes_from(BYTES(1, 2, 3, 4, 5, 6, 7, 8, 9), 0);
  assert_int_equal(prof_bytes_number(&bytes, 9), 0); /* wider than a number */
  assert_true(bytes.bad);
}

static void leb128(void **state) {
  (void)state;
  /* The examples of DWARF 5, figures 22 and 23. */
  static const struct {
    uint8_t bytes[3];
    uint64_t value;
  } unsigned_ones[] = {{{2}, 2}, {{127}, 127}, {{0x80, 1}, 128}, {{0x81, 1}, 129}, {{57 + 0x80, 100}, 12857}};
  static const struct {
    uint8_t bytes[3];
    int64_t value;
  } signed_ones[] = {{{2}, 2},         {{0x7e}, -2},         {{127 + 0x80, 0}, 127}, {{1 + 0x80, 0x7f}, -127},
                     {{0x80, 1}, 128}, {{0x80, 0x7f}, -128}, {{0x81, 1}, 129},       {{127 + 0x80, 0x7e}, -129}};
  for (size_t i = 0; i < sizeof unsigned_ones / sizeof *unsigned_ones; i++) {
    struct prof_bytes bytes = prof_bytes_from(unsigned_ones[i].bytes, 3, 0);
    assert_int_equal(prof_bytes_uleb(&bytes), unsigned_ones[i].value);
  }
  for (size_t i = 0; i < sizeof signed_ones / sizeof *signed_ones; i++) {
    struct prof_bytes bytes = prof_bytes_from(signed_ones[i].bytes, 3, 0);
    assert_int_equal(prof_bytes_sleb(&bytes), signed_ones[i].value);
  }
}

static void leb128_long_or_endless(void **state) {
  (void)state;
  struct prof_bytes bytes =
      prof_bytes_from(BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x85, 0x80, 0x80, 0), 0);
  assert_int_equal(prof_bytes_uleb(&bytes), UINT64_MAX);
  assert_int_equal(prof_bytes_uleb(&bytes), 5); /* padded */
  assert_false(bytes.bad);
  bytes = prof_bytes_from(BYTES(0x80, 0x80, 0x80), 0);
  assert_int_equal(prof_bytes_uleb(&bytes), 0);
  assert_true(bytes.bad);
  bytes = prof_bytes_from(BYTES(0xff, 0xff), 0);
  assert_int_equal(prof_bytes_sleb(&bytes), 0);
  assert_true(bytes.bad);
  bytes = prof_bytes_from(BYTES(0x80, 0x80, 0x80), 0);
  prof_bytes_leb_skip(&bytes);
  assert_true(bytes.bad);
}

static void texts(void **state) {
  (void)state;
  struct prof_bytes bytes = prof_bytes_from(BYTES('a', 'b', 0, 0, 'c'), 0);
  assert_string_equal(prof_bytes_text(&bytes), "ab");
  assert_string_equal(prof_bytes_text(&bytes), "");
  assert_null(prof_bytes_text(&bytes)); /* without an end */
  assert_true(bytes.bad);
  bytes = prof_bytes_from(NULL, 0, 0);
  assert_null(prof_bytes_text(&bytes));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers), cmocka_unit_test(numbers_cut_short),
      cmocka_unit_test(leb128),  cmocka_unit_test(leb128_long_or_endless),
      cmocka_unit_test(texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
