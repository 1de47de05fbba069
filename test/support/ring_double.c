/*
 * ring_double.c - see ring_double.h.
 */
#define _GNU_SOURCE
#include "ring_double.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SEGMENT_BYTES 65536u
#define THREADS 2048u
#define LOG_BYTES (1u << 20)
int64_t ring_double_hole_ms = 200;

void ring_double_open(struct ring_double *ring, uint32_t segments, uint32_t thread_segments, enum prof_when_full full) {
  struct stat own;
  char path[64];
  uint64_t reads_offset = 4096, threads_offset = reads_offset + PROF_READ_SLOTS * sizeof(struct prof_read_slot);
  uint64_t log_offset = threads_offset + THREADS * sizeof(struct prof_thread);
  uint64_t segments_offset = log_offset + LOG_BYTES;
  ring->bytes = segments_offset + (uint64_t)segments * SEGMENT_BYTES;
  ring->fd = memfd_create("ring-double", 0);
  if (ring->fd < 0 || ftruncate(ring->fd, (off_t)ring->bytes) != 0 || stat("/proc/self/ns/pid", &own) != 0)
    abort();
  char *base = mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
  if (base == MAP_FAILED)
    abort();
  ring->control = (struct prof_control *)base;
  ring->reads = (struct prof_read_slot *)(base + reads_offset);
  ring->threads = (struct prof_thread *)(base + threads_offset);
  ring->log = base + log_offset;
  ring->segments = base + segments_offset;
  *ring->control = (struct prof_control){
      .version = PROF_REGION_VERSION,
      .header_bytes = sizeof(struct prof_control),
      .region_bytes = ring->bytes,
      .reads_offset = reads_offset,
      .threads_offset = threads_offset,
      .log_offset = log_offset,
      .log_bytes = LOG_BYTES,
      .segments_offset = segments_offset,
      .thread_count = THREADS,
      .segment_bytes = SEGMENT_BYTES,
      .segment_count = segments,
      .thread_segments = thread_segments,
      .when_full = full,
      .recorder_pid = getpid(),
      .wake_segments = 4,
      .pid_namespace = own.st_ino,
      .recorder_state = PROF_RECORDER_RUNNING,
      .next_site = 1,
      .magic = PROF_CONTROL_MAGIC,
  };
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), ring->fd);
  setenv("PROF_RECORD", "1", 1);
  setenv("PROF_RING", path, 1);
}

void ring_double_open_texts(struct ring_double *ring, uint64_t bytes, uint64_t counters) {
  struct prof_control *control = ring->control;
  uint64_t behind = ((ring->bytes + 4095) & ~(uint64_t)4095) + bytes;
  control->texts_offset = behind - bytes;
  control->texts_bytes = bytes;
  control->counters_bytes = counters * sizeof(uint64_t);
  control->counters_offset = counters ? behind : 0;
  size_t counter_bytes = (THREADS + 1) * control->counters_bytes;
  if (ftruncate(ring->fd, (off_t)(behind + counter_bytes)) != 0)
    abort();
  if (!counters)
    return;
  ring->counters = mmap(NULL, counter_bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, ring->fd, (off_t)behind);
  if (ring->counters == MAP_FAILED)
    abort();
}

uint64_t ring_double_count(const struct ring_double *ring, uint32_t thread, uint32_t counter) {
  const char *block = ring->counters + (thread + 1) * ring->control->counters_bytes;
  return __atomic_load_n((const uint64_t *)(const void *)block + counter, __ATOMIC_RELAXED);
}

static struct prof_segment *segment_at(const struct ring_double *ring, uint32_t number) {
  if (number == 0 || number > ring->control->segment_count)
    abort();
  return (struct prof_segment *)(ring->segments + (size_t)(number - 1) * SEGMENT_BYTES);
}

