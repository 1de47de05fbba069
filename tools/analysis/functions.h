/*
 * tools/analysis/functions.h - what did each function (or file, module, thread, process, command) cost?
 *
 * Job: rows for `prof report`, sorted.  In: a profile.  Out: an array that the caller frees.
 *
 * A group's calls are the calls of its functions; its total counts time beneath several of its functions once; its
 * durations are those of its functions' calls.  Threads, processes and commands have no durations: their calls are not
 * of one kind.  A command is all processes that ran the same program.
 * The mean is total by calls (recursion counted each time); the shortest and longest hold it (prof_call_times).
 */
#ifndef PROF_ANALYSIS_FUNCTIONS_H
#define PROF_ANALYSIS_FUNCTIONS_H

#include "estimate/profile.h"
#include "estimate/samples.h"
#include "names/names.h"

enum prof_group {
  PROF_BY_FUNCTION = 0,
  PROF_BY_FILE,
  PROF_BY_MODULE,
  PROF_BY_THREAD, /* from here on groups of threads */
  PROF_BY_PROCESS,
  PROF_BY_COMMAND,
};
#define PROF_GROUPS 6

static inline bool prof_group_is_of_threads(enum prof_group by) {
  return by >= PROF_BY_THREAD;
}

enum prof_sort {
  PROF_SORT_SELF = 0, /* of the kind of time asked for */
  PROF_SORT_TOTAL,    /* elapsed */
  PROF_SORT_RUNNING,  /* own times of these kinds */
  PROF_SORT_WAITING,
  PROF_SORT_ELAPSED,
  PROF_SORT_CALLS,
  PROF_SORT_MIN,
  PROF_SORT_AVG,
  PROF_SORT_MAX,
  PROF_SORT_P50,
  PROF_SORT_P95,
  PROF_SORT_P99,
  PROF_SORT_NAME, /* ascending; all others descending, then by name */
};

struct prof_function_row {
  const char *name;    /* of function, file, module, thread, process, command; lives as long as names and trace */
  const char *module;  /* "" when there is more than one or none */
  const char *file;    /* likewise */
  uint32_t line;       /* 0 unknown */
  uint32_t tid;        /* of a thread; else 0 */
  uint32_t pid;        /* of a process or thread; else 0 */
  uint32_t index;      /* of the function, module, thread or process; of a file's first function, a command's first
                          process; PROF_NONE unknown */
  const char *command; /* of a thread or process: name of the program; else "" */
  const char *program; /* of a process or command: its path; else "" */
  uint64_t processes;  /* of a command, with calls */
  uint64_t threads;    /* of a process or command, with calls */
  uint64_t calls;
  struct prof_time_ns total, self;
  uint64_t self_ns;     /* of the kind of time that was asked for */
  uint64_t probe_ns;    /* of a thread: cost of probes that was taken out of total.elapsed */
  uint64_t measured_ns; /* of a thread: both together, the time as measured */
  uint64_t error_ns;    /* so far may total.elapsed be off because of probes */
  uint64_t timed_calls; /* that neither began nor ended in light slices: min_ns and the next ones are of these */
  bool has_durations;   /* avg_ns, of all calls, and if there are timed_calls, the others (has_extremes); false without
                           calls */
  bool has_extremes;
  uint64_t min_ns, avg_ns, max_ns, p50_ns, p95_ns, p99_ns;
  bool has_self; /* of some calls it is known how long they took by themselves: */
  uint64_t self_p50_ns, self_p95_ns, self_p99_ns;
  uint64_t gpu_total_ns, gpu_self_ns; /* by gpu_cost.h; else 0 */
  double self_share, total_share;     /* of that kind of time of all threads shown, 0 to 1 */
  uint64_t samples;                   /* in it alone: its own code and what it called that has no probes */
  /* Of all samples of threads outside of probes, and the interval that holds the true share in 95 of 100 cases; without
     samples 0, 0 to 1. */
  double sample_share, sample_share_low, sample_share_high;
  const char *hot_line; /* for whoever knows lines: set by others, NULL here */
};

struct prof_function_rows {
  struct prof_function_row *rows;
  size_t count;
};

/* Groups without calls have no row, but for time in frames that were open at a fork.  samples may be NULL. */
prof_status prof_functions_rank(const struct prof_profile *, const struct prof_samples *, struct prof_names *,
                                enum prof_group, enum prof_time_kind, enum prof_sort, struct prof_diag *,
                                struct prof_function_rows *out) PROF_MUST_CHECK;
void prof_functions_free(struct prof_function_rows *);

#endif
