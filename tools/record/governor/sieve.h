/*
 * tools/record/governor/sieve.h - keeps events of functions that aren't in state always from the matcher.
 *
 * In: finished slots of a thread's ring, in order.  Out: the same slots, in which events of others are NONE; counts of
 * what lay in windows.  It stops where a function has left state always, as the frames of the thread change there.
 * Used by the pump only.
 */
#ifndef PROF_RECORD_SIEVE_H
#define PROF_RECORD_SIEVE_H

#include "event.h"
#include "record/governor/units.h"
#include "record/governor/window_book.h"

/* What a thread's channel keeps between two calls. */
struct prof_sieve_thread {
  uint32_t number;  /* in the trace */
  size_t ahead;     /* slots filtered already and not passed yet */
  uint64_t last;    /* ticks of its last event */
  uint64_t leaving; /* number of the next leaving that it hasn't seen */
  uint64_t window;  /* number of the next window that doesn't end before `last` */
  uint64_t edge;    /* ticks from which `window` or `inside` may be wrong */
  bool inside;      /* `last` is in that window */
  bool begun;
  struct prof_tally tally;
};

struct prof_sieve {
  struct prof_units units;
  struct prof_window_book book;
  PROF_VEC(uint64_t) leavings; /* ticks at which functions left state always, rising */
  void (*look)(void *context); /* takes windows that opened or closed into the book; NULL: nothing to take */
  void *context;
  bool lands;       /* control may land in functions in state burst, unseen: entries tell their frame's address first */
  uint64_t events;  /* that were left to the matcher */
  uint64_t dropped; /* of functions in state burst, in windows and around them */
};

void prof_sieve_fini(struct prof_sieve *);

/* Before the thread's first event, which isn't before `start`. */
void prof_sieve_begin(const struct prof_sieve *, struct prof_sieve_thread *, uint32_t number, uint64_t start);
void prof_sieve_thread_fini(struct prof_sieve_thread *);

/*
 * Filters slots from slots[0] on.  Stops at the first empty one (skip_empty: passes those) and before the first event
 * that is not before a leaving: then *out_leaving is its time, else 0.  Returns the number of filtered slots.
 */
size_t prof_sieve_slots(struct prof_sieve *, struct prof_sieve_thread *, struct prof_event *slots, size_t count,
                        const struct prof_site_map *, bool skip_empty, uint64_t *out_leaving);

/* The next leaving of a thread that writes no more; 0: it has seen all. */
uint64_t prof_sieve_next_leaving(const struct prof_sieve *, const struct prof_sieve_thread *);
/* The frames were changed for it. */
void prof_sieve_left(struct prof_sieve_thread *);
/* Is the function (of prof_site_map) not recorded at the time?  For prof_matcher_leave. */
bool prof_sieve_is_gone(const struct prof_sieve *, uint32_t function, uint64_t time);
/* Was there a time at which it wasn't?  sieve: a struct prof_sieve.  For prof_matcher_excuse. */
bool prof_sieve_was_off(void *sieve, uint32_t site, uint32_t function);

/* All that the thread wrote before `time` was filtered: closes its windows that ended before. */
void prof_sieve_settle(struct prof_sieve *, struct prof_sieve_thread *, uint64_t time);

/* An ENTRY and its FRAME, written by one reservation: puts the address first, so that the entry shows which frames are
 * gone.  False: slots[1] is no such FRAME. */
bool prof_sieve_frame_first(struct prof_event *slots);

#endif
