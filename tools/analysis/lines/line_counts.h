/*
 * tools/analysis/lines/line_counts.h - how often each line was executed, from the counters of lines=count.
 *
 * In: a trace's COUNTS.  Out: a row per line that has code, also of 0, by file and line.  A line's count is the number
 * of times that control came to it from another line, and of rounds made within it: what gcov(1) shows.  Inlined copies
 * and instances of templates count together.  Single-threaded; the trace must outlive the table.
 */
#ifndef PROF_ANALYSIS_LINE_COUNTS_H
#define PROF_ANALYSIS_LINE_COUNTS_H

#include "base/vec.h"
#include "proftrace.h"

struct prof_line_count {
  const char *file; /* as the compiler was given it */
  uint32_t line;
  const char *function; /* linkage name of one that the line is in */
  uint64_t count;
};

struct prof_line_counts {
  PROF_VEC(struct prof_line_count) rows; /* by file, then line */
  uint32_t functions;                    /* that were counted */
  uint32_t damaged;                      /* objects that could not be read; what stands behind one is lost too */
};

prof_status prof_line_counts_make(const prof_trace *, struct prof_line_counts *out);
void prof_line_counts_fini(struct prof_line_counts *);

#endif
