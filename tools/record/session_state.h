/*
 * tools/record/session_state.h - a recording in progress: session_running.c uses what session.c has.
 */
#ifndef PROF_RECORD_SESSION_STATE_H
#define PROF_RECORD_SESSION_STATE_H

#include "record/clock/clock_log.h"
#include "record/control/asked.h"
#include "record/out_folder.h"
#include "record/ranks.h"
#include "record/session_options.h"

struct prof_session {
  const struct prof_session_options *options;
  struct prof_rank rank;
  struct prof_region region;
  prof_writer *writer;
  struct prof_pump pump;
  struct prof_clock_log clock;
  struct prof_sampling sampling;
  struct prof_pmu_set counters;
  uint64_t max_bytes;
  struct prof_out_folder folder;
  struct prof_series parts;
  struct prof_asked asked;
  bool joined; /* the program runs already */
  struct prof_session_remarks remarks;
};

/* Makes region, folder, writer, and the first chunks.  arguments: NULL, if the caller writes the SETTINGS. */
prof_status prof_session_begin(struct prof_session *, const struct prof_session_options *, char *const *arguments,
                               int argument_count, struct prof_diag *) PROF_MUST_CHECK;
/* Removes a recording that never began. */
void prof_session_undo(struct prof_session *);
/* pid: of the program, or of the process that will be it when it executes a file (on_exec). */
void prof_session_begin_sampling(struct prof_session *, pid_t pid, bool on_exec);
prof_status prof_session_start_pump(struct prof_session *, pid_t program, bool until_all_gone,
                                    struct prof_diag *) PROF_MUST_CHECK;
/* When the program gets SIGTERM; 0: never. */
uint64_t prof_session_stop_ns(const struct prof_session *);
/* After the pump: writes the last chunks, sets the figures of the result. */
void prof_session_end(struct prof_session *, struct prof_session_result *);

#endif
