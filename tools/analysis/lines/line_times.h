/*
 * tools/analysis/lines/line_times.h - measured times of lines, from the slots of lines=time.
 *
 * In: a trace's COUNTS with objects of wire/times.h.  Out: an item per slot, in their order; a line may have several.
 * The table owns the texts.  Single-threaded.
 */
#ifndef PROF_ANALYSIS_LINE_TIMES_H
#define PROF_ANALYSIS_LINE_TIMES_H

#include "base/vec.h"
#include "proftrace.h"

struct prof_line_time {
  const char *file;     /* as in debug information */
  const char *function; /* linkage name of the line's function in the source */
  uint32_t line;
  bool in_calls;     /* the time from the call of a function that is not timed itself to its return */
  uint64_t ticks;    /* as measured: from each visit to the next reading */
  uint64_t begun;    /* visits */
  uint64_t readings; /* of the clock, at visits and after calls: each adds its cost to the ticks */
  double cost_ticks; /* calibrated cost of these readings among other work; 0: not known */
  double most_ticks; /* the same, as if right after each other */
};

struct prof_line_times {
  PROF_VEC(struct prof_line_time) items;
  PROF_VEC(char *) texts;
  uint64_t readings;
  double cost_ticks; /* of all readings, as if right after each other */
  uint32_t damaged;  /* objects that could not be read */
};

prof_status prof_line_times_make(const prof_trace *, struct prof_line_times *out);
/* Adds one block; PROF_CORRUPT: it is damaged, items before the damage were added. */
prof_status prof_line_times_add(struct prof_line_times *, const struct prof_count_block *);
void prof_line_times_fini(struct prof_line_times *);

/* Are these objects times?  Else they are counters. */
bool prof_line_times_are(const struct prof_count_block *);

#endif
