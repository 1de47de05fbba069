/*
 * windows.c - maps the segments of the shared region into this process, a window at a time (pieces.h).
 *
 *    file:      | control, threads, log | window 0           | window 1           | ...
 *
 * The first window is mapped with what lies before it.  If a system can't map a page again (an emulator), the region is
 * mapped as a whole.
 */
#include <sys/mman.h>

#include "arch.h"
#include "ranges.h"
#include "system.h"
#include "windows.h"

#define WINDOW_BYTES ((uint64_t)16 << 20)

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

static void set_window(const struct prof_control *head, uint32_t segments) {
  prof_runtime.window_segments = segments;
  prof_runtime.windows = prof_pieces_of(head->segment_count, segments, head->segment_bytes);
}

char *prof_windows_open(int fd, const struct prof_control *head) {
  uint64_t segments = WINDOW_BYTES / head->segment_bytes, all = head->segment_count;
  prof_runtime.segment_bytes = head->segment_bytes;
  prof_runtime.segment_count = head->segment_count;
  set_window(head, segments > 0 ? (uint32_t)segments : 1);
  bool windowed = all > prof_runtime.window_segments && head->segments_offset % PROF_PAGE_BYTES == 0;
  uint64_t bytes = windowed ? head->segments_offset + prof_piece_bytes(&prof_runtime.windows, 0) : 0;
  char *map = windowed ? map_begin(fd, bytes) : NULL;
  if (map && !can_map_again(map, bytes)) {
    prof_syscall(SYS_munmap, (long)map, (long)bytes, 0, 0, 0, 0);
    map = NULL;
  }
  if (!map) {
    set_window(head, all > 0 ? (uint32_t)all : 1);
    map = map_begin(fd, head->region_bytes);
  }
  if (map && prof_pieces_begin(&prof_runtime.windows, map + head->segments_offset))
    return map;
  prof_runtime.windows = (struct prof_pieces){0};
  return NULL;
}

void prof_windows_close(void) {
  prof_range_give((char *)prof_runtime.control, base_bytes);
  prof_pieces_end(&prof_runtime.windows, 1);
}

bool prof_segment_map(uint32_t number) {
  bool patient = !__atomic_load_n(&prof_runtime.narrow, __ATOMIC_RELAXED);
  return prof_pieces_map(&prof_runtime.windows, (number - 1) / prof_runtime.window_segments, patient);
}

bool prof_segment_has(const char *slot, size_t *at) {
  for (uint32_t i = 0; i < prof_runtime.windows.count; i++) {
    const char *begin = prof_piece_at(&prof_runtime.windows, i);
    uint64_t left = prof_runtime.segment_count - (uint64_t)i * prof_runtime.window_segments;
    uint64_t segments = left < prof_runtime.window_segments ? left : prof_runtime.window_segments;
    if (!begin || slot < begin || slot >= begin + segments * prof_runtime.segment_bytes)
      continue;
    *at = (size_t)(slot - begin) & (prof_runtime.segment_bytes - 1);
    return true;
  }
  return false;
}
