/* test_suggest.c - near words are offered, far ones are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "command/options/suggest.h"

static const char *nearest(const char *word) {
  static const char *const words[] = {"record", "report", "replay", "tree", "flame", "export", "info", NULL};
  struct prof_suggest suggest;
  prof_suggest_init(&suggest, word);
  for (size_t i = 0; words[i]; i++)
    prof_suggest_offer(&suggest, words[i]);
  return suggest.best;
}

static void distance_counts_edits(void **state) {
  (void)state;
  assert_int_equal(prof_suggest_distance("", ""), 0);
  assert_int_equal(prof_suggest_distance("abc", ""), 3);
  assert_int_equal(prof_suggest_distance("report", "repotr"), 1);
  assert_int_equal(prof_suggest_distance("kitten", "sitting"), 3);
}

static void near_words_are_found(void **state) {
  (void)state;
  assert_string_equal(nearest("reprot"), "report");
  assert_string_equal(nearest("recrod"), "record");
  assert_string_equal(nearest("flam"), "flame");
  assert_string_equal(nearest("exp"), "export");
}

static void far_words_are_not(void **state) {
  (void)state;
  assert_null(nearest("lua"));
  assert_null(nearest("x"));
  assert_null(nearest("a-word-that-is-longer-than-any-command-of-ours-by-a-good-deal-really"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distance_counts_edits),
      cmocka_unit_test(near_words_are_found),
      cmocka_unit_test(far_words_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
