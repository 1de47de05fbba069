/*
 * gpu/region.c - see region.h.
 *
 * Follows the runtime's rules (runtime/control_map.c, segments.c, wait.c), for one writer that is no probe: it may use
 * libc.
 */
#include "region.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "gpu.h"

#define WAIT_TURN_NS 50000000
#define SILENCE_NS 2000000000ull   /* without a heartbeat, before the recorder's pid is checked */
#define PATIENCE_NS 20000000000ull /* with a heartbeat, but without space */

static bool inside(uint64_t offset, uint64_t bytes, uint64_t total) {
  return offset % 8 == 0 && offset <= total && bytes <= total - offset;
}

static const char *fault_of(const struct prof_control *c, uint64_t file_bytes) {
  if (file_bytes < sizeof *c || __atomic_load_n(&c->magic, __ATOMIC_ACQUIRE) != PROF_CONTROL_MAGIC)
    return "PROF_RING names no recording region";
  if (c->version != PROF_REGION_VERSION || c->header_bytes != sizeof *c || !(c->flags & PROF_CONTROL_GPU))
    return PROF_GPU_FILE " and `prof record` are of different versions; install both from one release";
  bool power = c->segment_bytes >= 65536 && !(c->segment_bytes & (c->segment_bytes - 1));
  if (c->region_bytes > file_bytes || !power || c->segment_bytes > 1u << 26 || c->segments_offset % 64 ||
      !inside(c->threads_offset, (uint64_t)c->thread_count * sizeof(struct prof_thread), c->region_bytes) ||
      !inside(c->segments_offset, (uint64_t)c->segment_count * c->segment_bytes, c->region_bytes))
    return "the recording region is damaged";
  return NULL;
}

bool prof_gpu_region_map(struct prof_gpu_region *region, const char *path, char *why, size_t why_bytes) {
  struct stat status, own;
  *region = (struct prof_gpu_region){0};
  *why = 0;
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 && errno == ENOENT && strncmp(path, "/proc/", 6) == 0)
    return false; /* the recorder has ended */
  void *map = MAP_FAILED;
  size_t bytes = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  if (bytes >= sizeof(struct prof_control))
    map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  int error = errno;
  if (fd >= 0)
    close(fd);
  if (map == MAP_FAILED) {
    snprintf(why, why_bytes, "GPU activity is not recorded: the region %.200s can't be mapped: %s", path,
             strerror(error));
    return false;
  }
  madvise(map, bytes, MADV_DONTDUMP);
  struct prof_control *control = map;
  const char *fault = fault_of(control, bytes);
  if (fault != NULL) {
    snprintf(why, why_bytes, "GPU activity is not recorded: %s", fault);
    munmap(map, bytes);
    return false;
  }
  region->control = control;
  prof_gpu_clock_choose(control);
  region->threads = (struct prof_thread *)((char *)map + control->threads_offset);
  region->segments = (char *)map + control->segments_offset;
  region->segment_bytes = control->segment_bytes;
  region->segment_count = control->segment_count;
  region->recorder_visible =
      control->pid_namespace != 0 && stat("/proc/self/ns/pid", &own) == 0 && own.st_ino == control->pid_namespace;
  return true;
}

