/*
 * windows.c - maps the segments of the shared region into this process.
 *
 * The region has space for thousands of threads, and a program may limit its address space (RLIMIT_AS).  So segments
 * are mapped a window at a time, when one of them is first taken:
 *
 *    file:      | control, threads, log | window 0           | window 1           | ...
 *    mappings:  |<------------------------------------------->P|                              P: one page more
 *                                                            |<------------------>P|
 *
 * The extra page is the first one of the next window, which is mapped from it without a descriptor: mremap(2) of zero
 * bytes of a shared mapping makes another mapping from there on.  If a system can't do that (an emulator), the region
 * is mapped as a whole.  Windows stay mapped until the recording ends; a forked child has those of its parent.
 */
#include <sys/mman.h>

#include "arch.h"
#include "ranges.h"
#include "system.h"
#include "windows.h"

#define WINDOW_BYTES ((uint64_t)16 << 20)
#define OTHERS_LOOKS 100 /* one of a process that was forked meanwhile waits in vain, once */
#define OTHERS_LOOK_NS 1000000

static uint64_t window_bytes(uint32_t window) {
  uint64_t segments = prof_runtime.segment_count - (uint64_t)window * prof_runtime.window_segments;
  bool last = segments <= prof_runtime.window_segments;
  return (last ? segments : prof_runtime.window_segments) * prof_runtime.segment_bytes + (last ? 0 : PROF_PAGE_BYTES);
}

static uint64_t base_bytes; /* of the mapping that begins with the header */

static bool can_map_again(char *map, uint64_t bytes) {
  char *probe = prof_range_map_again(map + bytes - PROF_PAGE_BYTES, PROF_PAGE_BYTES);
  if (!probe)
    return false;
  prof_syscall(SYS_munmap, (long)probe, (long)PROF_PAGE_BYTES, 0, 0, 0, 0);
  return true;
}

static char *map_begin(int fd, uint64_t bytes) {
  char *got = prof_range_map(fd, bytes, 0);
  base_bytes = bytes;
  if (got) /* a core file needs only the program's memory */
    prof_syscall(SYS_madvise, (long)got, (long)bytes, MADV_DONTDUMP, 0, 0, 0);
  return got;
}

char *prof_windows_open(int fd, const struct prof_control *head) {
  prof_runtime.segment_bytes = head->segment_bytes;
  prof_runtime.segment_count = head->segment_count;
  uint64_t segments = WINDOW_BYTES / head->segment_bytes, all = head->segment_count;
  prof_runtime.window_segments = segments > 0 ? (uint32_t)segments : 1;
  bool windowed = all > prof_runtime.window_segments && head->segments_offset % PROF_PAGE_BYTES == 0;
  uint64_t bytes = windowed ? head->segments_offset + window_bytes(0) : 0;
  char *map = windowed ? map_begin(fd, bytes) : NULL;
  if (map && !can_map_again(map, bytes)) {
    prof_syscall(SYS_munmap, (long)map, (long)bytes, 0, 0, 0, 0);
    map = NULL;
  }
  if (!map) {
    prof_runtime.window_segments = (uint32_t)all;
    map = map_begin(fd, head->region_bytes);
  }
  uint64_t count = all ? (all + prof_runtime.window_segments - 1) / prof_runtime.window_segments : 1;
  prof_runtime.windows = map ? prof_memory_map(count * sizeof *prof_runtime.windows) : NULL;
  if (!prof_runtime.windows)
    return NULL;
  prof_runtime.window_count = (uint32_t)count;
  prof_runtime.windows[0] = map + head->segments_offset;
  return map;
}

static uint32_t mapping; /* threads that map a window now */

/* The window after one that is mapped; another thread may do the same.  *others: do so, if it fails. */
static bool map_next(uint32_t window, uint32_t *others) {
  if (__atomic_load_n(&prof_runtime.windows[window], __ATOMIC_ACQUIRE))
    return true;
  const char *before = __atomic_load_n(&prof_runtime.windows[window - 1], __ATOMIC_ACQUIRE);
  uint64_t bytes = window_bytes(window);
  __atomic_fetch_add(&mapping, 1, __ATOMIC_SEQ_CST);
  char *got = prof_range_map_again(before + (uint64_t)prof_runtime.window_segments * prof_runtime.segment_bytes, bytes);
  char *none = NULL;
  if (got && !__atomic_compare_exchange_n(&prof_runtime.windows[window], &none, got, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE))
    prof_range_give(got, bytes);
  *others = __atomic_sub_fetch(&mapping, 1, __ATOMIC_SEQ_CST);
  return got || __atomic_load_n(&prof_runtime.windows[window], __ATOMIC_ACQUIRE);
}

/* Threads that map one window at a time take its address space several times, and all but one give theirs back. */
static bool map_among_others(uint32_t window) {
  uint32_t others;
  for (int looks = 0; !map_next(window, &others); looks++) {
    if (others == 0 || looks == OTHERS_LOOKS || __atomic_load_n(&prof_runtime.narrow, __ATOMIC_RELAXED))
      return false;
    prof_futex_wait(&mapping, others, OTHERS_LOOK_NS);
  }
  return true;
}

void prof_windows_close(void) {
  prof_range_give((char *)prof_runtime.control, base_bytes);
  for (uint32_t i = 1; i < prof_runtime.window_count; i++)
    if (prof_runtime.windows[i])
      prof_range_give(prof_runtime.windows[i], window_bytes(i));
  prof_syscall(SYS_munmap, (long)prof_runtime.windows, (long)(prof_runtime.window_count * sizeof *prof_runtime.windows),
               0, 0, 0, 0);
  prof_runtime.windows = NULL;
  prof_runtime.window_count = 0;
}

bool prof_segment_map(uint32_t number) {
  uint32_t window = (number - 1) / prof_runtime.window_segments, from = window;
  while (!__atomic_load_n(&prof_runtime.windows[from], __ATOMIC_ACQUIRE))
    from--;
  while (from < window && map_among_others(from + 1))
    from++;
  return from == window;
}

bool prof_segment_has(const char *slot, size_t *at) {
  for (uint32_t i = 0; i < prof_runtime.window_count; i++) {
    const char *begin = __atomic_load_n(&prof_runtime.windows[i], __ATOMIC_ACQUIRE);
    uint64_t left = prof_runtime.segment_count - (uint64_t)i * prof_runtime.window_segments;
    uint64_t segments = left < prof_runtime.window_segments ? left : prof_runtime.window_segments;
    if (!begin || slot < begin || slot >= begin + segments * prof_runtime.segment_bytes)
      continue;
    *at = (size_t)(slot - begin) & (prof_runtime.segment_bytes - 1);
    return true;
  }
  return false;
}
