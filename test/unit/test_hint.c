/* test_hint.c - what the shell makes of a word is the word, as `sh` itself says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "command/hint.h"

static void assert_shell_reads(const char *word) {
  char quoted[PROF_HINT_BYTES], command[PROF_HINT_BYTES + 64], back[PROF_HINT_BYTES];
  snprintf(command, sizeof command, "printf %%s %s", prof_hint_word(quoted, word));
  FILE *shell = popen(command, "r");
  assert_non_null(shell);
  back[fread(back, 1, sizeof back - 1, shell)] = 0;
  assert_int_equal(pclose(shell), 0);
  assert_string_equal(back, word);
}

static void test_words(void **state) {
  (void)state;
  static const char *const words[] = {"main",
                                      "std::vector<int>::operator[](unsigned long)",
                                      "it's",
                                      "''",
                                      "a b",
                                      "$HOME `id`",
                                      "x*?[a]",
                                      "~",
                                      "#",
                                      "",
                                      "core::ops::{closure#0}",
                                      "f[abi:cxx11]",
                                      "a\\b",
                                      "-x",
                                      "!!",
                                      "\"",
                                      "\xc3\xa4"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    assert_shell_reads(words[i]);
}

static void test_plain_words_stay(void **state) {
  char quoted[PROF_HINT_BYTES];
  (void)state;
  assert_string_equal(prof_hint_word(quoted, "ns::f"), "ns::f");
  assert_string_equal(prof_hint_word(quoted, "../a.prof"), "../a.prof");
  assert_string_equal(prof_hint_word(quoted, "f(int)"), "'f(int)'");
  assert_string_equal(prof_hint_word(quoted, "a\nb"), "'a\\x0ab'");
}

static void test_long_words_are_cut(void **state) {
  char word[3 * PROF_HINT_BYTES], quoted[PROF_HINT_BYTES];
  (void)state;
  memset(word, '\'', sizeof word - 1);
  word[sizeof word - 1] = 0;
  prof_hint_word(quoted, word);
  assert_true(strlen(quoted) < PROF_HINT_BYTES);
  prof_hint_input(quoted, word);
  assert_true(strlen(quoted) < PROF_HINT_BYTES);
}

static void test_input(void **state) {
  char text[PROF_HINT_BYTES];
  (void)state;
  assert_string_equal(prof_hint_input(text, "prof.data"), "");
  assert_string_equal(prof_hint_input(text, "/tmp/x.prof"), " -i /tmp/x.prof");
  assert_string_equal(prof_hint_input(text, "my prof"), " -i 'my prof'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_plain_words_stay),
      cmocka_unit_test(test_long_words_are_cut),
      cmocka_unit_test(test_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