bool prof_gpu_region_take_record(struct prof_gpu_region *region, pid_t tid, uint64_t now_ticks) {
  struct prof_control *control = region->control;
  for (uint32_t i = 0; i < control->thread_count; i++) {
    struct prof_thread *record = &region->threads[i];
    uint32_t state = PROF_THREAD_FREE;
    if (!__atomic_compare_exchange_n(&record->state, &state, PROF_THREAD_TAKEN, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      continue;
    uint32_t used = __atomic_load_n(&control->threads_used, __ATOMIC_RELAXED);
    while (used < i + 1 &&
           !__atomic_compare_exchange_n(&control->threads_used, &used, i + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      ;
    uint32_t generation = record->generation + 1;
    *record = (struct prof_thread){.state = PROF_THREAD_TAKEN,
                                   .pid = getpid(),
                                   .tid = tid,
                                   .generation = generation,
                                   .start = now_ticks,
                                   .content = PROF_THREAD_GPU};
    region->record = record;
    region->number = i;
    return true;
  }
  return false;
}

static struct prof_segment *segment_at(const struct prof_gpu_region *region, uint32_t number) {
  return (struct prof_segment *)(region->segments + (size_t)(number - 1) * region->segment_bytes);
}

static uint32_t pop(struct prof_gpu_region *region) {
  struct prof_control *control = region->control;
  uint32_t held = region->record->taken - __atomic_load_n(&region->record->released, __ATOMIC_ACQUIRE);
  if (held >= __atomic_load_n(&control->thread_segments, __ATOMIC_RELAXED))
    return 0;
  uint64_t head = __atomic_load_n(&control->free_head, __ATOMIC_ACQUIRE);
  while ((uint32_t)head != 0) {
    uint32_t number = (uint32_t)head;
    if (number > region->segment_count)
      return 0;
    uint64_t below = __atomic_load_n(&segment_at(region, number)->next, __ATOMIC_RELAXED);
    uint64_t next = ((head >> 32) + 1) << 32 | (uint32_t)below;
    if (__atomic_compare_exchange_n(&control->free_head, &head, next, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return number;
  }
  uint32_t fresh = __atomic_load_n(&control->fresh_segments, __ATOMIC_RELAXED);
  while (fresh < region->segment_count)
    if (__atomic_compare_exchange_n(&control->fresh_segments, &fresh, fresh + 1, true, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      return fresh + 1;
  return 0;
}

static void ring_bell(struct prof_control *control) {
  if (__atomic_load_n(&control->recorder_sleeps, __ATOMIC_SEQ_CST) == 0)
    return;
  __atomic_fetch_add(&control->bell, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &control->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static uint64_t monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool prof_gpu_region_is_recording(const struct prof_gpu_region *region) {
  return __atomic_load_n(&region->control->recorder_state, __ATOMIC_ACQUIRE) == PROF_RECORDER_RUNNING;
}

static bool recorder_is_gone(const struct prof_gpu_region *region, uint64_t silent_ns) {
  if (silent_ns < SILENCE_NS)
    return false;
  return !region->recorder_visible || (kill(region->control->recorder_pid, 0) != 0 && errno == ESRCH);
}

static uint32_t wait_for_one(struct prof_gpu_region *region) {
  struct prof_control *control = region->control;
  const struct timespec turn = {0, WAIT_TURN_NS};
  uint32_t number = 0, heartbeat = __atomic_load_n(&control->heartbeat, __ATOMIC_RELAXED);
  uint64_t begin = monotonic_ns(), moved = begin;
  __atomic_fetch_add(&control->waiters, 1, __ATOMIC_SEQ_CST);
  while (prof_gpu_region_is_recording(region)) {
    uint32_t seen = __atomic_load_n(&control->space, __ATOMIC_SEQ_CST);
    if ((number = pop(region)) != 0)
      break;
    ring_bell(control);
    uint32_t beat = __atomic_load_n(&control->heartbeat, __ATOMIC_RELAXED);
    uint64_t now = monotonic_ns();
    moved = beat != heartbeat ? now : moved;
    heartbeat = beat;
    if (recorder_is_gone(region, now - moved) || now - begin > PATIENCE_NS)
      break;
    syscall(SYS_futex, &control->space, FUTEX_WAIT, seen, &turn, NULL, 0);
  }
  __atomic_fetch_sub(&control->waiters, 1, __ATOMIC_SEQ_CST);
  return number;
}

char *prof_gpu_region_next_segment(struct prof_gpu_region *region, uint64_t *stalled_ticks) {
  struct prof_thread *record = region->record;
  if (!prof_gpu_region_is_recording(region))
    return NULL;
  uint32_t number = pop(region);
  if (number == 0 && region->control->when_full == PROF_WHEN_FULL_WAIT) {
    uint64_t begin = prof_gpu_clock_now();
    number = wait_for_one(region);
    *stalled_ticks += prof_gpu_clock_now() - begin;
  }
  if (number == 0)
    return NULL;
  struct prof_segment *segment = segment_at(region, number);
  __atomic_store_n(&segment->next, 0, __ATOMIC_RELAXED);
  segment->thread = region->number;
  segment->slots = 0;
  __atomic_store_n(&record->taken, record->taken + 1, __ATOMIC_RELAXED);
  if (region->segment != 0) {
    __atomic_store_n(&segment_at(region, region->segment)->next, number, __ATOMIC_RELEASE);
  } else {
    record->first_segment = number;
    __atomic_store_n(&record->state, PROF_THREAD_LIVE, __ATOMIC_RELEASE);
  }
  region->segment = number;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  uint32_t unread = record->taken - __atomic_load_n(&record->released, __ATOMIC_ACQUIRE) - 1;
  if (unread >= region->control->wake_segments)
    ring_bell(region->control);
  return (char *)(segment + 1);
}

void prof_gpu_region_end(struct prof_gpu_region *region) {
  bool written = region->segment != 0;
  if (!written) /* the recorder doesn't know it */
    region->record->content = PROF_THREAD_EVENTS;
  __atomic_store_n(&region->record->state, written ? PROF_THREAD_ENDED : PROF_THREAD_FREE, __ATOMIC_RELEASE);
}
