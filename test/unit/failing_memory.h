/*
 * test/unit/failing_memory.h - allocations that fail when a test wants it.  For one program test_X_memory_faults.c
 * each.
 *
 * Linked with --wrap, so that malloc, calloc and realloc of our own code pass through here.
 */
#ifndef PROF_TEST_FAILING_MEMORY_H
#define PROF_TEST_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

static long allocations_left = -1; /* until one fails; below 0: none does */
static bool all_fail;              /* from there on */
static long failures;

/* n: allocations that succeed before; below 0: all do. */
static inline void fail_from(long n) {
  allocations_left = n;
  failures = 0;
}

static bool fails(void) {
  if (allocations_left < 0)
    return false;
  if (allocations_left == 0) {
    if (!all_fail)
      allocations_left = -1;
    failures++;
    return true;
  }
  allocations_left--;
  return false;
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void *__wrap_malloc(size_t bytes) {
  return fails() ? NULL : __real_malloc(bytes);
}
void *__wrap_calloc(size_t count, size_t bytes) {
  return fails() ? NULL : __real_calloc(count, bytes);
}
void *__wrap_realloc(void *from, size_t bytes) {
  return fails() ? NULL : __real_realloc(from, bytes);
}

#endif
