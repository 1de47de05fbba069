/*
 * tools/trace/part/part.h - writes a recording with only a time and some threads of another one.
 *
 * Chunks are copied as they are, whole: PART tells readers where the time begins and ends.  Only EVENTS, SAMPLES,
 * SWITCHES and PMU_SAMPLES are left out, of which EVENTS are nearly all of a recording; samples of threads that stay
 * are kept from the whole time, because readers learn from all of them what an event costs.
 */
#ifndef PROF_TRACE_PART_H
#define PROF_TRACE_PART_H

#include <stdbool.h>

#include "proftrace.h"

struct prof_part_choice {
  uint64_t begin_ticks, end_ticks; /* 0, UINT64_MAX: no limit */
  const bool *threads;             /* one for each thread of the trace: stays */
};

struct prof_part_result {
  uint64_t events, all_events; /* written, in the whole recording */
  uint64_t bytes;
};

/*
 * Writes `folder`/trace; the folder must exist, and no such file in it.  PROF_EMPTY: none of the threads has events in
 * that time, and nothing was written.  Else as prof_writer_open; after a failure the file is removed.
 */
prof_status prof_part_write(const prof_trace *, const struct prof_part_choice *, const char *folder, struct prof_diag *,
                            struct prof_part_result *) PROF_MUST_CHECK;

#endif
