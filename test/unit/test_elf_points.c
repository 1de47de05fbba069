/*
 * test_elf_points.c - this program holds points of its own, written by hand, and reads itself: two of one name, a
 * copied sled, other units, a name that isn't there, a function with a value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "point.h"
#include "source/elf_module_read.h"

#define ROW(sled, kind) ".pushsection prof_rows_v1,\"a\",@progbits\n.long " sled " - .\n.long " kind "\n.popsection\n"
#define FACTS(text) ".pushsection .prof_facts_v1,\"\",@progbits\n.p2align 3\n" text ".popsection\n"
#define POINT(sled, name, unit, line, what)                                                                            \
  FACTS(".long 48\n.short 7, 1\n.quad " sled "," name "," unit ", .Lpfile\n.long " line "\n.short 1," what "\n")

#define PROBE(sled, kind) FACTS(".long 32\n.short 1, 1\n.quad " sled ", 0x77\n.long " kind ", 5\n")
#define NAMED(sled, name) FACTS(".long 24\n.short 8, 1\n.quad " sled "\n.asciz \"" name "\"\n.p2align 3\n")
#define FUNCTION                                                                                                       \
  FACTS(".long 40\n.short 2, 1\n.quad 0x77\n.long 1, 1, 0\n.short 1, 0\n.asciz \"valued\"\n.byte 0\n.p2align 3\n")

__asm__(
    ".text\n"
    ".type points_host, @function\n"
    ".p2align 4\npoints_host: .cfi_startproc\nnop\n.Lp0: nop\n.Lp1: nop\n.Lp2: nop\n.Lp3: nop\n.Lp4: nop\n.Lp7: "
    "nop\n.Lp8: ret\n"
    ".cfi_endproc\n.size points_host, . - points_host\n"
    ".type gate_host, @function\n"
    ".p2align 4\ngate_host: .cfi_startproc\nnop\n.Lp5: nop\n.Lp6: ret\n.cfi_endproc\n.size gate_host, . - gate_host\n"
    ".section .rodata\n.Lpname: .asciz \"a {point} of %s\"\n.Lpsame: .asciz \"a {point} of %s\"\n.Lpnone: .byte 0\n"
    ".Lpunit: .asciz \"items\"\n.Lpfile: .asciz \"p.c\"\n.text\n" /**/
    ROW(".Lp0", "1") ROW(".Lp1", "0x1006") ROW(".Lp2", "0x1026") ROW(".Lp2", "0x1026") ROW(".Lp3", "0x1026")
        ROW(".Lp4", "0x102e") ROW(".Lp0", "0x1006") ROW(".Lp5", "1") ROW(".Lp6", "0x1007") /**/
    ROW(".Lp7", "0x1028") ROW(".Lp8", "0x1038") PROBE(".Lp7", "0x1028") PROBE(".Lp8", "0x1038") NAMED(".Lp7", "key")
        NAMED(".Lp8", "") FUNCTION /**/
            POINT(".Lp1", ".Lpname", ".Lpnone", "12", "1") POINT(".Lp2", ".Lpname", ".Lpunit", "14", "3")
                POINT(".Lp3", ".Lpsame", ".Lpunit", "13", "3") POINT(".Lp4", ".Lpnone", ".Lpnone", "15", "4")
                    POINT(".Lp0", "0xfffffffffffffff0", ".Lpnone", "16", "1"));

enum { HOST, MARK, COUNTER, COPY, SAME, VALUE, BAD, GATE_HOST, GATE, ARGUMENT, RETURNED };

static const struct prof_elf_point *point_of(const struct prof_elf_module *module, uint32_t site) {
  uint32_t point = module->sites[site].point;
  return point == PROF_ELF_NO_POINT ? NULL : &module->points[point];
}

static void points(void **state) {
  (void)state;
  struct prof_elf_module *module;
  assert_int_equal(prof_elf_module_read("/proc/self/exe", NULL, &module), PROF_OK);
  assert_int_equal(module->point_count, 5);
  assert_null(point_of(module, HOST));
  assert_null(point_of(module, BAD));
  const struct prof_elf_point *counter = point_of(module, COUNTER);
  assert_ptr_equal(point_of(module, COPY), counter);
  assert_ptr_equal(point_of(module, SAME), counter);
  assert_string_equal(counter->name, "a {point} of %s");
  assert_string_equal(counter->unit, "items");
  assert_string_equal(counter->file, "p.c");
  assert_int_equal(counter->line, 13); /* the first */
  assert_int_equal(counter->what, PROF_POINT_COUNTER);
  assert_int_equal(point_of(module, MARK)->what, PROF_POINT_MARK);
  assert_string_equal(point_of(module, VALUE)->name, "(empty)");
  for (uint32_t site = MARK; site <= BAD; site++)
    assert_int_equal(module->sites[site].function, PROF_ELF_NO_FUNCTION);
  assert_true(module->functions[module->sites[HOST].function].has_zones); /* a budget keeps the call of a value */
  assert_int_equal(module->sites[GATE].function, PROF_ELF_NO_FUNCTION);
  assert_null(point_of(module, GATE));
  assert_true(module->functions[module->sites[GATE_HOST].function].has_zones); /* it may begin zones */
  assert_int_equal(point_of(module, ARGUMENT)->what, PROF_POINT_ARGUMENT);
  assert_string_equal(point_of(module, ARGUMENT)->name, "key");
  assert_int_equal(point_of(module, RETURNED)->what, PROF_POINT_RETURNED);
  assert_string_equal(point_of(module, RETURNED)->name, "returned");
  assert_string_equal(module->functions[module->sites[ARGUMENT].function].name, "valued");
  assert_int_equal(module->sites[RETURNED].function, module->sites[ARGUMENT].function);
  assert_int_equal(module->sites[ARGUMENT].line, 5);
  prof_elf_module_free(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
