/*
 * tools/analysis/call_values.h - what single calls were given, what they returned, and what they reported (PROF_VALUE).
 *
 * In: a trace with such values, and a filter, which decides what is shown.  Out: the values of the longest calls, or of
 * one, in the words of `prof replay`.  A call that outlasts a frame around it is shown in parts, each with the values
 * that lie in it.
 */
#ifndef PROF_ANALYSIS_CALL_VALUES_H
#define PROF_ANALYSIS_CALL_VALUES_H

#include <stdbool.h>

#include "base/stop.h"
#include "base/vec.h"
#include "fold/filter.h"
#include "prof_status.h"
#include "proftrace.h"

enum { PROF_CALL_VALUE_LINES = 20 };

struct prof_call_values { /* a call with at least one of them */
  uint32_t thread;        /* index */
  uint32_t depth;         /* among the shown ones; 0: outermost */
  uint64_t begin_ns;      /* since the start of the recording */
  uint64_t duration_ns;   /* less waits for the recorder */
  char *arguments;        /* "key=12, name=\"x\"", escaped; NULL: none */
  char *returned;         /* escaped; NULL: nothing */
  PROF_VEC(char *) lines; /* "queue = 5 items" of each PROF_VALUE, by time, escaped; the first PROF_CALL_VALUE_LINES */
  uint64_t lines_all;     /* before some were left out */
};

struct prof_call_values_list { /* zeroed: none */
  PROF_VEC(struct prof_call_values) items;
  uint64_t all; /* calls that have some */
};

/* May calls have any?  Reads no event. */
bool prof_call_values_any(const prof_trace *);

/* Those of the `most` (at least 1) longest calls, the longest first; of equal ones by thread, time and depth.  One
 * walk, none where there can't be any.  To be freed in any case. */
prof_status prof_call_values_longest(const prof_trace *, const struct prof_filter *, size_t most, struct prof_diag *,
                                     struct prof_call_values_list *) PROF_MUST_CHECK;

struct prof_call_wish {
  uint32_t thread; /* index */
  uint32_t depth;
  uint64_t begin_ns; /* as a walk's ENTER has it */
};
/* Those of the call, if there are some: at most one row.  Reads the thread from its begin to its end.  PROF_USAGE: no
 * such thread; PROF_STOPPED.  To be freed in any case. */
prof_status prof_call_values_at(const prof_trace *, const struct prof_filter *, const struct prof_call_wish *,
                                const struct prof_stop *, struct prof_diag *,
                                struct prof_call_values_list *) PROF_MUST_CHECK;

void prof_call_values_free(struct prof_call_values_list *);

#endif
