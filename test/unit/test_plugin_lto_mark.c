/* test_plugin_lto_mark.c - the mark of an LTO unit is known again, and nothing else is taken for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lto_mark.h"

static void a_mark_is_known_again(void **state) {
  struct prof_unit unit = {.compiler = "GNU C17 12.2.0", .source = "dir/\"odd\".c"};
  struct prof_text text = {0};
  (void)state;
  prof_lto_mark_add(&text, &unit);
  assert_false(text.failed);
  assert_true(prof_lto_mark_is(prof_text_string(&text), text.length));
  assert_true(prof_lto_mark_is(prof_text_string(&text), text.length + 1)); /* with its NUL, as compilers keep it */
  assert_non_null(strstr(prof_text_string(&text), ".string \"GNU C17 12.2.0\""));
  assert_non_null(strstr(prof_text_string(&text), "odd"));
  assert_null(strstr(prof_text_string(&text), "\"odd\""));
  prof_text_fini(&text);
}

static void other_assembler_text_is_not(void **state) {
  static const char *const others[] = {"", "\t.pushsection", "nop", "\t.pushsection .prof_facts_v1,\"\",@progbits\n"};
  (void)state;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false(prof_lto_mark_is(others[i], strlen(others[i])));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_mark_is_known_again),
                                     cmocka_unit_test(other_assembler_text_is_not)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
