/*
 * tools/trace/write/write_bursts.h - writes the chunks of recordings with a budget: states, windows, paths.
 *
 * Rules as in write.h: errors are sticky, pointers are borrowed for the call.
 */
#ifndef PROF_TRACE_WRITE_BURSTS_H
#define PROF_TRACE_WRITE_BURSTS_H

#include "proftrace_bursts.h"
#include "write.h"

/* By time.  count: 1 or more. */
prof_status prof_writer_states(prof_writer *, const struct prof_state_change *, size_t count);

/* Paths number `first` (1 or more) and those that follow it.  count: 1 or more. */
prof_status prof_writer_paths(prof_writer *, uint32_t first, const struct prof_path *, size_t count);

/* Windows by begin; `thread` in their threads is a number, as in THREAD.  count: 1 to PROF_FORMAT_WINDOWS_LIMIT. */
struct prof_windows_record {
  const struct prof_window *windows;
  uint32_t count;
  const struct prof_window_thread *threads;
  const struct prof_window_row *rows;
};
prof_status prof_writer_windows(prof_writer *, const struct prof_windows_record *);

#endif
