/*
 * test/unit/played_thread.h - plays a thread of a recorded program: takes segments of a region, fills slots and links
 * them as the runtime does.
 */
#ifndef PROF_TEST_PLAYED_THREAD_H
#define PROF_TEST_PLAYED_THREAD_H

#include <string.h>

#include "event.h"
#include "record/region/region.h"

struct played_thread {
  struct prof_region *region;
  uint32_t index;   /* of its record */
  uint32_t current; /* segment */
  uint64_t ticks;
};

enum { PLAYED_ENTRY_SITE = 1, PLAYED_EXIT_SITE = 2 };

static inline struct prof_thread *played_record(const struct played_thread *thread) {
  return &thread->region->threads[thread->index];
}

static inline struct prof_event *played_slot(const struct played_thread *thread, uint32_t segment, uint32_t index) {
  return &prof_segment_events(prof_region_segment(thread->region, segment))[index];
}

/* Entry and exit of one function in turn. */
static inline void played_fill(struct played_thread *thread, uint32_t segment, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    bool entry = i % 2 == 0;
    struct prof_event *slot = played_slot(thread, segment, i);
    slot->what = entry ? prof_event_what(PLAYED_ENTRY_SITE, PROF_EVENT_ENTRY)
                       : prof_event_what(PLAYED_EXIT_SITE, PROF_EVENT_EXIT);
    slot->time = ++thread->ticks;
  }
}

static inline uint32_t played_take(struct played_thread *thread) {
  struct prof_region *region = thread->region;
  uint64_t head = region->control->free_head;
  played_record(thread)->taken++;
  if ((uint32_t)head == 0)
    return ++region->control->fresh_segments;
  uint32_t number = (uint32_t)head;
  region->control->free_head = ((head >> 32) + 1) << 32 | prof_region_segment(region, number)->next;
  prof_region_segment(region, number)->next = 0;
  return number;
}

static inline uint32_t played_next(struct played_thread *thread) {
  uint32_t number = played_take(thread);
  prof_region_segment(thread->region, thread->current)->next = number;
  thread->current = number;
  return number;
}

/* Its record is there, with a first segment. */
static inline void played_begin(struct played_thread *thread, struct prof_region *region, uint32_t index) {
  *thread = (struct played_thread){.region = region, .index = index, .ticks = 1000};
  *played_record(thread) = (struct prof_thread){0};
  thread->current = played_take(thread);
  *played_record(thread) = (struct prof_thread){.state = PROF_THREAD_LIVE,
                                                .process = 1,
                                                .pid = 1,
                                                .tid = 1 + (int32_t)index,
                                                .first_segment = thread->current,
                                                .taken = 1};
  memcpy(played_record(thread)->name, "name", 5);
}

static inline uint32_t played_per_segment(const struct prof_region *region) {
  return region->slots - 1; /* the last is slack */
}

#endif
