/*
 * test_elf_module.c - this program holds rows and facts of its own, written by hand, and reads itself.
 *
 * known_entry and known_exit have facts; symbol_only has rows whose function only the symbol table tells.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "row.h"
#include "source/elf_module_read.h"
#include "source/no_probes.h"

#define ROW(sled, kind) ".pushsection prof_rows_v1,\"a\",@progbits\n.long " sled " - .\n.long " kind "\n.popsection\n"
#define PROBE(sled, line)                                                                                              \
  ".pushsection .prof_facts_v1,\"\",@progbits\n.p2align 3\n.long 32\n.short 1, 1\n.quad " sled                         \
  ", 0x1234\n.long 1, " line "\n.popsection\n"

__asm__(".text\n"
        ".type hand_made, @function\n"
        ".p2align 4\nhand_made: .cfi_startproc\nnop\nnop\nnop\n.Lentry: nop\n.Lexit: ret\n.cfi_endproc\n"
        ".size hand_made, . - hand_made\n"
        ".type symbol_only, @function\n"
        "symbol_only: .p2align 3\n.Lsymbol_entry: nop\n.Lsymbol_exit: ret\n"
        ".size symbol_only, . - symbol_only\n"
        ".p2align 3\n.Lnameless_entry: nop\n.Lnameless_exit: ret\n" /* no symbol covers it */
        ROW(".Lentry", "1") ROW(".Lexit", "2") ROW(".Lsymbol_entry", "1") ROW(".Lsymbol_exit", "2")
            ROW(".Lnameless_entry", "1") ROW(".Lnameless_exit", "2") PROBE(".Lentry", "10") PROBE(".Lexit", "20")
                PROBE("0xdead0000", "1") /* of a function that was thrown away */
        /* FUNCTION 0x1234, and 0x99 that no site names; UNIT */
        ".pushsection .prof_facts_v1,\"\",@progbits\n.p2align 3\n"
        ".long 56\n.short 2, 1\n.quad 0x1234\n.long 9, 42, 1\n.short 1, 0\n.asciz \"named_by_fact\"\n.asciz \"x/y.c\"\n"
        ".p2align 3\n"
        ".long 40\n.short 2, 1\n.quad 0x99\n.long 0, 0, 0\n.short 1, 0\n.asciz \"un\"\n.asciz \"\"\n.p2align 3\n"
        ".long 32\n.short 3, 1\n.long 1, 0\n.asciz \"GNU C17 1\"\n.asciz \"y.c\"\n.p2align 3\n.popsection\n");

static struct prof_elf_module *own(void) {
  struct prof_elf_module *module;
  struct prof_diag diag = {0};
  assert_int_equal(prof_elf_module_read("/proc/self/exe", &diag, &module), PROF_OK);
  return module;
}

static const struct prof_elf_function *function_of(const struct prof_elf_module *module, uint32_t site) {
  assert_true(site < module->site_count);
  assert_true(module->sites[site].function < module->function_count);
  return &module->functions[module->sites[site].function];
}

static void facts_name_a_function(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  assert_int_equal(module->site_count, 6);
  const struct prof_elf_function *function = function_of(module, 0);
  assert_ptr_equal(function, function_of(module, 1));
  assert_string_equal(function->name, "named_by_fact");
  assert_string_equal(function->file, "x/y.c");
  assert_int_equal(function->key, 0x1234);
  assert_int_equal(function->line, 9);
  assert_int_equal(function->statements, 42);
  assert_int_equal(function->language, PROF_LANGUAGE_C);
  assert_int_equal(module->sites[0].kind, PROF_PROBE_ENTRY);
  assert_int_equal(module->sites[0].line, 10);
  assert_int_equal(module->sites[1].kind, PROF_PROBE_EXIT);
  assert_int_equal(module->sites[1].line, 20);
  assert_int_equal(module->sites[1].address, module->sites[0].address + 1);
  assert_string_equal(module->compiler, "GNU C17 1");
  assert_false(module->facts_damaged);
  prof_elf_module_free(module);
}

/* Three bytes lie before hand_made's entry, as a set-up of a frame would. */
static void unwind_tables_tell_begins(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  assert_int_equal(module->sites[0].begin, module->sites[0].address - 3);
  assert_int_equal(module->sites[1].begin, 0); /* an exit */
  prof_elf_module_free(module);
}

static void symbols_fill_in(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  assert_string_equal(function_of(module, 2)->name, "symbol_only");
  assert_ptr_equal(function_of(module, 2), function_of(module, 3));
  prof_elf_module_free(module);
}

