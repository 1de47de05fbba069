/*
 * tools/analysis/measures/wait_habits.h - how do threads wait again and again: by sleeps in a row, for answers in turn?
 *
 * In: a trace that was recorded with --locks; answers in turn need --io too.  Out: a row per place and habit.
 *
 * Sleeps in a row: a thread sleeps at the place where it slept before, and between them did nothing that was measured
 * and nothing that lasted.  So it looks whether something has come.
 * Answers in turn: a wait for input from an endpoint that the process had connected to, after one thing was sent there
 * since the wait before.
 *
 * The filter chooses the waits.
 */
#ifndef PROF_ANALYSIS_WAIT_HABITS_H
#define PROF_ANALYSIS_WAIT_HABITS_H

#include "analysis/measures/measured_place.h"

enum prof_wait_habit { PROF_WAIT_SLEEPS, PROF_WAIT_ANSWERS };

struct prof_wait_habit_row {
  enum prof_wait_habit habit;
  struct prof_measured_place place;
  const char *endpoint; /* of answers; "": not known */
  uint64_t waits, wait_ns;
  uint64_t threads_ns; /* elapsed time of the threads */
};

struct prof_wait_habits {
  struct prof_wait_habit_row *rows; /* most wait_ns first */
  size_t count;
  struct prof_measured_paths paths;
};

/* Texts live as long as trace, names and source.  Free *out with prof_wait_habits_free, after a failure too. */
prof_status prof_wait_habits_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                                  const struct prof_line_source *, struct prof_diag *,
                                  struct prof_wait_habits *out) PROF_MUST_CHECK;
void prof_wait_habits_free(struct prof_wait_habits *);

#endif
