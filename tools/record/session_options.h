/*
 * tools/record/session_options.h - what a recording is asked for, and its figures at the end.
 */
#ifndef PROF_RECORD_SESSION_OPTIONS_H
#define PROF_RECORD_SESSION_OPTIONS_H

#include <limits.h>
#include <sys/resource.h>

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
  uint64_t max_bytes;    /* 0: PROF_SESSION_MAX_BYTES; not with parts */
  struct prof_series_wish parts;
  enum prof_when_full when_full;
  int level; /* of zstd; 0: the default */
  enum prof_clock_wish clock;
  struct prof_gpu_options gpu;
  struct prof_region_bounds bounds;
  bool then_stop; /* after bounds.duration_ns the program gets SIGTERM */
  bool no_samples;
  struct prof_hints *hints; /* with a budget: functions that begin in state burst; NULL: none */
  double budget; /* part of the program's CPU time that recording may take, as 0.05; 0: no limit, every call */
  const struct prof_kept_wish *kept;     /* which calls are recorded; with a budget files and modules only; NULL: all */
  uint32_t measures;                     /* PROF_CONTROL_ flags of wire/measure.h */
  const struct prof_pmu_event *counters; /* --counters */
  uint32_t counter_count;
  uint64_t machine_ns; /* between two readings of the machine; 0: none */
  bool no_light;       /* no sparse-clock intervals (record/sampling/light.h) */
  uint32_t sample_hz;  /* 0: PROF_SAMPLING_HZ */
  char *const *words;  /* the options on the command line, for `prof info`; NULL: none */
  int word_count;
  void (*say)(const char *text); /* a line for the user while the program runs; NULL: none wanted */
};

/* What the machine lacks, told at the end: before, it would stand in the middle of the program's own output. */
struct prof_session_remarks {
  char text[4][512];
  unsigned count;
};

struct prof_session_result {
  char folder[PATH_MAX];
  char kept[PATH_MAX];      /* no data came, and the older recording stays here; else "" */
  char program[PATH_MAX];   /* the executed file */
  char collector[PATH_MAX]; /* the GPU collector that it could have loaded; "": none */
  int wait_status;
  bool left; /* the program runs on: the recorder left it when the time was over */
  uint64_t wall_ns, user_ns, system_ns, recorder_cpu_ns;
  struct rusage usage; /* of the program and the children that it waited for */
  uint64_t frequency_hz;
  uint64_t file_bytes, file_events; /* of the trace: after a failed write not all that was taken */
  uint64_t max_bytes;
  enum prof_series_mode mode;    /* of a ring, `parts` are snapshots */
  uint32_t parts, parts_deleted; /* parts: 0: one file */
  struct prof_region_bounds bounds;
  struct prof_pump_result pump;
  uint32_t measures; /* that were asked for */
  bool counts;       /* with a counter of --counters that the machine has */
  struct prof_session_remarks remarks;
  const char *no_gpu;  /* why no GPU activity was recorded; NULL: no message */
  prof_status written; /* PROF_OK, or the error that ended writing */
  struct prof_diag write_diag;
};

#endif
