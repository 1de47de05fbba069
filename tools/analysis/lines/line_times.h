/*
 * tools/analysis/lines/line_times.h - the time of lines that was measured, from the slots of lines=time.
 *
 * In: a trace's COUNTS that hold objects of wire/times.h.  Out: an item per slot, in their order; several may be of one
 * line.  Texts belong to the table.  Single-threaded.
 */
#ifndef PROF_ANALYSIS_LINE_TIMES_H
#define PROF_ANALYSIS_LINE_TIMES_H

#include "base/vec.h"
#include "proftrace.h"

struct prof_line_time {
  const char *file;     /* as debug information has it */
  const char *function; /* linkage name of the one that the line is in in the source */
  uint32_t line;
  bool in_calls;     /* time between the call of a function and its return, of those that are not timed themselves */
  uint64_t ticks;    /* as measured: from visits on to whatever came next */
  uint64_t begun;    /* how often control came to the line from another */
  uint64_t readings; /* of the clock, that and behind calls: each of them costs some of the ticks */
  double cost_ticks; /* what these readings cost among other work, by calibration; 0: not known */
  double most_ticks; /* and one right after another */
};

struct prof_line_times {
  PROF_VEC(struct prof_line_time) items;
  PROF_VEC(char *) texts;
  uint64_t readings;
  double cost_ticks; /* of all readings, one right after another */
  uint32_t damaged;  /* objects that could not be read */
};

prof_status prof_line_times_make(const prof_trace *, struct prof_line_times *out);
/* One block; PROF_CORRUPT: it is damaged, and items before the damage are there. */
prof_status prof_line_times_add(struct prof_line_times *, const struct prof_count_block *);
void prof_line_times_fini(struct prof_line_times *);

/* Are these objects times?  Else they are counters. */
bool prof_line_times_are(const struct prof_count_block *);

#endif
