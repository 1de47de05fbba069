/*
 * test_process_maps.c - memory without a file of its own that lies where a file's instructions belong is that file's.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/tables/process_maps.h"

enum { PAGE = 4096 };

struct place {
  uint64_t address, offset;
  char path[4096];
};

static void take(void *context, const struct prof_mapped *mapped) {
  struct place *place = context;
  if (place->address < mapped->begin || place->address >= mapped->end)
    return;
  place->offset = mapped->offset + (place->address - mapped->begin);
  strncpy(place->path, mapped->path, sizeof place->path - 1);
}

static struct place find(const void *address) {
  struct place place = {.address = (uintptr_t)address};
  prof_maps_of_process(getpid(), take, &place);
  return place;
}

/* Puts other memory with the same contents over the page; fd: -1 for memory without a name. */
static void cover(uint8_t *page, int fd) {
  uint8_t *copy = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
  assert_ptr_not_equal(copy, MAP_FAILED);
  memcpy(copy, page, PAGE);
  assert_int_equal(mprotect(copy, PAGE, PROT_READ | PROT_EXEC), 0);
  assert_ptr_equal(mremap(copy, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page), page);
}

static void check_covered(int fd) {
  uint8_t *page = (uint8_t *)((uintptr_t)&qsort & ~(uintptr_t)(PAGE - 1)); /* a library's: this program may have one */
  struct place before = find(page);
  assert_int_equal(*before.path, '/');
  cover(page, fd);
  struct place after = find(page);
  assert_string_equal(after.path, before.path);
  assert_int_equal(after.offset, before.offset);
  struct place behind = find(page + PAGE);
  assert_string_equal(behind.path, before.path);
}

static void a_recorders_copy_of_text_is_the_files(void **state) {
  (void)state;
  int fd = memfd_create("prof-ring", MFD_CLOEXEC);
  assert_int_equal(ftruncate(fd, PAGE), 0);
  check_covered(fd);
  close(fd);
}

static void so_is_memory_without_a_name(void **state) {
  (void)state;
  check_covered(-1);
}

static void memory_elsewhere_is_no_files(void **state) {
  (void)state;
  uint8_t *page = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(page, MAP_FAILED);
  assert_string_equal(find(page).path, "");
  munmap(page, PAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_recorders_copy_of_text_is_the_files),
      cmocka_unit_test(so_is_memory_without_a_name),
      cmocka_unit_test(memory_elsewhere_is_no_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
