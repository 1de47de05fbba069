/* test_plugin_twice.c - functions that return twice are known by name, with a C library's prefixes, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twice.h"

static void known(void **state) {
  static const char *const names[] = {"setjmp",  "_setjmp",    "__setjmp",     "sigsetjmp", "__sigsetjmp", "vfork",
                                      "__vfork", "getcontext", "__getcontext", "savectx",   "__xsetjmp"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_true(prof_name_returns_twice(names[i]));
}

static void others(void **state) {
  static const char *const names[] = {"",        "_",         "__x",       "fork",      "longjmp",
                                      "setjmp2", "my_setjmp", "___setjmp", "setcontext"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_false(prof_name_returns_twice(names[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known), cmocka_unit_test(others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
