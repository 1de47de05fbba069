/*
 * tools/export/call_rows.h - every recorded call as one row, for formats that are tables.
 *
 * Thread after thread, in the order of their ends: a call comes after the calls in it.  Memory grows with the depth.
 * Times are as the clock measured them, probe overhead included.
 */
#ifndef PROF_EXPORT_CALL_ROWS_H
#define PROF_EXPORT_CALL_ROWS_H

#include "exporters.h"

struct prof_call_row {
  uint64_t id;          /* from 1, in the order of begins within a thread */
  uint64_t parent;      /* id of the call around it; 0: none is shown */
  uint32_t thread;      /* index */
  uint32_t function;    /* index, of a loop its number (loop_frames.h); PROF_NONE: unknown */
  uint32_t depth;       /* 1: outermost */
  uint64_t begin_ns;    /* since the start of the recording */
  uint64_t duration_ns; /* waits for the recorder are left out */
  uint64_t self_ns;     /* duration without those of the calls in it; not below 0 */
  bool cut;             /* it began before the part shown, or its end is not known */
};

/* Return false to stop early (that is no error). */
typedef bool prof_call_row_visit(void *context, const struct prof_call_row *);

/* As prof_walk, with the source's trace and filter; counts events in source->done. */
prof_status prof_call_rows(const struct prof_export_source *, prof_call_row_visit *, void *context,
                           struct prof_diag *) PROF_MUST_CHECK;

#endif
