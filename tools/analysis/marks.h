/*
 * tools/analysis/marks.h - moments that a program names: its marks (PROF_MARK) and frames' begins (PROF_FRAME).
 *
 * In: a trace; filters have no effect, as a mark may lie anywhere.  Out: a list in the order of time, of all threads
 * and processes.
 */
#ifndef PROF_ANALYSIS_MARKS_H
#define PROF_ANALYSIS_MARKS_H

#include "base/vec.h"
#include "prof_status.h"
#include "proftrace.h"

struct prof_mark {
  const char *name; /* of the trace */
  uint64_t time_ns; /* since the start of the recording */
};

struct prof_marks { /* zeroed: none */
  PROF_VEC(struct prof_mark) list;
};

/* frames: those too.  Without points it costs nothing.  To be freed in any case.  PROF_NO_MEMORY. */
prof_status prof_marks_find(const prof_trace *, bool frames, struct prof_diag *, struct prof_marks *) PROF_MUST_CHECK;
void prof_marks_fini(struct prof_marks *);

/* The time of the count-th mark of this name, from 1.  False: there is none. */
bool prof_marks_time(const struct prof_marks *, const char *name, uint64_t count, uint64_t *time_ns);

#endif
