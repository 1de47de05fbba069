/*
 * test/unit/test_trace_clock.c - ticks to nanoseconds and back, against exact division in 128 bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trace/read/clock.h"

typedef unsigned __int128 wide;

static uint64_t exact(uint64_t value, uint64_t numerator, uint64_t denominator) {
  wide result = ((wide)value * numerator + denominator / 2) / denominator;
  return result >> 64 ? UINT64_MAX : (uint64_t)result;
}

static void near(uint64_t got, uint64_t wanted) {
  assert_true((got > wanted ? got - wanted : wanted - got) <= 1 + wanted / ((uint64_t)1 << 60));
}

static void against_division(void **state) {
  (void)state;
  static const uint64_t frequencies[] = {
      1,          3,          1000,       24000000,   999999999,           1000000000,
      1000000001, 2250000000, 2596133000, 5000000000, 999999999999999999u, UINT64_MAX};
  static const uint64_t values[] = {
      0, 1, 2, 3, 22, 45, 1000, 999999999, 123456789012, 1u << 31, 864000ull * 2250000000u, UINT64_MAX / 3, UINT64_MAX};
  for (size_t f = 0; f < sizeof frequencies / sizeof *frequencies; f++) {
    struct prof_clock clock = prof_clock_make(frequencies[f]);
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
      near(prof_clock_ns(&clock, values[v]), exact(values[v], 1000000000, frequencies[f]));
      near(prof_clock_ticks(&clock, values[v]), exact(values[v], frequencies[f], 1000000000));
    }
  }
}

static void ten_days_to_the_nanosecond(void **state) {
  (void)state;
  const uint64_t frequency = 2596133123, day = frequency * 86400;
  struct prof_clock clock = prof_clock_make(frequency);
  for (uint64_t days = 1; days <= 10; days++) {
    assert_int_equal(prof_clock_ns(&clock, days * day), days * 86400 * 1000000000);
    assert_int_equal(prof_clock_ticks(&clock, days * 86400 * 1000000000), days * day);
  }
}

static void one_to_one(void **state) {
  (void)state;
  struct prof_clock clock = prof_clock_make(1000000000), unknown = prof_clock_make(0);
  for (uint64_t value = 1; value; value *= 2) {
    assert_int_equal(prof_clock_ns(&clock, value), value);
    assert_int_equal(prof_clock_ticks(&unknown, value + 1), value + 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_division),
      cmocka_unit_test(ten_days_to_the_nanosecond),
      cmocka_unit_test(one_to_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
