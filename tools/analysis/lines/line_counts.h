/*
 * tools/analysis/lines/line_counts.h - how often each line was executed, from the counters of lines=count.
 *
 * In: a trace's COUNTS.  Out: a row per line with code, also with count 0, by file and line.  A line's count is how
 * often control came to it from another line, plus cycles within it, as in gcov(1).  Inlined copies and instances of
 * templates are summed.  Single-threaded; the trace must outlive the table.
 */
#ifndef PROF_ANALYSIS_LINE_COUNTS_H
#define PROF_ANALYSIS_LINE_COUNTS_H

#include "base/vec.h"
#include "proftrace.h"

struct prof_line_count {
  const char *file; /* as on the compiler's command line */
  uint32_t line;
  const char *function; /* linkage name of one function with the line */
  uint64_t count;
};

struct prof_line_counts {
  PROF_VEC(struct prof_line_count) rows; /* by file, then line */
  uint32_t functions;                    /* counted functions */
  uint32_t damaged;                      /* unreadable objects; objects after one in its block are lost too */
};

prof_status prof_line_counts_make(const prof_trace *, struct prof_line_counts *out);
void prof_line_counts_fini(struct prof_line_counts *);

#endif
