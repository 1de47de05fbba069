/*
 * test_record_stacks.c - what lies where in a process, and the paths of stacks: this program's own.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/sampling/stacks.h"

static struct prof_stacks stacks;
static struct prof_stack_copies copies;
static struct prof_stack_maps maps;

static int stop(void **state) {
  (void)state;
  prof_stack_maps_fini(&maps);
  prof_stacks_fini(&stacks);
  prof_stack_copies_fini(&copies);
  memset(&stacks, 0, sizeof stacks);
  return 0;
}

static void add(uint64_t begin, uint64_t end, uint64_t offset, const char *path) {
  const struct prof_mapped mapped = {0, begin, end, offset, (char *)(uintptr_t)path};
  prof_stack_maps_add(&maps, &stacks.files, &mapped, 1, 2);
}

static void insist_maps(size_t count, const uint64_t rows[][3]) {
  assert_int_equal(maps.maps.count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(maps.maps.items[i].begin, rows[i][0]);
    assert_int_equal(maps.maps.items[i].end, rows[i][1]);
    assert_int_equal(maps.maps.items[i].offset, rows[i][2]);
  }
}

static void the_latest_map_holds(void **state) {
  (void)state;
  add(0x5000, 0x9000, 0x100, "/a");
  add(0x1000, 0x3000, 0, "/b");
  insist_maps(2, (const uint64_t[][3]){{0x1000, 0x3000, 0}, {0x5000, 0x9000, 0x100}});
  add(0x6000, 0x7000, 0, "/c"); /* amidst one */
  insist_maps(4, (const uint64_t[][3]){
                     {0x1000, 0x3000, 0}, {0x5000, 0x6000, 0x100}, {0x6000, 0x7000, 0}, {0x7000, 0x9000, 0x2100}});
  add(0x2000, 0x8000, 7, NULL); /* no file's */
  insist_maps(2, (const uint64_t[][3]){{0x1000, 0x2000, 0}, {0x8000, 0x9000, 0x3100}});
  add(0x1000, 0x2000, 0, "/b"); /* once more, as after mprotect */
  insist_maps(2, (const uint64_t[][3]){{0x1000, 0x2000, 0}, {0x8000, 0x9000, 0x3100}});
  add(0, 0x10000, 5, "/d");
  insist_maps(1, (const uint64_t[][3]){{0, 0x10000, 5}});
  add(0x2000, 0x2000, 5, "/e"); /* empty */
  insist_maps(1, (const uint64_t[][3]){{0, 0x10000, 5}});
  assert_false(maps.has_runtime);
  struct prof_stack_maps copy = {0};
  add(0x20000, 0x21000, 0, "/usr/lib/libprof-runtime.so.1");
  assert_true(maps.has_runtime);
  prof_stack_maps_copy(&copy, &maps);
  assert_true(copy.has_runtime && copy.maps.count == 2);
  prof_stack_maps_fini(&copy);
}

static void what_is_no_readable_file_has_no_rules(void **state) {
  (void)state;
  struct prof_stack_place place = {&maps, &stacks.files, getpid()};
  static const char *const paths[] = {"/nowhere/at/all", "/dev/null", "/etc/passwd", "/proc/self/mem", "/tmp"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    struct prof_unwind_place out = {0};
    add(0x10000 * (i + 1), 0x10000 * (i + 1) + 0x1000, 0, paths[i]);
    prof_stack_maps_find(&place, 0x10000 * (i + 1) + 0x20, &out);
    assert_null(out.table);
    prof_stack_maps_find(&place, 0x10000 * (i + 1) + 0x1000, &out); /* beyond it */
    assert_null(out.table);
  }
}

static void there_are_only_so_many_files(void **state) {
  (void)state;
  char path[32];
  for (unsigned i = 0; i < PROF_STACK_FILES_MAX + 5; i++) {
    snprintf(path, sizeof path, "/file/%u", i);
    add(0x1000 * i, 0x1000 * (i + 1), 0, path);
  }
  assert_int_equal(stacks.files.files.count, PROF_STACK_FILES_MAX);
  assert_int_equal(maps.maps.count, PROF_STACK_FILES_MAX);
}

