/* test_compiler.c - first lines of `--version` of real compilers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "command/compiler.h"

static void versions_are_read(void **state) {
  (void)state;
  static const struct {
    const char *line, *family;
    unsigned major;
  } cases[] = {
      {"gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "gcc", 12},
      {"gcc-11 (Debian 11.3.0-12) 11.3.0", "gcc", 11},
      {"g++ (GCC) 13.1.1 20230614 (Red Hat 13.1.1-4)", "gcc", 13},
      {"GNU Fortran (Ubuntu 9.4.0-1ubuntu1~20.04) 9.4.0", "gcc", 9},
      {"Debian clang version 14.0.6", "clang", 14},
      {"clang version 19.1.0 (a vendor 0a1b2c)", "clang", 19},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct prof_compiler compiler;
    assert_true(prof_compiler_parse(&compiler, cases[i].line));
    assert_string_equal(compiler.family, cases[i].family);
    assert_int_equal(compiler.major, cases[i].major);
  }
}

static void other_programs_are_not_taken(void **state) {
  (void)state;
  struct prof_compiler compiler;
  assert_false(prof_compiler_parse(&compiler, "GNU bash, version 5.2"));
  assert_false(prof_compiler_parse(&compiler, "ls (GNU coreutils) nine"));
  assert_false(prof_compiler_parse(&compiler, ""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(versions_are_read),
      cmocka_unit_test(other_programs_are_not_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
