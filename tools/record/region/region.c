/*
 * tools/record/region/region.c - see region.h.
 *
 * There is a segment for each thread record beyond the budget: a thread keeps its last segment while it lives, and even
 * then there must be a free one.  The file is sparse: untouched parts cost nothing.  Segments are reused last-in
 * first-out, so that a few of them stay in the caches.
 *
 * To make up for threads beyond the budget (each may hold two segments), less of every segment is used.  Until the
 * recorder knows the number of threads, half of --buffer is left for their first segments.
 */
#include "record/region/region.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/vec.h"
#include "record/clock/ticks.h"

enum {
  THREAD_SEGMENTS = 64, /* 4 MiB for one thread */
  START_SEGMENTS = 8,   /* some 30,000 events: 0.3 ms of a dense program */
  WAKE_SEGMENTS = 8,
  LEAST_THREADS = 256,
};

static uint64_t page_align(uint64_t bytes) {
  uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
  return (bytes + page_bytes - 1) & ~(page_bytes - 1);
}

static void fill_header(struct prof_region *region, const struct prof_control *layout, enum prof_when_full when_full) {
  struct prof_control *control = region->control;
  struct stat namespace;
  *control = *layout;
  control->version = PROF_REGION_VERSION;
  control->header_bytes = sizeof *control;
  control->thread_count = region->thread_count;
  control->segment_bytes = PROF_REGION_SEGMENT_BYTES;
  control->segment_count = region->segment_count;
  control->thread_segments = region->thread_segments;
  control->budget_segments = region->budget_segments;
  control->wake_segments = WAKE_SEGMENTS;
  control->when_full = when_full;
  control->flags = PROF_CONTROL_GPU;
  control->recorder_pid = getpid();
  control->pid_namespace = stat("/proc/self/ns/pid", &namespace) == 0 ? namespace.st_ino : 0;
  control->recorder_state = PROF_RECORDER_RUNNING;
  control->next_site = 1;
  __atomic_store_n(&control->magic, PROF_CONTROL_MAGIC, __ATOMIC_RELEASE);
}

/* A limit on the size of files (ulimit -f) is not meant for memory: raises it meanwhile, as far as permitted. */
static bool set_size(int fd, uint64_t bytes) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(RLIMIT_FSIZE, &limit);
  const struct rlimit lifted = {limit.rlim_max, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &lifted);
  bool good = ftruncate(fd, (off_t)bytes) == 0;
  int error = errno;
  setrlimit(RLIMIT_FSIZE, &limit);
  errno = error;
  return good;
}

prof_status prof_region_check_proc(struct prof_diag *diag) {
  if (access("/proc/self/fd", F_OK) == 0)
    return PROF_OK;
  return prof_diag_fill(diag, PROF_NOT_FOUND, "/proc", PROF_NO_OFFSET, "mount it: mount -t proc proc /proc",
                        "it isn't mounted here, and programs find the recording region through it");
}

