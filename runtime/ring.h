/* ring.h - a thread's chain of segments. */
#ifndef PROF_RUNTIME_RING_H
#define PROF_RUNTIME_RING_H

#include "event.h"
#include "state.h"

/* Commits an event. */
static inline void prof_event_store(struct prof_event *event, uint64_t time, uint32_t what, uint32_t aux) {
  event->what = what;
  event->aux = aux;
  __atomic_store_n(&event->time, time, __ATOMIC_RELEASE);
}
/* Call all of these with signals blocked. */
/* Makes room after a reservation of `bytes` at `slot` failed.  false: the event is dropped, and counted. */
bool prof_ring_retry(struct prof_cell *, char *slot, uint32_t bytes);
/* Takes what a thread needs to write events, so that the recorder sees it. */
void prof_ring_ready(struct prof_cell *);
/* Writes a FORK event.  Its number; 0: no room. */
uint32_t prof_ring_fork(struct prof_cell *);
/* Writes a BOTTOM event, if there is room. */
void prof_ring_bottom(struct prof_cell *);
/* The thread is about to end: counts what it dropped. */
/* Empties its discard area, without counting. */
void prof_ring_forget(struct prof_cell *);
void prof_ring_leave(struct prof_cell *);
/* The process is about to end: the same, for the calling thread. */
void prof_ring_count(struct prof_cell *);

#endif
