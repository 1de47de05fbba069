/* test_values.c - what the command line may say, and what it may not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "command/options/values.h"
#include "study/recording.h"

static void durations(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t ns;
  } good[] = {{"0", 0},           {"250ns", 250},     {"10us", 10000},     {"1.5ms", 1500000},
              {"2s", 2000000000}, {".5s", 500000000}, {"3m", 180000000000}};
  static const char *const bad[] = {"",      "s",           "-1",  "1e3", "10 us",
                                    "1.2.3", "5lightyears", "inf", "nan", "99999999999h"};
  struct prof_diag diag;
  uint64_t ns;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_int_equal(prof_value_duration("--time", good[i].text, &ns, &diag), PROF_OK);
    assert_int_equal(ns, good[i].ns);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(prof_value_duration("--time", bad[i], &ns, &diag), PROF_USAGE);
    assert_non_null(strstr(diag.what, "--time="));
    assert_non_null(strstr(diag.remedy, "10us"));
  }
  assert_int_equal(prof_value_duration("-t", "5", &ns, &diag), PROF_USAGE);
  assert_string_equal(diag.what, "-t=5 has no unit");
  assert_string_equal(diag.remedy, "write the unit: 5ns, 5us, 5ms or 5s");
}

static void sizes(void **state) {
  (void)state;
  struct prof_diag diag;
  uint64_t bytes;
  assert_int_equal(prof_value_size("--max-size", "4G", &bytes, &diag), PROF_OK);
  assert_int_equal(bytes, UINT64_C(4) << 30);
  assert_int_equal(prof_value_size("--max-size", "64KiB", &bytes, &diag), PROF_OK);
  assert_int_equal(bytes, 65536);
  assert_int_equal(prof_value_size("--max-size", "4 elephants", &bytes, &diag), PROF_USAGE);
}

static void counts(void **state) {
  (void)state;
  static const char *const bad[] = {"", "0", "-3", "+3", "3x", "11", "99999999999999999999999"};
  struct prof_diag diag;
  uint64_t count;
  assert_int_equal(prof_value_count("--depth", "10", 1, 10, &count, &diag), PROF_OK);
  assert_int_equal(count, 10);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(prof_value_count("--depth", bad[i], 1, 10, &count, &diag), PROF_USAGE);
}

static void ranges(void **state) {
  (void)state;
  struct prof_diag diag;
  struct prof_range range;
  assert_int_equal(prof_value_range("--range", "1s~2s", &range, &diag), PROF_OK);
  assert_int_equal(range.begin_ns, 1000000000);
  assert_int_equal(range.end_ns, 2000000000);
  assert_int_equal(prof_value_range("--range", "50%~", &range, &diag), PROF_OK);
  assert_true(range.begin_is_share && !range.end_is_share);
  assert_true(range.begin_share == 0.5);
  assert_true(range.end_ns == UINT64_MAX);
  assert_int_equal(prof_value_range("--range", "~10ms", &range, &diag), PROF_OK);
  assert_int_equal(range.end_ns, 10000000);
  static const char *const bad[] = {"", "5", "2s~1s", "1s~1s", "x~y", "101%~", "60%~40%", "~-3"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(prof_value_range("--range", bad[i], &range, &diag), PROF_USAGE);
}

static void shares_and_words(void **state) {
  (void)state;
  static const char *const words[] = {"table", "json", "csv", NULL};
  struct prof_diag diag;
  double share;
  int index;
  assert_int_equal(prof_value_share("--min-share", "0.5%", &share, &diag), PROF_OK);
  assert_true(share == 0.005);
  assert_int_equal(prof_value_share("--min-share", "101", &share, &diag), PROF_USAGE);
  assert_int_equal(prof_value_word("--format", "csv", words, &index, &diag), PROF_OK);
  assert_int_equal(index, 2);
  assert_int_equal(prof_value_word("--format", "jsn", words, &index, &diag), PROF_USAGE);
  assert_string_equal(diag.remedy, "did you mean --format=json?");
  assert_int_equal(prof_value_word("--format", "parquet", words, &index, &diag), PROF_USAGE);
  assert_string_equal(diag.remedy, "give one of: table json csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(durations),        cmocka_unit_test(sizes), cmocka_unit_test(counts), cmocka_unit_test(ranges),
      cmocka_unit_test(shares_and_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
