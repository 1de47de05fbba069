/*
 * counters.c - maps the counters of threads, those of PART_THREADS records at a time (pieces.h).
 *
 * The threads of a forked child have records of their own.
 */
#include <sys/mman.h>

#include "arch.h"
#include "counters.h"
#include "ranges.h"
#include "system.h"

#define PART_THREADS 32u

void prof_counters_open(int fd, const struct prof_control *head) {
  if (head->counters_offset == 0)
    return;
  prof_runtime.counters_bytes = head->counters_bytes;
  prof_runtime.counters = prof_pieces_of(prof_runtime.thread_count + 1ull, PART_THREADS, head->counters_bytes);
  size_t bytes = prof_piece_bytes(&prof_runtime.counters, 0);
  char *first = prof_range_map(fd, bytes, head->counters_offset);
  if (!first)
    return;
  /* A core file needs only the program's memory.  Later parts have this from the first one. */
  prof_syscall(SYS_madvise, (long)first, (long)bytes, MADV_DONTDUMP, 0, 0, 0);
  prof_syscall(SYS_madvise, (long)first, (long)bytes, MADV_NOHUGEPAGE, 0, 0, 0);
  (void)prof_pieces_begin(&prof_runtime.counters, first);
}

void prof_counters_close(void) {
  prof_pieces_end(&prof_runtime.counters, 0);
  prof_runtime.counters_bytes = 0;
}

uint32_t prof_counters_take(size_t count) {
  uint32_t first = prof_runtime.next_counter;
  bool fits = prof_runtime.counters.at && count <= prof_runtime.counters_bytes / sizeof(uint64_t) - first;
  if (!fits && !prof_runtime.standby) /* else a later recording may have more */
    return PROF_COUNTER_NONE;
  prof_runtime.next_counter += (uint32_t)count;
  return first;
}

void prof_counters_give(struct prof_cell *cell) {
  uint32_t block = cell->record ? cell->number + 1 : 0;
  if (!prof_pieces_map(&prof_runtime.counters, block / PART_THREADS, !prof_runtime.narrow))
    block = 0;
  char *part = prof_piece_at(&prof_runtime.counters, block / PART_THREADS);
  cell->counts = (uint64_t *)(void *)(part + (size_t)(block % PART_THREADS) * prof_runtime.counters_bytes);
}