static void segment_give(struct ring_double *ring, uint32_t number) {
  struct prof_control *control = ring->control;
  struct prof_segment *segment = segment_at(ring, number);
  memset(segment + 1, 0, SEGMENT_BYTES - sizeof *segment);
  uint64_t head = __atomic_load_n(&control->free_head, __ATOMIC_ACQUIRE), next;
  do {
    __atomic_store_n(&segment->next, (uint32_t)head, __ATOMIC_RELAXED);
    next = ((head >> 32) + 1) << 32 | number;
  } while (!__atomic_compare_exchange_n(&control->free_head, &head, next, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(&control->waiters, __ATOMIC_RELAXED)) {
    __atomic_fetch_add(&control->space, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &control->space, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  }
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool slot_is_filled(const struct prof_event *event) {
  return __atomic_load_n(&event->time, __ATOMIC_ACQUIRE) != 0;
}

/* The slot is empty.  Is it a hole whose wait is over? */
static bool hole_is_given_up(struct ring_reader *reader, const struct prof_event *events, bool left, bool last) {
  uint32_t slots = ((const struct prof_segment *)(const void *)events)[-1].slots;
  bool is_hole = left;
  for (uint32_t ahead = reader->slot + 1; ahead < slots && ahead < reader->slot + 64; ahead++)
    is_hole |= slot_is_filled(&events[ahead]);
  if (!is_hole)
    return false;
  if (!reader->hole_since_ms)
    reader->hole_since_ms = now_ms();
  return last || now_ms() - reader->hole_since_ms > ring_double_hole_ms;
}

/* Reads finished slots; true: the segment is used up.  `left`: its thread writes to a later one. */
static bool segment_read(struct ring_reader *reader, struct prof_segment *segment, uint32_t thread, bool left,
                         bool last, ring_event_fn *event, void *context) {
  struct prof_event *events = (struct prof_event *)(segment + 1);
  uint32_t slots = segment->slots + segment->over;
  for (; reader->slot < slots + (segment->over == 0); reader->slot++) {
    struct prof_event *at = &events[reader->slot];
    bool filled = slot_is_filled(at);
    if (!filled && reader->slot == slots)
      break; /* slack that only a FRAME uses */
    if (!filled && !hole_is_given_up(reader, events, left, last))
      return false;
    reader->hole_since_ms = 0;
    reader->holes += !filled;
    reader->has_hole |= !filled;
    if (!filled || prof_event_kind(at->what) == PROF_EVENT_NONE)
      continue;
    reader->events++;
    if (event)
      event(context, thread, at);
  }
  return left;
}

bool ring_double_drain(struct ring_double *ring, struct ring_reader *reader, uint32_t thread, bool last,
                       ring_event_fn *event, void *context) {
  struct prof_thread *record = &ring->threads[thread];
  uint32_t state = __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
  if (state != PROF_THREAD_LIVE && state != PROF_THREAD_ENDED)
    return false;
  last |= state == PROF_THREAD_ENDED;
  if (!reader->has_begun || reader->generation != record->generation) {
    reader->segment = record->first_segment;
    reader->slot = 0;
    reader->generation = record->generation;
    reader->has_begun = true;
  }
  for (;;) {
    struct prof_segment *segment = segment_at(ring, reader->segment);
    uint32_t next = __atomic_load_n(&segment->next, __ATOMIC_ACQUIRE);
    if (!segment_read(reader, segment, thread, next != 0, last, event, context))
      break;
    if (!reader->has_hole)
      segment_give(ring, reader->segment);
    __atomic_fetch_add(&record->released, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&record->waits, __ATOMIC_SEQ_CST))
      syscall(SYS_futex, &record->released, FUTEX_WAKE, 1, NULL, NULL, 0);
    reader->has_hole = false;
    reader->segment = next;
    reader->slot = 0;
  }
  if (state == PROF_THREAD_ENDED) {
    segment_give(ring, reader->segment);
    __atomic_store_n(&record->state, PROF_THREAD_FREE, __ATOMIC_RELEASE);
  }
  return state == PROF_THREAD_ENDED;
}

struct collection {
  struct prof_event *events;
  size_t count, room;
};

static void collect(struct collection *c, const struct prof_event *event) {
  if (c->count == c->room) {
    c->room = c->room ? 2 * c->room : 4096;
    c->events = realloc(c->events, c->room * sizeof *c->events);
    if (!c->events)
      abort();
  }
  c->events[c->count++] = *event;
}

struct prof_event *ring_double_events(const struct ring_double *ring, uint32_t thread, size_t *count) {
  struct collection c = {0};
  uint32_t number = ring->threads[thread].first_segment;
  while (number) {
    struct prof_segment *segment = segment_at(ring, number);
    uint32_t slots = segment->slots + segment->over;
    const struct prof_event *events = (const struct prof_event *)(segment + 1);
    for (uint32_t slot = 0; slot <= slots; slot++)
      if (events[slot].time && prof_event_kind(events[slot].what) != PROF_EVENT_NONE)
        collect(&c, &events[slot]);
    number = segment->next;
  }
  *count = c.count;
  return c.events;
}

const struct prof_log_head *ring_double_log(const struct ring_double *ring, uint64_t *offset) {
  const struct prof_log_head *head = (const struct prof_log_head *)(ring->log + *offset);
  if (*offset >= LOG_BYTES || !__atomic_load_n(&head->kind, __ATOMIC_ACQUIRE))
    return NULL;
  *offset += head->bytes;
  return head;
}

uint32_t ring_double_find(const struct ring_double *ring, int tid) {
  for (uint32_t i = 0; i < ring->control->threads_used; i++)
    if (ring->threads[i].state >= PROF_THREAD_LIVE && ring->threads[i].tid == tid)
      return i;
  return UINT32_MAX;
}

size_t ring_double_memory(const struct ring_double *ring) {
  struct stat status;
  if (fstat(ring->fd, &status) != 0)
    abort();
  return (size_t)status.st_blocks * 512;
}
