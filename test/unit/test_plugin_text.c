/* test_plugin_text.c - cases of plugin-common/text.c and facts.c: what is quoted, and how keys behave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "facts.h"
#include "text.h"

static void literals_are_quoted(void **state) {
  struct prof_text text = {0};
  (void)state;
  assert_string_equal(prof_text_string(&text), "");
  prof_text_add_literal(&text, "a\"b\\c\td\n\x01\x7f\xc3\xb6%{|}~ ");
  assert_string_equal(prof_text_string(&text), "a\\042b\\134c\\011d\\012\\001\\177\\303\\266%{|}~ ");
  prof_text_fini(&text);
}

static void templates_are_escaped(void **state) {
  struct prof_text text = {0};
  (void)state;
  prof_text_add_template(&text, "100% {a|b} c");
  assert_string_equal(prof_text_string(&text), "100%% %{a%|b%} c");
  prof_text_clear(&text);
  prof_text_add_template(&text, "");
  assert_string_equal(prof_text_string(&text), "");
  prof_text_fini(&text);
}

static void fields_stay_on_their_line(void **state) {
  struct prof_text text = {0};
  (void)state;
  prof_text_add_field(&text, "a\tb\nc\\\x1b[31m\xc3\xb6");
  assert_string_equal(prof_text_string(&text), "a\\x09b\\x0ac\\x5c\\x1b[31m\xc3\xb6");
  prof_text_fini(&text);
}

static void long_texts_grow(void **state) {
  struct prof_text text = {0};
  (void)state;
  for (int i = 0; i < 10000; i++)
    prof_text_format(&text, "%d,", i);
  assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4 + 9000 * 5);
  assert_int_equal(strlen(prof_text_string(&text)), text.length);
  assert_false(text.failed);
  prof_text_fini(&text);
}

static void keys_differ_where_they_should(void **state) {
  struct prof_candidate one = {.assembler_name = "f", .unit = "a.c"}, other = one;
  (void)state;
  assert_true(prof_facts_key(1, &one) == prof_facts_key(1, &other));
  assert_true(prof_facts_key(1, &one) != prof_facts_key(2, &one));
  other.unit = "b.c";
  assert_true(prof_facts_key(1, &one) != prof_facts_key(1, &other));
  other = one;
  other.assembler_name = "g";
  assert_true(prof_facts_key(1, &one) != prof_facts_key(1, &other));
  /* The border between the two strings counts. */
  one.unit = "ab", one.assembler_name = "c";
  other.unit = "a", other.assembler_name = "bc";
  assert_true(prof_facts_key(1, &one) != prof_facts_key(1, &other));
}

static void records_have_the_length_that_they_say(void **state) {
  struct prof_text text = {0};
  struct prof_candidate function = {.assembler_name = "name", .recorded_file = "a/b.c", .line = 7, .statements = 3};
  (void)state;
  prof_facts_add_function(&text, 0x1234, &function); /* 32 bytes, then 5 and 6 bytes of strings: 43, so 48 */
  assert_non_null(strstr(prof_text_string(&text), "\t.long 48\n\t.value 2,1\n\t.quad 0x1234\n\t.long 7,3,0\n"));
  prof_text_clear(&text);
  prof_facts_add_unit(&text, "GNU C17 12", "main.c"); /* 16, then 11 and 7: 34, so 40 */
  assert_non_null(strstr(prof_text_string(&text), "\t.long 40\n\t.value 3,1\n"));
  prof_text_fini(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(literals_are_quoted),           cmocka_unit_test(templates_are_escaped),
      cmocka_unit_test(fields_stay_on_their_line),     cmocka_unit_test(long_texts_grow),
      cmocka_unit_test(keys_differ_where_they_should), cmocka_unit_test(records_have_the_length_that_they_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