/* Fewer if our address space is limited: the region takes at most half of it. */
static uint32_t thread_records(uint64_t buffer_bytes) {
  struct rlimit limit;
  uint32_t count = PROF_REGION_THREADS;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return count;
  while (count > LEAST_THREADS &&
         buffer_bytes + PROF_REGION_LOG_BYTES + (uint64_t)count * PROF_REGION_SEGMENT_BYTES > limit.rlim_cur / 2)
    count /= 2;
  return count;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

prof_status prof_region_create(struct prof_region *region, uint64_t buffer_bytes, enum prof_when_full when_full,
                               struct prof_diag *diag) {
  if (buffer_bytes < PROF_REGION_BUFFER_MIN || buffer_bytes > PROF_REGION_BUFFER_MAX)
    return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, "give --buffer a size from 1M to 256G",
                          "a buffer of %llu bytes", (unsigned long long)buffer_bytes);
  struct prof_control layout = {0};
  *region = (struct prof_region){.fd = -1, .thread_count = thread_records(buffer_bytes)};
  region->budget_segments = (uint32_t)(buffer_bytes / PROF_REGION_SEGMENT_BYTES / 2);
  region->segment_count = region->budget_segments + region->thread_count + 1;
  region->thread_segments = least(region->budget_segments, THREAD_SEGMENTS);
  region->slots = prof_segment_slots(PROF_REGION_SEGMENT_BYTES) + 1;
  region->part_bytes = PROF_REGION_SEGMENT_BYTES;
  region->least_part_bytes = (uint32_t)page_align(PROF_SEGMENT_FIRST_BYTES);
  region->buffer_bytes = buffer_bytes;
  layout.reads_offset = page_align(sizeof layout);
  layout.threads_offset = page_align(layout.reads_offset + PROF_READ_SLOTS * sizeof(struct prof_read_slot));
  layout.log_offset = page_align(layout.threads_offset + (uint64_t)region->thread_count * sizeof(struct prof_thread));
  layout.log_bytes = PROF_REGION_LOG_BYTES;
  layout.segments_offset = page_align(layout.log_offset + layout.log_bytes);
  layout.region_bytes = layout.segments_offset + (uint64_t)region->segment_count * PROF_REGION_SEGMENT_BYTES;
  region->bytes = layout.region_bytes;

  region->fd = memfd_create(PROF_REGION_FILE, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (region->fd < 0)
    return prof_diag_system(diag, errno, NULL, "making the shared buffer", NULL);
  /* Sealed: a program can't truncate the file, which would kill the recorder with SIGBUS. */
  if (fchmod(region->fd, 0600) != 0 || !set_size(region->fd, region->bytes) ||
      fcntl(region->fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
    goto failed;
  region->base = mmap(NULL, region->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, region->fd, 0);
  if (region->base == MAP_FAILED) {
    region->base = NULL;
    goto failed;
  }
  region->control = (struct prof_control *)region->base;
  region->reads = (struct prof_read_slot *)(region->base + layout.reads_offset);
  region->threads = (struct prof_thread *)(region->base + layout.threads_offset);
  region->log = region->base + layout.log_offset;
  fill_header(region, &layout, when_full);
  return PROF_OK;

failed:;
  prof_status status = prof_diag_system(diag, errno, NULL, "making the shared buffer",
                                        "try a smaller --buffer, or allow more address space (ulimit -v)");
  prof_region_destroy(region);
  return status;
}

void prof_region_limit_threads(struct prof_region *region, bool at_start) {
  uint32_t wanted = least(region->budget_segments, at_start ? START_SEGMENTS : THREAD_SEGMENTS);
  if (wanted == region->thread_segments)
    return;
  region->thread_segments = wanted; /* prof_budget_share gives it to the programs */
  if (at_start)
    region->control->thread_segments = wanted;
}

static void add_counters(struct prof_region *region, uint64_t offset) {
  if (!set_size(region->fd, offset + (region->thread_count + 1ull) * PROF_REGION_COUNTERS_BYTES))
    return;
  region->counters_offset = offset;
  region->control->counters_bytes = PROF_REGION_COUNTERS_BYTES;
  region->control->counters_offset = offset;
}

/* Used memory counts, not the size: it is large, as space is never used twice. */
bool prof_region_add_texts(struct prof_region *region) {
  struct prof_control *control = region->control;
  uint64_t begin = page_align(region->bytes);
  for (uint64_t bytes = PROF_REGION_TEXTS_MOST; bytes >= PROF_REGION_TEXTS_LEAST; bytes /= 4)
    if (set_size(region->fd, begin + bytes)) {
      control->texts_bytes = bytes;
      control->texts_offset = begin;
      add_counters(region, begin + bytes);
      return true;
    }
  return false;
}

void prof_region_destroy(struct prof_region *region) {
  if (region->base != NULL)
    munmap(region->base, region->bytes);
  if (region->fd >= 0)
    close(region->fd);
  *region = (struct prof_region){.fd = -1};
}

void prof_region_set_bounds(struct prof_region *region, const struct prof_region_bounds *bounds) {
  uint64_t now_ns = prof_steady_ns();
  if (bounds->delay_ns > 0)
    region->control->from_ns = now_ns + bounds->delay_ns;
  if (bounds->duration_ns > 0)
    region->control->until_ns = now_ns + bounds->delay_ns + bounds->duration_ns;
  if (bounds->capture != NULL)
    snprintf((char *)region->control->capture, sizeof region->control->capture, "%s", bounds->capture);
}

void prof_region_path(const struct prof_region *region, char out[PROF_REGION_PATH_BYTES]) {
  snprintf(out, PROF_REGION_PATH_BYTES, "/proc/%ld/fd/%d", (long)getpid(), region->fd);
}

uint32_t prof_region_records_used(const struct prof_region *region) {
  uint32_t used = __atomic_load_n(&region->control->threads_used, __ATOMIC_ACQUIRE);
  return used < region->thread_count ? used : region->thread_count;
}

/* Programs can write to the header, so numbers are checked against our copy of the layout. */
struct prof_segment *prof_region_segment(const struct prof_region *region, uint32_t number) {
  if (number == 0 || number > region->segment_count)
    return NULL;
  return (struct prof_segment *)(region->base + region->bytes -
                                 (uint64_t)(region->segment_count - number + 1) * PROF_REGION_SEGMENT_BYTES);
}

struct prof_event *prof_segment_events(struct prof_segment *segment) {
  return (struct prof_event *)((uint8_t *)segment + sizeof *segment);
}

uint32_t prof_region_used_slots(const struct prof_region *region, const struct prof_segment *segment) {
  uint32_t slots = __atomic_load_n(&segment->slots, __ATOMIC_RELAXED), most = region->slots - 1;
  uint32_t over = prof_region_over_slots(segment);
  return (slots > 0 && slots < most ? slots : most) + (over > 0 ? over : 1);
}

uint32_t prof_region_over_slots(const struct prof_segment *segment) {
  uint32_t over = __atomic_load_n(&segment->over, __ATOMIC_RELAXED);
  return over < PROF_SEGMENT_SLACK_SLOTS ? over : PROF_SEGMENT_SLACK_SLOTS;
}

/* These bytes are zero already, or unused. */
static void free_memory(const struct prof_region *region, struct prof_segment *segment) {
  if (region->part_bytes < PROF_REGION_SEGMENT_BYTES)
    (void)madvise((uint8_t *)segment + region->part_bytes, PROF_REGION_SEGMENT_BYTES - region->part_bytes, MADV_REMOVE);
}

void prof_region_use_part(struct prof_region *region, uint32_t bytes) {
  PROF_VEC(uint32_t) free_ones = {0};
  struct prof_control *control = region->control;
  region->part_bytes = bytes;
  __atomic_store_n(&control->segment_slots, prof_segment_part_slots(bytes), __ATOMIC_RELAXED);
  uint64_t head = __atomic_load_n(&control->free_head, __ATOMIC_ACQUIRE);
  /* Takes all of them off the list, so that no thread gets one meanwhile. */
  while (!__atomic_compare_exchange_n(&control->free_head, &head, ((head >> 32) + 1) << 32, true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
    ;
  struct prof_segment *segment;
  for (uint32_t at = (uint32_t)head; (segment = prof_region_segment(region, at)) != NULL; at = segment->next)
    if (free_ones.count > region->segment_count || !prof_vec_push(&free_ones, at))
      break; /* the list is circular: the program has overwritten it */
  for (size_t i = free_ones.count; i > 0; i--) {
    segment = prof_region_segment(region, free_ones.items[i - 1]);
    free_memory(region, segment);
    segment->slots = prof_segment_part_slots(bytes);
    prof_region_give_back(region, free_ones.items[i - 1]);
  }
  prof_vec_fini(&free_ones);
  prof_region_wake_waiters(region, UINT32_MAX); /* threads that looked meanwhile found none */
}

void prof_region_give_back(struct prof_region *region, uint32_t number) {
  struct prof_segment *segment = prof_region_segment(region, number);
  uint64_t head = __atomic_load_n(&region->control->free_head, __ATOMIC_ACQUIRE), next;
  if (segment == NULL)
    return;
  if (prof_region_used_slots(region, segment) > prof_segment_part_slots(region->part_bytes) + 1)
    free_memory(region, segment);
  segment->thread = 0;
  do {
    __atomic_store_n(&segment->next, (uint32_t)head, __ATOMIC_RELAXED);
    next = ((head >> 32) + 1) << 32 | number;
  } while (
      !__atomic_compare_exchange_n(&region->control->free_head, &head, next, true, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE));
}

void prof_region_wake_waiters(struct prof_region *region, uint32_t count) {
  struct prof_control *control = region->control;
  /* Our push and released count come before this load, and a thread's announcement comes before its loads of them.
   * Sequential consistency orders all four: one of the two sees the other (Dekker). */
  if (count == 0 || __atomic_load_n(&control->waiters, __ATOMIC_SEQ_CST) == 0)
    return;
  __atomic_fetch_add(&control->space, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &control->space, FUTEX_WAKE, count < INT_MAX ? (int)count : INT_MAX, NULL, NULL, 0);
}

void prof_region_wake_owner(struct prof_thread *record) {
  if (__atomic_load_n(&record->waits, __ATOMIC_SEQ_CST) != 0)
    syscall(SYS_futex, &record->released, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void prof_region_close_recording(struct prof_region *region) {
  __atomic_store_n(&region->control->recorder_state, PROF_RECORDER_CLOSED, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&region->control->space, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &region->control->space, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  for (uint32_t i = 0; i < prof_region_records_used(region); i++)
    prof_region_wake_owner(&region->threads[i]);
  prof_region_pause(region, false);
}

void prof_region_pause(struct prof_region *region, bool paused) {
  __atomic_store_n(&region->control->paused, paused, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &region->control->paused, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void prof_region_ring_bell(struct prof_region *region) {
  __atomic_fetch_add(&region->control->bell, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &region->control->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}
