/*
 * tools/estimate/burst/thread_time.h - how long the plain program would have run for a part of a thread's life.
 *
 * That is the time less the cost of its events, of those in windows too, less its waits for the recorder, and less its
 * pauses, where scheduler switches were recorded.  In: the thread's event chunks, its windows and pauses.  Within a
 * chunk events are assumed to be evenly spread.
 *
 * The thread that opens windows may take a program's thread off its processor, and after that the caches are cold.  So
 * rates are of running time, not of elapsed time, and windows in or soon after a preemption don't count.  Nor do those
 * in waits for the recorder, in which the thread stands still.
 */
#ifndef PROF_ESTIMATE_BURST_THREAD_TIME_H
#define PROF_ESTIMATE_BURST_THREAD_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "proftrace.h"

struct prof_burst_stretch { /* events of a chunk */
  uint64_t begin, end;
  double events, before; /* in it; in all that begin earlier */
};
struct prof_burst_moment { /* a window */
  uint64_t time;
  uint64_t events; /* in it, and in all before */
};

struct prof_burst_pause { /* not for the recorder */
  uint64_t begin, end;
  double times;  /* what a tick of it stands for (estimate/switch_spans.h) */
  double before; /* what all earlier ones stand for, ticks */
};

/* Of windows. */
enum prof_burst_kind { PROF_BURST_BY_EVENTS, PROF_BURST_BY_COUNTS, PROF_BURST_KINDS };

struct prof_burst_time { /* of a thread */
  uint64_t begin, end;   /* of its life, within the range that is shown */
  uint64_t life_begin, life_end;
  PROF_VEC(struct prof_burst_stretch) stretches;
  PROF_VEC(struct prof_burst_moment) windows;
  /* By time; they don't overlap.  disturbances: preemptions and waits for the recorder, each with
   * some time after it. */
  PROF_VEC(struct prof_burst_pause) pauses;
  PROF_VEC(struct prof_burst_pause) disturbances;
  /* By kind: windows in its life; of those that are used, the sum of the parts that it ran. */
  double windows_met[PROF_BURST_KINDS], windows_ran[PROF_BURST_KINDS];
};

/* begin, end: of the stretch of a recording that the trace is, ticks; 0: its begin; UINT64_MAX: its end.  false: no
 * memory; fini it all the same. */
bool prof_burst_time_init(struct prof_burst_time *, const prof_trace *, uint32_t thread, uint64_t begin, uint64_t end);
/* Only [begin, end) is shown. */
void prof_burst_time_limit(struct prof_burst_time *, uint64_t begin, uint64_t end);
void prof_burst_time_fini(struct prof_burst_time *);

/* Adds the next pause; one that begins before the last one's end is cut.  times: as of a prof_pause.  false: no memory.
 */
bool prof_burst_time_pause(struct prof_burst_time *, uint64_t begin, uint64_t end, double times);
/* Likewise, of a preemption or a wait for the recorder, and the time after it, that don't count. */
bool prof_burst_time_disturb(struct prof_burst_time *, uint64_t begin, uint64_t end);
bool prof_burst_time_is_disturbed(const struct prof_burst_time *, uint64_t begin, uint64_t end);
/* Ticks of [begin, end) in which the thread ran, events and waits for the recorder included.  The second one is of a
 * short time in which switches are complete. */
uint64_t prof_burst_time_ran(const struct prof_burst_time *, uint64_t begin, uint64_t end);
uint64_t prof_burst_time_ran_within(const struct prof_burst_time *, uint64_t begin, uint64_t end);

/* Adds a window.  false: no memory. */
bool prof_burst_time_add(struct prof_burst_time *, uint64_t begin, uint64_t events);
/* All windows are added. */
void prof_burst_time_finish(struct prof_burst_time *);

/* Windows that are used, each as far as the thread ran in it, as a part of all of their kind. */
static inline double prof_burst_time_window_part(const struct prof_burst_time *time, enum prof_burst_kind kind) {
  return time->windows_met[kind] > 0 ? time->windows_ran[kind] / time->windows_met[kind] : 0;
}

struct prof_burst_ran { /* of a thread, in a part of its life */
  double ticks;         /* it ran, events and waits for the recorder included */
  double events;        /* that read the clock, those of windows too */
};
/* Adds what it did in [begin, end), as far as that is shown. */
void prof_burst_time_add_ran(const struct prof_burst_time *, uint64_t begin, uint64_t end, struct prof_burst_ran *);

/*
 * What the plain program ran of it; an event costs event_ticks.  life_ticks: what the thread ran in all of its life;
 * stalled_ticks: in so much of that it waited for the recorder.
 */
double prof_burst_plain_ticks(const struct prof_burst_ran *, double life_ticks, double stalled_ticks,
                              double event_ticks);

/* Events of all its windows. */
static inline uint64_t prof_burst_time_window_events(const struct prof_burst_time *time) {
  return time->windows.count ? time->windows.items[time->windows.count - 1].events : 0;
}

#endif
