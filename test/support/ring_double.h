/*
 * ring_double.h - a recorder for tests: makes a region, sets PROF_RECORD and PROF_RING, drains threads into arrays.
 *
 * One thread drains; programs that fork from the test share the region.  Faults of the test itself abort.
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
  struct prof_thread *threads;
  char *log;
  char *segments;
};

struct ring_reader { /* where one thread record is being read */
  uint32_t segment, slot, generation;
  bool has_begun;
  bool has_hole;         /* in the current segment: it is not given back */
  int64_t hole_since_ms; /* 0: the slot is not empty, or nothing is known to lie behind it */
  uint64_t events, holes;
  /* last event seen by the check, for order */
  uint64_t last_time;
};

/* How long an empty slot before filled ones is waited for; set before anything is drained. */
extern int64_t ring_double_hole_ms;

/* Called for each event, NONE left out. */
typedef void ring_event_fn(void *context, uint32_t thread, const struct prof_event *);

void ring_double_open(struct ring_double *, uint32_t segments, uint32_t thread_segments, enum prof_when_full);
/*
 * Reads what is finished of record `thread`; gives whole segments back.  `last`: the thread writes no more.
 * true: the thread has said that it ended, and the record is free again.
 */
bool ring_double_drain(struct ring_double *, struct ring_reader *, uint32_t thread, bool last, ring_event_fn *, void *);
/* Copies all events of a record into a new array (free it); for threads that write no more, nothing is given back. */
struct prof_event *ring_double_events(const struct ring_double *, uint32_t thread, size_t *count);
/* The record of the log at *offset, moving it; NULL at the end. */
const struct prof_log_head *ring_double_log(const struct ring_double *, uint64_t *offset);
/* Record number of a live or ended thread; UINT32_MAX: none. */
uint32_t ring_double_find(const struct ring_double *, int tid);

/* Bytes of memory that the region takes. */
size_t ring_double_memory(const struct ring_double *);

#endif
