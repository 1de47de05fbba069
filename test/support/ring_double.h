/*
 * ring_double.h - a recorder for tests: makes a region, sets PROF_RECORD and PROF_RING, drains threads into arrays.
 *
 * One thread drains; forked programs share the test's region.  Faults of the test itself abort.
 */
#ifndef PROF_TEST_RING_DOUBLE_H
#define PROF_TEST_RING_DOUBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control.h"

struct ring_double {
  int fd;
  size_t bytes;
  struct prof_control *control;
  struct prof_read_slot *reads;
  struct prof_thread *threads;
  char *log;
  char *segments;
  char *counters; /* NULL: none */
};

struct ring_reader { /* position in one thread record */
  uint32_t segment, slot, generation;
  bool has_begun;
  bool has_hole;         /* in the current segment, which is then not returned */
  int64_t hole_since_ms; /* 0: the slot is not empty, or no filled slot is known behind it */
  uint64_t events, holes;
  /* last event of the check, for order */
  uint64_t last_time;
};

/* Time to wait for an empty slot before filled ones; set it before anything is drained. */
extern int64_t ring_double_hole_ms;

/* Called for each event except NONE. */
typedef void ring_event_fn(void *context, uint32_t thread, const struct prof_event *);

void ring_double_open(struct ring_double *, uint32_t segments, uint32_t thread_segments, enum prof_when_full);
/* Before a program attaches: there is room for copies of text, and each thread record has `counters` counters (0: none;
 * else whole pages of them). */
void ring_double_open_texts(struct ring_double *, uint64_t bytes, uint64_t counters);
/* How often the thread of a record has counted at a counter. */
uint64_t ring_double_count(const struct ring_double *, uint32_t thread, uint32_t counter);
/*
 * Reads the finished events of record `thread` and returns whole segments to the region.  `last`: the thread writes no
 * more.  true: the thread has reported its end, and the record is free.
 */
bool ring_double_drain(struct ring_double *, struct ring_reader *, uint32_t thread, bool last, ring_event_fn *, void *);
/* Copies all events of a record into a new array, which the caller frees; for threads that write no more.  Returns no
 * segments to the region. */
struct prof_event *ring_double_events(const struct ring_double *, uint32_t thread, size_t *count);
/* The record of the log at *offset, which moves behind it; NULL at the end. */
const struct prof_log_head *ring_double_log(const struct ring_double *, uint64_t *offset);
/* Record number of a live or ended thread; UINT32_MAX: none. */
uint32_t ring_double_find(const struct ring_double *, int tid);

/* Bytes of memory that the region uses. */
size_t ring_double_memory(const struct ring_double *);

#endif
