/*
 * tools/record/session.h - one recording from start to end.
 *
 * In: what the user asked for.  Out: a folder with a trace, and figures for the user.  Ties region, writer, pump
 * and program together; prints nothing.
 */
#ifndef PROF_RECORD_SESSION_H
#define PROF_RECORD_SESSION_H

#include <limits.h>

#include "record/clock/clock_check.h"
#include "record/gpu/gpu_launch.h"
#include "record/pump/pump.h"

#define PROF_SESSION_FOLDER "prof.data"
#define PROF_SESSION_BUFFER_BYTES (64ull << 20)
#define PROF_SESSION_MAX_BYTES (4ull << 30)
#define PROF_SESSION_MAX_BYTES_LEAST (1ull << 20)

struct prof_session_options {
  const char *folder;    /* NULL: PROF_SESSION_FOLDER */
  uint64_t buffer_bytes; /* 0: PROF_SESSION_BUFFER_BYTES */
  uint64_t max_bytes;    /* 0: PROF_SESSION_MAX_BYTES */
  enum prof_when_full when_full;
  int level; /* of zstd; 0: the default */
  enum prof_clock_wish clock;
  struct prof_gpu_options gpu;
  struct prof_region_bounds bounds;
  bool then_stop; /* after bounds.duration_ns the program gets SIGTERM */
  bool no_samples;
  bool no_light;      /* slices (record/sampling/light.h) */
  uint32_t sample_hz; /* 0: PROF_SAMPLING_HZ */
  char *const *words; /* all of the command line's options, for `prof info`; NULL: none */
  int word_count;
  void (*say)(const char *text); /* a line for the user while the program runs; NULL: none are wanted */
};

struct prof_session_result {
  char folder[PATH_MAX];
  char kept[PATH_MAX];      /* nothing came, and the older recording stays where it is; "": else */
  char program[PATH_MAX];   /* what was executed */
  char collector[PATH_MAX]; /* the GPU collector that it could have loaded; "": none */
  int wait_status;
  uint64_t wall_ns, user_ns, system_ns, recorder_cpu_ns;
  uint64_t frequency_hz;
  uint64_t file_bytes, file_events; /* what is in the trace: after a write that failed not all that was taken */
  uint64_t max_bytes;
  struct prof_region_bounds bounds;
  struct prof_pump_result pump;
  const char *no_gpu;  /* why no GPU activity was recorded; NULL: no message is due */
  prof_status written; /* PROF_OK, or what kept the rest of the trace from being written */
  struct prof_diag write_diag;
};

/*
 * Starts the program `arguments` (ends in NULL) and records it until it ends.  PROF_OK: it ran (see wait_status), even
 * if the trace could not be written to its end (see written).  Else it was never started: PROF_NOT_FOUND: no such
 * program (or no runtime); PROF_IO: it can't be executed, or the folder not be made; PROF_USAGE, PROF_NO_MEMORY.
 * in_program: the fault is the program's, not the folder's or ours.
 */
prof_status prof_session_record(const struct prof_session_options *, char *const *arguments, struct prof_diag *,
                                bool *in_program, struct prof_session_result *) PROF_MUST_CHECK;

/*
 * Serves the program `program` that runs already and asked for it through its runtime (wire/module.h): says on
 * descriptor `answer` where the ring is or what is wrong, and records until all its processes are gone.
 */
prof_status prof_session_serve(const struct prof_session_options *, int answer, pid_t program,
                               struct prof_diag *) PROF_MUST_CHECK;

#endif
