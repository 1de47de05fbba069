/*
 * test_elf_zones.c - this program holds zones of its own, written by hand, and reads itself: names by address, two
 * addresses of one name, no name, addresses of nothing; functions that have zones in their code; which zone an end by
 * line ends, which zones change their states together, and which are kept, as they end in another function.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "row.h"
#include "source/elf_module_read.h"

#define ROW(sled, kind) ".pushsection prof_rows_v1,\"a\",@progbits\n.long " sled " - .\n.long " kind "\n.popsection\n"
#define FACTS(text) ".pushsection .prof_facts_v1,\"\",@progbits\n.p2align 3\n" text ".popsection\n"
#define PROBE(sled, key, line) FACTS(".long 32\n.short 1, 1\n.quad " sled ", " key "\n.long 0x1001, " line "\n")
#define ZONE(name, line) FACTS(".long 32\n.short 6, 1\n.quad " name ", .Lfile\n.long " line "\n.short 1, 0\n")

__asm__(".text\n"
        ".type host, @function\n"
        ".p2align 4\nhost: .cfi_startproc\nnop\n.Lhost: nop\n.La: nop\n.La2: nop\n.Lend: nop\n.Li: nop\n.Liend: "
        "nop\n.Lline: ret\n.cfi_endproc\n"
        ".size host, . - host\n"
        ".type other, @function\n"
        ".p2align 4\nother: .cfi_startproc\n.Lother: nop\nret\n.cfi_endproc\n"
        ".size other, . - other\n"
        ".cfi_startproc\n.Lempty: nop\n.Lbad: nop\n.cfi_endproc\n"
        ".section .rodata\n.Lname: .asciz \"a {zone} of %s\"\n.Lsame: .asciz \"a {zone} of %s\"\n.Lnone: .byte 0\n"
        ".Lfile: .asciz \"z.c\"\n.text\n" /**/
        ROW(".Lhost", "1") ROW(".La", "0x1001") ROW(".La2", "0x1001") ROW(".Lend", "0x1002") ROW(".Lline", "0x1022")
            ROW(".Lother", "1") ROW(".Lempty", "0x1001") ROW(".Lbad", "0x1001") ROW(".Li", "0x1001")
                ROW(".Liend", "0x1002") /**/
        PROBE(".La", ".Lname", "12") PROBE(".La2", ".Lsame", "11") PROBE(".Lend", ".Lsame", "13")
            PROBE(".Lline", "0", "14") PROBE(".Li", "0x8877665544332211", "20")
                PROBE(".Liend", "0x8877665544332211", "21") /**/
        FACTS(".long 56\n.short 2, 1\n.quad 0x8877665544332211\n.long 20, 0, 0xa0\n.short 1, 0\n.string \"loop z.c:20 "
              "in f\", \"z.c\"\n.p2align 3\n")                                      /**/
        PROBE(".Lempty", ".Lnone", "15") PROBE(".Lbad", "0xfffffffffffffff0", "16") /**/
        ZONE(".Lname", "12") ZONE(".Lsame", "11") ZONE(".Lnone", "15") ZONE("0xfffffffffffffff0", "16"));

/* nest: O (line 50) around I (51); vague: P and Q, and an end of either; begins, ends: R begins here and ends there. */
__asm__(".text\n"
        ".p2align 4\n.cfi_startproc\n.Lnest: nop\n.LO: nop\n.LI: nop\nmovl $51, %eax\nnop\n.LIe: nop\n"
        "movq $50, %rax\n.LOe: nop\n.Lnest_out: ret\n.cfi_endproc\n"
        ".p2align 4\n.cfi_startproc\n.Lvague: nop\n.LP: nop\n.LQ: nop\nmovl $62, %eax\n.Lany: ret\n.cfi_endproc\n"
        ".p2align 4\n.cfi_startproc\n.Lbegins: nop\n.LR: ret\n.cfi_endproc\n"
        ".p2align 4\n.cfi_startproc\n.Lends: nop\n.LRe: ret\n.cfi_endproc\n"
        ".section .rodata\n.LnO: .asciz \"O\"\n.LnI: .asciz \"I\"\n.LnP: .asciz \"P\"\n.LnQ: .asciz \"Q\"\n"
        ".LnR: .asciz \"R\"\n.text\n" /**/
        ROW(".Lnest", "1") ROW(".LO", "0x1001") ROW(".LI", "0x1001") ROW(".LIe", "0x1022") ROW(".LOe", "0x1022")
            ROW(".Lvague", "1") ROW(".LP", "0x1001") ROW(".LQ", "0x1001") ROW(".Lany", "0x1022") ROW(".Lbegins", "1")
                ROW(".LR", "0x1001") ROW(".Lends", "1") ROW(".LRe", "0x1002") /**/
        PROBE(".LO", ".LnO", "50") PROBE(".LI", ".LnI", "51") PROBE(".LP", ".LnP", "60") PROBE(".LQ", ".LnQ", "61")
            PROBE(".LR", ".LnR", "70") PROBE(".LRe", ".LnR", "71") /**/
        ZONE(".LnO", "50") ZONE(".LnI", "51") ZONE(".LnP", "60") ZONE(".LnQ", "61") ZONE(".LnR", "70"));

