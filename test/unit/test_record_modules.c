/*
 * test_record_modules.c - a file that is mapped, and reported by its program, is one module, whichever comes first.
 *
 * This program holds rows of its own, written by hand.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "record/tables/module_table.h"
#include "source/elf_module_read.h"
#include "trace/write/write_stretch.h"

#define ROW(sled, kind) ".pushsection prof_rows_v1,\"a\",@progbits\n.long " sled " - .\n.long " kind "\n.popsection\n"

__asm__(".text\n"
        ".type hand_made, @function\n"
        "hand_made: .p2align 3\n.Lentry: nop\n.Lexit: ret\n"
        ".size hand_made, . - hand_made\n" ROW(".Lentry", "1") ROW(".Lexit", "2"));

#define PLAIN "/bin/sh" /* without rows */

struct fixture {
  prof_writer *writer;
  struct prof_modules modules;
  struct prof_log_module record; /* of this program */
  char own[PATH_MAX], link[64];
};

static int begin(void **state) {
  struct fixture *fixture = calloc(1, sizeof *fixture);
  const struct prof_writer_options options = {.start_realtime_ns = 1};
  struct prof_diag diag = {0};
  struct prof_elf_module *file;
  char folder[] = "/tmp/prof-modules-XXXXXX";
  assert_non_null(fixture);
  assert_true(readlink("/proc/self/exe", fixture->own, sizeof fixture->own - 1) > 0);
  assert_int_equal(prof_writer_open_stretches(&options, &diag, &fixture->writer), PROF_OK);
  fixture->modules = (struct prof_modules){.writer = fixture->writer, .next_function = 1};
  assert_int_equal(prof_elf_module_read(fixture->own, &diag, &file), PROF_OK);
  fixture->record = (struct prof_log_module){
      .process = 1, .first_site = 1, .site_count = file->site_count, .build_id_bytes = file->build_id_bytes, .end = 1};
  memcpy(fixture->record.build_id, file->build_id, file->build_id_bytes);
  prof_elf_module_free(file);
  assert_non_null(mkdtemp(folder));
  snprintf(fixture->link, sizeof fixture->link, "%s/own", folder);
  assert_int_equal(symlink(fixture->own, fixture->link), 0);
  *state = fixture;
  return 0;
}

static int end(void **state) {
  struct fixture *fixture = *state;
  prof_modules_fini(&fixture->modules);
  assert_int_equal(prof_writer_close(fixture->writer, NULL), PROF_OK);
  unlink(fixture->link);
  *strrchr(fixture->link, '/') = 0;
  rmdir(fixture->link);
  free(fixture);
  return 0;
}

static uint32_t map(struct fixture *fixture, const char *path, const uint8_t *build_id, uint32_t build_id_bytes) {
  const struct prof_mapped_file file = {path, 1, getpid(), build_id, build_id_bytes};
  return prof_modules_of_file(&fixture->modules, &file);
}

static uint32_t map_own(struct fixture *fixture) {
  return map(fixture, fixture->own, fixture->record.build_id, fixture->record.build_id_bytes);
}

static uint32_t load(struct fixture *fixture, const char *path) {
  const struct prof_module_entry *entry = prof_modules_load(&fixture->modules, &fixture->record, path, getpid());
  assert_non_null(entry);
  assert_non_null(entry->functions);
  return entry->number;
}

static void mapped_first(void **state) {
  struct fixture *fixture = *state;
  const uint32_t number = map_own(fixture), functions = fixture->modules.next_function;
  assert_int_equal(number, 1);
  assert_int_equal(prof_modules_probed_count(&fixture->modules), 0);
  assert_int_equal(load(fixture, fixture->own), number);
  assert_int_equal(prof_modules_probed_count(&fixture->modules), 1);
  assert_int_equal(fixture->modules.next_function, functions);
  assert_int_equal(map_own(fixture), number);
}

static void reported_first(void **state) {
  struct fixture *fixture = *state;
  const uint32_t number = load(fixture, fixture->own);
  assert_int_equal(map_own(fixture), number);
  assert_int_equal(prof_modules_probed_count(&fixture->modules), 1);
}

/* The loader names a library as it was asked for, the kernel names the file. */
static void by_another_name(void **state) {
  struct fixture *fixture = *state;
  const uint32_t number = map_own(fixture);
  assert_int_equal(load(fixture, fixture->link), number);
  assert_int_not_equal(load(fixture, "/proc/self/exe"), number); /* reported ones have their names */
}

/* Its functions call the runtime, which the file doesn't show. */
static void a_caller(void **state) {
  struct fixture *fixture = *state;
  struct prof_log_module record = {.process = 1, .first_site = 5};
  const uint8_t none[1] = {0};
  const uint32_t number = map(fixture, PLAIN, none, 0);
  assert_int_not_equal(number, 0);
  assert_int_equal(prof_modules_probed_count(&fixture->modules), 0);
  prof_modules_load_caller(&fixture->modules, &record, PLAIN, getpid());
  assert_int_equal(prof_modules_probed_count(&fixture->modules), 1);
  assert_int_equal(map(fixture, PLAIN, none, 0), number);
  assert_int_equal(fixture->modules.entries.count, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(mapped_first, begin, end),
                                     cmocka_unit_test_setup_teardown(reported_first, begin, end),
                                     cmocka_unit_test_setup_teardown(by_another_name, begin, end),
                                     cmocka_unit_test_setup_teardown(a_caller, begin, end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
