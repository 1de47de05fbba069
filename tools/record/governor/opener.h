/*
 * tools/record/governor/opener.h - the thread that opens windows: for some 30 us a random part of the functions in
 * state burst is recorded.
 *
 * In: the burst functions and their sites, how often windows may open.  Out: switches of their sites, and for the pump
 * when each window began and ended.
 *
 * Windows are of two kinds in turn.  In one, sites write events; few functions are on, and callers are known.  In the
 * other, entries count: it costs a tenth, so all of them are on, and the window is longer.  Every third of these has a
 * quarter of the functions on: the difference shows what counting costs (estimate/burst/count_fit.h).
 *
 *    gap, exponential | switch on | 10 us left out, as code and caches settle | begin  30 us  end | switch off
 *
 * Threads: its own, so that a window's length doesn't depend on the pump.  It sleeps in a window: it may be on the very
 * processor that the program needs.  The lock of `beat` guards the texts and the bursts; it
 * is held while sites are switched.  `note_lock` guards the notes and is held for nanoseconds: an event that was read
 * before a look, and lies in a window, has a time after a begin that the look shows.
 */
#ifndef PROF_RECORD_OPENER_H
#define PROF_RECORD_OPENER_H

#include "record/clock/beat.h"
#include "record/clock/ticks.h"
#include "record/governor/count_reader.h"
#include "record/governor/texts.h"
#include "record/governor/units.h"
#include "record/governor/window_book.h"

#define PROF_WINDOW_LEAD_NS 10000u

struct prof_burst {
  uint32_t site;         /* names it */
  uint32_t first, count; /* its sites in the list */
  bool is_loop;
};

struct prof_window_note {
  uint64_t number, begin, end, seed; /* end 0: it is open */
  uint32_t part;
  bool counts, interrupted;
};

/* Number of a record's thread in the trace; 0: not known yet. */
typedef uint32_t prof_opener_thread_of(void *context, uint32_t record, int32_t tid);

struct prof_opener {
  enum prof_ticks_of clock;
  struct prof_beat beat;
  struct prof_text_set texts;
  PROF_VEC(struct prof_burst) bursts;
  struct prof_site_list sites;  /* of all bursts */
  struct prof_site_list chosen; /* those that are on */
  uint32_t part;                /* of the bursts, times 2^32 */
  struct prof_count_reader counts;
  bool can_count, count_next; /* count_next: every other window */
  uint32_t count_turn;        /* windows that count */
  prof_opener_thread_of *thread_of;
  void *context;
  uint64_t gap_ns;       /* mean; 0: no windows */
  uint64_t lead_ticks;   /* PROF_WINDOW_LEAD_NS */
  bool paused;           /* no windows, as nothing is recorded */
  bool in_stretches;     /* windows open in stretches only (record/sampling/rates.h), where it is known who runs */
  bool stretch_on;       /* one is on */
  uint64_t stretch_ns;   /* when the last one began in which windows opened */
  bool had_none;         /* there was no burst function at the last plan */
  bool is_open, spoiled; /* spoiled: functions left state always in the open window */
  uint64_t open_ns;      /* when the open window was opened; 0: none is, or the pump has closed it */
  uint64_t closed_ticks; /* when sites were last switched off */
  pthread_mutex_t note_lock;
  PROF_VEC(struct prof_window_note) notes; /* not looked at yet */
  struct prof_count_rows noted;            /* the same, of windows that count */
  struct prof_count_rows waiting;          /* looked at, of threads that have no number yet; the pump's */
  uint64_t next;                           /* number of the next window */
  uint64_t opened;
};

/* The thread starts with no bursts; texts: of the region.  false: no thread. */
bool prof_opener_start(struct prof_opener *, enum prof_ticks_of, int region_fd, uint64_t texts_begin,
                       uint64_t texts_end);
/* From now on every other window counts, where the region's threads have counters. */
void prof_opener_count(struct prof_opener *, const struct prof_region *, prof_opener_thread_of *, void *context);
/* Closes the current window and opens none any more. */
void prof_opener_stop(struct prof_opener *);
void prof_opener_fini(struct prof_opener *);

/* A stretch begins or ends; from the first one on, until prof_opener_leave_stretches, windows open in these only. */
void prof_opener_stretch(struct prof_opener *, bool on);
void prof_opener_leave_stretches(struct prof_opener *);

/* Called by the pump: closes a window that is open for too long, as the thread gets no processor. */
void prof_opener_limit(struct prof_opener *);

/* Takes what happened since the last look into the book. */
void prof_opener_look(struct prof_opener *, struct prof_window_book *);

#endif
