/*
 * tools/estimate/line_readings.h - the clock's readings for lines (lines=time) that lie in each node's self time.
 *
 * Job: their cost can then be removed from functions' times too (correct.h).  In: a trace and its nodes as measured.
 * The trace has the readings of each place in the code, over all threads and call paths (wire/times.h), and of each
 * thread.  How many each call path had is not known: a function's readings are shared out by self time, so that each
 * thread has its number.  Where a filter hides calls, their time is in another function's self time: there a thread's
 * readings are shared out evenly over its time.
 */
#ifndef PROF_ESTIMATE_LINE_READINGS_H
#define PROF_ESTIMATE_LINE_READINGS_H

#include "estimate/profile.h"

struct prof_line_reading_cost { /* of one reading; ticks, 0: not known */
  double taken_ticks;           /* among other work */
  double most_ticks;            /* one right after another */
};

/* As calibrated in the process; where it has no calibration of its own (it was forked), in any other one. */
struct prof_line_reading_cost prof_line_reading_cost_of(const prof_trace *, uint32_t process);

/* Whether any thread read the clock for lines. */
bool prof_line_readings_are(const prof_trace *);

struct prof_line_readings {
  double *of_function; /* readings in a tick of a function's self time; behind the last: of unknown ones */
  double *scale;       /* by thread: factor to that, so that the thread has its number */
  double *of_thread;   /* readings in a tick of a thread's time */
};

/* nodes: of everything, as measured.  PROF_NO_MEMORY: nothing is left behind. */
prof_status prof_line_readings_find(const prof_trace *, const struct prof_node *nodes, uint32_t count,
                                    struct prof_line_readings *) PROF_MUST_CHECK;
void prof_line_readings_free(struct prof_line_readings *);

/* Fills own_readings.  even: calls are hidden, so readings are shared out evenly. */
void prof_line_readings_give(const struct prof_line_readings *, const prof_trace *, struct prof_node *nodes,
                             uint32_t count, bool even);

#endif
