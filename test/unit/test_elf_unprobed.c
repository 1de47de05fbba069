/*
 * test_elf_unprobed.c - this program holds marks of two LTO units and a record that is none, and reads itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "source/no_probes.h"
#include "source/unprobed.h"

#define MARK(length, kind, strings)                                                                                    \
  ".pushsection .prof_lto_v1,\"\",@progbits\n.p2align 3\n.long " length "\n.short " kind ", 1\n.long 1, 0\n.quad 0\n"  \
  ".ascii \"" strings "\"\n.p2align 3\n.popsection\n"

__asm__(MARK("40", "4", "GNU C\\0one.c\\0") MARK("40", "3", "GNU C\\0not.c\\0") MARK("40", "4", "GNU C\\0two.c\\0")
            MARK("40", "4", "no end of string") /* 16 bytes without a NUL */
        MARK("999992", "4", "GNU C\\0far.c\\0") /* longer than the section: ends the walk */
        MARK("40", "4", "GNU C\\0lost.c\\0"));

static void counts_units_and_names_the_first(void **state) {
  struct prof_elf_unprobed found;
  (void)state;
  assert_true(prof_elf_unprobed_find("/proc/self/exe", &found));
  assert_int_equal(found.units, 2);
  assert_string_equal(found.first, "one.c");
}

static void a_program_of_such_units_was_linked_without_the_plugin(void **state) {
  (void)state;
  assert_int_equal(prof_no_probes_find("/proc/self/exe"), PROF_NO_PROBES_LTO);
}

static void files_without_any(void **state) {
  struct prof_elf_unprobed found = {.units = 7};
  (void)state;
  assert_false(prof_elf_unprobed_find("/bin/sh", &found));
  assert_int_equal(found.units, 0);
  assert_false(prof_elf_unprobed_find("/nowhere/at/all", &found));
  assert_false(prof_elf_unprobed_find("/etc/passwd", &found));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_units_and_names_the_first),
      cmocka_unit_test(a_program_of_such_units_was_linked_without_the_plugin),
      cmocka_unit_test(files_without_any),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