enum { NEST = 10, O, I, I_END, O_END, VAGUE, P, Q, ANY_END, BEGINS, R, ENDS, R_END };

enum { HOST, ENTRY, ENTRY_SAME, EXIT, EXIT_LINE, OTHER, EMPTY, BAD, ITERATION, ITERATION_END };

static struct prof_elf_module *own(void) {
  struct prof_elf_module *module;
  assert_int_equal(prof_elf_module_read("/proc/self/exe", NULL, &module), PROF_OK);
  return module;
}

static const struct prof_elf_function *function_of(const struct prof_elf_module *module, uint32_t site) {
  uint32_t function = module->sites[site].function;
  return function == PROF_ELF_NO_FUNCTION ? NULL : &module->functions[function];
}

static void equal_names_are_one(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  const struct prof_elf_function *zone = function_of(module, ENTRY);
  assert_non_null(zone);
  assert_string_equal(zone->name, "a {zone} of %s");
  assert_string_equal(zone->file, "z.c");
  assert_int_equal(zone->line, 11); /* the first */
  assert_int_equal(zone->flags, PROF_FUNCTION_ZONE);
  assert_ptr_equal(function_of(module, ENTRY_SAME), zone);
  assert_ptr_equal(function_of(module, EXIT), zone);
  assert_int_equal(module->sites[ENTRY].line, 12);
  assert_int_equal(module->sites[ENTRY].begin, 0);
  prof_elf_module_free(module);
}

static void odd_names(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  assert_null(function_of(module, EXIT_LINE)); /* not the function around it */
  assert_string_equal(function_of(module, EMPTY)->name, "(empty)");
  assert_null(function_of(module, BAD));
  prof_elf_module_free(module);
}

static void iterations_by_key(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  const struct prof_elf_function *loop = function_of(module, ITERATION);
  assert_non_null(loop);
  assert_string_equal(loop->name, "loop z.c:20 in f");
  assert_string_equal(loop->file, "z.c");
  assert_int_equal(loop->line, 20);
  assert_int_equal(loop->flags, PROF_FUNCTION_ZONE | PROF_FUNCTION_ITERATION);
  assert_ptr_equal(function_of(module, ITERATION_END), loop);
  assert_int_equal(module->sites[ITERATION].begin, 0);
  prof_elf_module_free(module);
}

static void functions_with_zones(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  assert_string_equal(function_of(module, HOST)->name, "host");
  assert_true(function_of(module, HOST)->has_zones);
  assert_string_equal(function_of(module, OTHER)->name, "other");
  assert_false(function_of(module, OTHER)->has_zones);
  prof_elf_module_free(module);
}

static bool is_tied(const struct prof_elf_module *module, uint32_t zone_site, uint32_t around_site) {
  uint32_t zone = module->sites[zone_site].function, around = module->sites[around_site].function;
  bool found = false;
  for (uint32_t i = 0; i < module->tie_count; i++)
    found |= module->ties[i].zone == zone && module->ties[i].around == around;
  return found;
}

static void ends_by_line(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  assert_ptr_equal(function_of(module, I_END), function_of(module, I));
  assert_ptr_equal(function_of(module, O_END), function_of(module, O));
  assert_null(function_of(module, ANY_END)); /* no zone of this line */
  assert_int_equal(module->sites[ANY_END].host, module->sites[VAGUE].function);
  assert_int_equal(module->sites[I].host, module->sites[NEST].function);
  assert_int_equal(module->sites[EMPTY].host, PROF_ELF_NO_FUNCTION);
  prof_elf_module_free(module);
}

static void zones_and_what_is_around_them(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  assert_true(is_tied(module, O, NEST) && is_tied(module, I, NEST) && is_tied(module, I, O));
  assert_false(is_tied(module, O, I) || is_tied(module, O, VAGUE));
  assert_true(is_tied(module, P, Q) && is_tied(module, Q, P) && is_tied(module, P, VAGUE));
  assert_true(is_tied(module, ENTRY, HOST));
  assert_false(is_tied(module, R, BEGINS)); /* it is never switched */
  const uint32_t switched[] = {NEST, O, I, VAGUE, P, Q, HOST, ENTRY, OTHER}, kept[] = {BEGINS, R, EMPTY};
  for (size_t i = 0; i < sizeof switched / sizeof *switched; i++)
    assert_false(function_of(module, switched[i])->is_kept);
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    assert_true(function_of(module, kept[i])->is_kept);
  prof_elf_module_free(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_names_are_one),           cmocka_unit_test(odd_names),
      cmocka_unit_test(functions_with_zones),          cmocka_unit_test(ends_by_line),
      cmocka_unit_test(zones_and_what_is_around_them), cmocka_unit_test(iterations_by_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
