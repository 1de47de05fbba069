/* test_units.c - numbers for people, at the edges where digits carry over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/units.h"

static void durations_keep_three_digits(void **state) {
  (void)state;
  static const struct {
    uint64_t ns;
    const char *shown;
  } cases[] = {
      {0, "0 ns"},
      {999, "999 ns"},
      {1000, "1.00 us"},
      {9994, "9.99 us"},
      {9996, "10.0 us"},
      {99949, "99.9 us"},
      {99960, "100 us"},
      {999499, "999 us"},
      {999500, "1.00 ms"},
      {1234567, "1.23 ms"},
      {999500000, "1.00 s"},
      {59900000000, "59.9 s"},
      {999499000000, "999 s"},
      {7500000000000, "2h 05m"},
      {UINT64_MAX, "5124095h 35m"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char out[PROF_UNITS_BYTES];
    assert_string_equal(prof_units_duration(out, cases[i].ns), cases[i].shown);
  }
}

static void counts_are_grouped(void **state) {
  (void)state;
  char out[PROF_UNITS_BYTES];
  assert_string_equal(prof_units_count(out, 0), "0");
  assert_string_equal(prof_units_count(out, 999), "999");
  assert_string_equal(prof_units_count(out, 1000), "1,000");
  assert_string_equal(prof_units_count(out, UINT64_MAX), "18,446,744,073,709,551,615");
}

static void short_counts_and_bytes(void **state) {
  (void)state;
  char out[PROF_UNITS_BYTES];
  assert_string_equal(prof_units_bytes(out, 1023), "1023 B");
  assert_string_equal(prof_units_bytes(out, 1536), "1.50 KiB");
  assert_string_equal(prof_units_bytes(out, UINT64_C(4) << 30), "4.00 GiB");
  assert_string_equal(prof_units_bytes(out, UINT64_MAX), "16.0 EiB");
}

static void shares_never_hide_a_little(void **state) {
  (void)state;
  char out[PROF_UNITS_BYTES];
  assert_string_equal(prof_units_share(out, 0), "0.0%");
  assert_string_equal(prof_units_share(out, 0.0004), "<0.1%");
  assert_string_equal(prof_units_share(out, 0.123), "12.3%");
  assert_string_equal(prof_units_share(out, 1), "100.0%");
}

static void values_have_their_unit(void **state) {
  (void)state;
  char out[PROF_UNITS_VALUE_BYTES];
  assert_string_equal(prof_units_value(out, 7, "items"), "7 items");
  assert_string_equal(prof_units_value(out, -2.25, ""), "-2.25");
  assert_string_equal(prof_units_value(out, 63.25, "C"), "63.2 C");
  assert_string_equal(prof_units_value(out, 1536, "bytes/s"), "1.50 KiB/s");
  assert_string_equal(prof_units_value(out, -1, "bytes"), "-1 bytes");
  assert_string_equal(prof_units_value(out, 1.5e300, "%"), "1.5e+300 %");
  assert_string_equal(prof_units_value(out, 0.0001234, "s"), "0.000123 s");
  assert_string_equal(prof_units_value(out, 1, "\x1b[31m"), "1 \\x1b[31m");
  assert_true(strlen(prof_units_value(out, -1.234e-300, "a unit with a name that is far too long for a cell")) < 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(durations_keep_three_digits), cmocka_unit_test(counts_are_grouped),
      cmocka_unit_test(short_counts_and_bytes),      cmocka_unit_test(shares_never_hide_a_little),
      cmocka_unit_test(values_have_their_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
