/*
 * ranges.c - addresses where the region of an earlier recording was mapped.
 *
 * A thread may be stopped between two instructions of a trampoline for any time, and go on when the recording is over.
 * So nothing of a region is ever unmapped: untouched private memory, of zeros, replaces it, and the next region is
 * mapped over it.  What such a thread still writes is lost or, if the next recording came meanwhile, an event too many.
 * Ranges of windows are taken in the slow path by several threads at once.
 */
#include <stdbool.h>

#include "ranges.h"
#include "system.h"

enum { RANGE_NONE = 0, RANGE_CHANGES = 1, RANGE_FREE = 2, RANGE_TAKEN = 3 };

static struct range {
  char *at;
  size_t bytes;
  uint32_t state;
} ranges[256]; /* what doesn't find room stays mapped, without memory */

static bool state_change(struct range *range, uint32_t from, uint32_t to) {
  return __atomic_compare_exchange_n(&range->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* NULL: there is none. */
static char *range_take(size_t bytes) {
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    if (!state_change(&ranges[i], RANGE_FREE, RANGE_CHANGES))
      continue;
    bool fits = ranges[i].bytes == bytes;
    __atomic_store_n(&ranges[i].state, fits ? RANGE_TAKEN : RANGE_FREE, __ATOMIC_RELEASE);
    if (fits)
      return ranges[i].at;
  }
  return NULL;
}

char *prof_range_map(int fd, size_t bytes, uint64_t offset) {
  char *at = range_take(bytes);
  long got = prof_syscall(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_NORESERVE | (at ? MAP_FIXED : 0), fd, (long)offset);
  return prof_syscall_failed(got) ? NULL : (char *)got;
}

char *prof_range_map_again(const char *page, size_t bytes) {
  char *at = range_take(bytes);
  long got =
      prof_syscall(SYS_mremap, (long)page, 0, (long)bytes, MREMAP_MAYMOVE | (at ? MREMAP_FIXED : 0), (long)at, 0);
  return prof_syscall_failed(got) ? NULL : (char *)got;
}

void prof_range_give(char *at, size_t bytes) {
  prof_syscall(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (ranges[i].at == at && state_change(&ranges[i], RANGE_TAKEN, RANGE_FREE))
      return;
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (state_change(&ranges[i], RANGE_NONE, RANGE_CHANGES)) {
      ranges[i].at = at;
      ranges[i].bytes = bytes;
      __atomic_store_n(&ranges[i].state, RANGE_FREE, __ATOMIC_RELEASE);
      return;
    }
}
