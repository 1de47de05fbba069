/*
 * counters.c - maps the counters of threads.
 *
 * There is room for thousands of threads, and a program may limit its address space.  So parts of PART_BLOCKS blocks
 * are mapped when a thread of theirs first counts, each from the last page of the part before it, without a descriptor,
 * as windows.c does.  Parts stay mapped until the recording ends; a forked child has those of its parent, and its
 * threads have records of their own.
 */
#include <sys/mman.h>

#include "arch.h"
#include "counters.h"
#include "ranges.h"
#include "system.h"

#define PART_BLOCKS 32u

static uint32_t part_count(void) {
  return (prof_runtime.thread_count + 1 + PART_BLOCKS - 1) / PART_BLOCKS;
}

/* With the first page of the next part. */
static size_t part_bytes(uint32_t part) {
  uint32_t blocks = prof_runtime.thread_count + 1 - part * PART_BLOCKS;
  return blocks <= PART_BLOCKS ? blocks * prof_runtime.counters_bytes
                               : PART_BLOCKS * prof_runtime.counters_bytes + PROF_PAGE_BYTES;
}

/* A core file needs only the program's memory. */
static char *part_settle(char *got, size_t bytes) {
  if (got) {
    prof_syscall(SYS_madvise, (long)got, (long)bytes, MADV_DONTDUMP, 0, 0, 0);
    prof_syscall(SYS_madvise, (long)got, (long)bytes, MADV_NOHUGEPAGE, 0, 0, 0);
  }
  return got;
}

void prof_counters_open(int fd, const struct prof_control *head) {
  if (head->counters_offset == 0)
    return;
  prof_runtime.counters_bytes = head->counters_bytes;
  char *first = part_settle(prof_range_map(fd, part_bytes(0), head->counters_offset), part_bytes(0));
  char **parts = first ? prof_memory_map(part_count() * sizeof *parts) : NULL;
  if (parts)
    parts[0] = first;
  prof_runtime.counters = parts;
}

void prof_counters_close(void) {
  for (uint32_t i = 0; prof_runtime.counters && i < part_count(); i++)
    if (prof_runtime.counters[i])
      prof_range_give(prof_runtime.counters[i], part_bytes(i));
  if (prof_runtime.counters)
    prof_syscall(SYS_munmap, (long)prof_runtime.counters, (long)(part_count() * sizeof *prof_runtime.counters), 0, 0, 0,
                 0);
  prof_runtime.counters = NULL;
  prof_runtime.counters_bytes = 0;
}

uint32_t prof_counters_take(size_t count) {
  uint32_t first = prof_runtime.next_counter;
  bool fits = prof_runtime.counters && count <= prof_runtime.counters_bytes / sizeof(uint64_t) - first;
  if (!fits && !prof_runtime.standby) /* else a later recording may have more */
    return PROF_COUNTER_NONE;
  prof_runtime.next_counter += (uint32_t)count;
  return first;
}

/* The part after one that is mapped; another thread may do the same. */
static bool map_next(uint32_t part) {
  const char *before = __atomic_load_n(&prof_runtime.counters[part - 1], __ATOMIC_ACQUIRE);
  const char *page = before + PART_BLOCKS * prof_runtime.counters_bytes;
  size_t bytes = part_bytes(part);
  char *got = part_settle(prof_range_map_again(page, bytes), bytes);
  if (!got)
    return false;
  char *none = NULL;
  if (!__atomic_compare_exchange_n(&prof_runtime.counters[part], &none, got, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    prof_range_give(got, bytes);
  return true;
}

static bool part_map(uint32_t part) {
  uint32_t from = part;
  while (!__atomic_load_n(&prof_runtime.counters[from], __ATOMIC_ACQUIRE))
    from--;
  while (from < part && map_next(from + 1))
    from++;
  return from == part;
}

void prof_counters_give(struct prof_cell *cell) {
  uint32_t block = cell->record ? cell->number + 1 : 0;
  if (!part_map(block / PART_BLOCKS))
    block = 0;
  char *part = __atomic_load_n(&prof_runtime.counters[block / PART_BLOCKS], __ATOMIC_ACQUIRE);
  cell->counts = (uint64_t *)(void *)(part + (size_t)(block % PART_BLOCKS) * prof_runtime.counters_bytes);
}