static void order_fills_in(void **state) {
  (void)state;
  struct prof_elf_module *module = own();
  char name[32];
  snprintf(name, sizeof name, "0x%llx", (unsigned long long)module->sites[4].address);
  assert_string_equal(function_of(module, 4)->name, name);
  assert_ptr_equal(function_of(module, 4), function_of(module, 5));
  assert_int_equal(module->function_count, 3); /* and none for 0x99 */
  prof_elf_module_free(module);
}

static size_t read_own(uint8_t **bytes) {
  FILE *file = fopen("/proc/self/exe", "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  *bytes = malloc(size);
  assert_int_equal(fread(*bytes, 1, size, file), size);
  fclose(file);
  return size;
}

static void write_to(int fd, const uint8_t *bytes, size_t size) {
  assert_int_equal(ftruncate(fd, 0), 0);
  assert_int_equal(pwrite(fd, bytes, size, 0), (ssize_t)size);
}

/* Whatever is cut or flipped: a status, and indices that stay inside. */
static void try(const char *path) {
  struct prof_elf_module *module;
  struct prof_diag diag;
  if (prof_elf_module_read(path, &diag, &module) == PROF_OK) {
    for (uint32_t i = 0; i < module->site_count; i++)
      if (module->sites[i].function != PROF_ELF_NO_FUNCTION)
        assert_true(strlen(function_of(module, i)->name) < 1u << 20);
    prof_elf_module_free(module);
  }
  prof_no_probes_find(path);
}

static void damaged_files(void **state) {
  (void)state;
  uint8_t *bytes;
  size_t size = read_own(&bytes);
  int fd = memfd_create("damaged", 0);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  for (size_t cut = 0; cut < 40; cut++) {
    write_to(fd, bytes, cut < 20 ? cut * 4 : size * (cut - 20) / 20);
    try(path);
  }
  write_to(fd, bytes, size);
  uint32_t seed = 7;
  uint64_t sections;
  memcpy(&sections, bytes + 40, sizeof sections); /* e_shoff */
  for (int round = 0; round < 600; round++) {     /* in the header, the section headers, anywhere */
    seed = seed * 1664525u + 1013904223u;
    size_t at = round % 3 == 0   ? (seed >> 8) % 64
                : round % 3 == 1 ? sections + (seed >> 8) % (size - sections)
                                 : (seed >> 8) % size;
    uint8_t flipped = bytes[at] ^ (uint8_t)(1u << (seed >> 29));
    assert_int_equal(pwrite(fd, &flipped, 1, (off_t)at), 1);
    try(path);
    assert_int_equal(pwrite(fd, &bytes[at], 1, (off_t)at), 1);
  }
  close(fd);
  free(bytes);
}

static void other_files(void **state) {
  (void)state;
  struct prof_elf_module *module;
  struct prof_diag diag;
  assert_int_equal(prof_elf_module_read("/nowhere", &diag, &module), PROF_NOT_FOUND);
  assert_null(module);
  assert_int_equal(prof_elf_module_read("/", &diag, &module), PROF_UNSUPPORTED);
  assert_int_equal(prof_elf_module_read("/dev/zero", &diag, &module), PROF_UNSUPPORTED);
  assert_int_equal(prof_elf_module_read("/proc/self/maps", &diag, &module), PROF_UNSUPPORTED);
  assert_int_equal(prof_elf_module_read("/bin/true", &diag, &module), PROF_EMPTY);
}

static void reasons(void **state) {
  (void)state;
  assert_int_equal(prof_no_probes_find("/nowhere"), PROF_NO_PROBES_UNREADABLE);
  assert_int_equal(prof_no_probes_find("/bin/true"), PROF_NO_PROBES_NOT_COMPILED);
  assert_int_equal(prof_no_probes_find("/proc/self/maps"), PROF_NO_PROBES_FOREIGN);
  assert_int_equal(prof_no_probes_find("/proc/self/exe"), PROF_PROBES_THERE);
  char path[] = "/tmp/prof-script-XXXXXX";
  int fd = mkstemp(path);
  assert_int_equal(write(fd, "#!/bin/sh\n", 10), 10);
  assert_int_equal(prof_no_probes_find(path), PROF_NO_PROBES_SCRIPT);
  close(fd);
  unlink(path);
  for (int i = PROF_PROBES_THERE; i <= PROF_NO_PROBES_STATIC; i++) {
    assert_non_null(prof_no_probes_text((enum prof_no_probes)i).reason);
    assert_non_null(prof_no_probes_text((enum prof_no_probes)i).remedy);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facts_name_a_function),
      cmocka_unit_test(unwind_tables_tell_begins),
      cmocka_unit_test(symbols_fill_in),
      cmocka_unit_test(order_fills_in),
      cmocka_unit_test(damaged_files),
      cmocka_unit_test(other_files),
      cmocka_unit_test(reasons),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