#if defined(__x86_64__)
enum { COPIED = 4096 };
static uint8_t copied[COPIED];
static uint64_t returns[3];

/* As the kernel does, whatever lies there. */
__attribute__((noinline, no_sanitize("address"))) static void copy_words(uint8_t *to, const uint64_t *from,
                                                                         size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    to[i] = (uint8_t)(from[i / 8] >> 8 * (i % 8));
}

/* The kernel copies registers and the top of the stack in the same way. */
__attribute__((noinline)) static uint32_t here(size_t bytes) {
  ucontext_t context;
  static const uint8_t places[PROF_FRAME_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                                       REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                                       REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  getcontext(&context);
  struct prof_unwind_sample sample = {.stack = copied, .stack_bytes = bytes};
  for (size_t i = 0; i < PROF_FRAME_REGISTERS; i++)
    sample.registers[i] = (uint64_t)context.uc_mcontext.gregs[places[i]];
  copy_words(copied, (const uint64_t *)sample.registers[PROF_FRAME_RSP], bytes);
  returns[0] = (uint64_t)__builtin_return_address(0);
  uint32_t number = prof_stack_copies_add(&copies, &sample);
  assert_int_not_equal(number, 0);
  memset(copied, 0, sizeof copied); /* it was copied */
  sample = prof_stack_copies_get(&copies, number);
  bool own = true;
  uint32_t path = prof_stacks_path(&stacks, &maps, getpid(), &sample, &own);
  assert_false(own);
  return path;
}

__attribute__((noinline)) static uint32_t inner(size_t bytes) {
  uint32_t path = here(bytes);
  returns[1] = (uint64_t)__builtin_return_address(0);
  return path;
}

__attribute__((noinline)) static uint32_t outer(size_t bytes) {
  uint32_t path = inner(bytes);
  returns[2] = (uint64_t)__builtin_return_address(0);
  return path;
}

static void a_stack_has_its_path(void **state) {
  (void)state;
  prof_stack_maps_read(&maps, &stacks.files, getpid());
  assert_true(maps.maps.count > 1);
  uint32_t first = outer(COPIED), number = first, depth = 0;
  assert_int_not_equal(first, 0);
  for (; number != 0; number = stacks.paths.paths.items[number - 1].parent, depth++)
    if (depth < 3)
      assert_int_equal(stacks.paths.paths.items[number - 1].address, returns[depth]);
  assert_in_range(depth, 4, PROF_UNWIND_FRAMES_MAX);
  size_t count = stacks.paths.paths.count;
  uint64_t before = returns[2];
  uint32_t second = outer(COPIED); /* from elsewhere */
  assert_int_not_equal(before, returns[2]);
  assert_int_not_equal(second, first);
  assert_in_range(stacks.paths.paths.count, count + 3, count + 3);
  prof_stack_copies_clear(&copies);
  assert_int_equal(copies.bytes.count, 0);
}

static void a_full_table_is_counted(void **state) {
  (void)state;
  prof_stack_maps_read(&maps, &stacks.files, getpid());
  for (uint32_t i = 1; i <= PROF_PATHS_MAX; i++)
    assert_int_equal(prof_paths_add(&stacks.paths, 0, i), i);
  assert_int_equal(outer(COPIED), 0);
  assert_int_equal(outer(COPIED), 0);
  assert_int_equal(stacks.unknown, 2);
}

/* Whatever is missing, a path has only what is known: nothing, or the inner part. */
static void a_cut_stack_has_the_inner_part(void **state) {
  (void)state;
  prof_stack_maps_read(&maps, &stacks.files, getpid());
  uint32_t most = 0;
  for (size_t bytes = 0; bytes <= COPIED; bytes += 8) {
    uint32_t number = outer(bytes), depth = 0;
    for (; number != 0; number = stacks.paths.paths.items[number - 1].parent, depth++)
      if (depth < 3)
        assert_int_equal(stacks.paths.paths.items[number - 1].address, returns[depth]);
    assert_true(depth >= most);
    most = depth;
    prof_stack_copies_clear(&copies);
  }
  assert_true(most >= 4);
}
#endif

#define FILE_BEGIN UINT64_C(0x10000000)

static struct prof_frame_table *table_of(const char *path, const struct stat *status) {
  const struct prof_mapped mapped = {0, FILE_BEGIN, FILE_BEGIN + (1 << 24), 0, (char *)(uintptr_t)path};
  struct prof_stack_place place = {&maps, &stacks.files, getpid()};
  struct prof_unwind_place out = {0};
  prof_stack_maps_add(&maps, &stacks.files, &mapped, status->st_dev, status->st_ino);
  prof_stack_maps_find(&place, FILE_BEGIN + 0x2000, &out);
  return out.table;
}

static void a_replaced_file_has_no_rules(void **state) {
  char path[] = "/tmp/prof-test.XXXXXX", command[128];
  struct stat first, second;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  snprintf(command, sizeof command, "cat /proc/%d/exe > %s", getpid(), path);
  assert_int_equal(system(command), 0);
  assert_int_equal(fstat(fd, &first), 0);
  assert_non_null(table_of(path, &first));
  snprintf(command, sizeof command, "cp %s %s.new && mv %s.new %s", path, path, path, path);
  assert_int_equal(system(command), 0);
  assert_int_equal(stat(path, &second), 0);
  assert_int_not_equal(first.st_ino, second.st_ino);
  assert_non_null(table_of(path, &first)); /* known since before */
  stop(state);
  assert_null(table_of(path, &first));
  assert_non_null(table_of(path, &second));
  unlink(path);
  close(fd);
}

static void copied_text_has_the_rules_of_its_file(void **state) {
  (void)state;
  struct prof_stack_place place = {&maps, &stacks.files, getpid()};
  struct prof_unwind_place before = {0}, after = {0};
  uint64_t here = (uint64_t)copied_text_has_the_rules_of_its_file;
  char path[4096] = {0};
  assert_true(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
  prof_stack_maps_read(&maps, &stacks.files, getpid());
  prof_stack_maps_find(&place, here, &before);
  assert_non_null(before.table);
  add(here & ~UINT64_C(4095), (here & ~UINT64_C(4095)) + 4096, 0, NULL); /* as of no file */
  prof_stack_maps_find(&place, here, &after);
  assert_null(after.table);
  prof_stack_maps_add_text(&maps, &stacks.files, here & ~UINT64_C(4095), (here & ~UINT64_C(4095)) + 4096, before.bias,
                           path);
  prof_stack_maps_find(&place, here, &after);
  assert_ptr_equal(after.table, before.table);
  assert_int_equal(after.bias, before.bias);
}

static void copies_have_a_ceiling(void **state) {
  (void)state;
  static uint8_t bytes[1 << 20];
  struct prof_unwind_sample sample = {.stack = bytes, .stack_bytes = sizeof bytes};
  uint32_t taken = 0;
  while (prof_stack_copies_add(&copies, &sample) != 0)
    taken++;
  assert_int_equal(taken, PROF_STACK_COPIES_BYTES_MAX / sizeof bytes);
  prof_stack_copies_clear(&copies);
  assert_int_equal(prof_stack_copies_add(&copies, &sample), 1);
}

#define CASE(test) cmocka_unit_test_teardown(test, stop)

int main(void) {
  const struct CMUnitTest tests[] = {
    CASE(the_latest_map_holds),
    CASE(what_is_no_readable_file_has_no_rules),
    CASE(there_are_only_so_many_files),
    CASE(a_replaced_file_has_no_rules),
    CASE(copied_text_has_the_rules_of_its_file),
    CASE(copies_have_a_ceiling),
#if defined(__x86_64__)
    CASE(a_stack_has_its_path),
    CASE(a_full_table_is_counted),
    CASE(a_cut_stack_has_the_inner_part),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
