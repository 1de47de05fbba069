/*
 * prof_study.h - libprofstudy: the figures of `prof report`, `tree`, `loops`, `lines` and `gpu` as rows of C structs.
 *
 *    struct prof_diag diag;
 *    prof_study *study;
 *    const struct prof_function_row *rows;
 *    size_t count;
 *    if (prof_study_open("prof.data", NULL, &diag, &study) == PROF_OK &&
 *        prof_study_functions(study, PROF_BY_FUNCTION, PROF_SORT_SELF, &diag, &rows, &count) == PROF_OK)
 *      ...rows[0] is the function with the most self time...
 *    prof_study_close(study);
 *
 * A study belongs to one thread at a time.  Times are in nanoseconds; shares are from 0 to 1.  The study owns rows and
 * texts: they live until it is closed or the same function is called again.  Names and paths are bytes of other
 * people's programs: escape them.
 */
#ifndef PROF_STUDY_H
#define PROF_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PROF_NONE
#define PROF_NONE UINT32_MAX /* no index */
#endif

typedef struct prof_study prof_study;

/* ---- what is shown ---- */

enum prof_time_kind { PROF_TIME_RUNNING = 0, PROF_TIME_WAITING, PROF_TIME_ELAPSED };
#define PROF_TIME_KINDS 3

struct prof_time_ns {
  uint64_t elapsed, running, waiting, preempted;
};

enum prof_demangle {                         /* std::vector<int, std::allocator<int> >::push_back(int const&) as */
                     PROF_DEMANGLE_FULL = 0, /* the same */
                     PROF_DEMANGLE_SHORT,    /* vector<int>::push_back */
                     PROF_DEMANGLE_NO,       /* _ZNSt6vectorIiSaIiEE9push_backERKi */
};

struct prof_study_options { /* zeroed: everything, elapsed time where nothing else is known */
  const char *const *only, *const *without, *const *commands; /* globs, as -F, -N and --command */
  size_t only_count, without_count, command_count;
  const uint32_t *tids, *pids;
  size_t tid_count, pid_count;
  uint32_t depth;            /* levels of calls; 0: all */
  uint64_t min_ns;           /* shorter calls are part of their callers */
  uint64_t begin_ns, end_ns; /* since the start of the recording; end_ns 0: to the end */
  uint64_t max_bytes;        /* of memory for call paths; 0: no limit */
  bool raw;                  /* times as measured, probe overhead included */
  enum prof_demangle demangle;
  enum prof_time_kind time; /* kind of self times, shares and orders */
};

/* options may be NULL; they are not kept.  *out is NULL on failure.  PROF_EMPTY: nothing to show. */
prof_status prof_study_open(const char *path, const struct prof_study_options *, struct prof_diag *,
                            prof_study **out) PROF_MUST_CHECK;
void prof_study_close(prof_study *); /* NULL: nothing */

struct prof_study_totals {
  uint64_t calls, events, lost_events, threads;
  struct prof_time_ns time; /* of all threads shown, probe overhead removed */
  uint64_t error_ns;        /* uncertainty of time.elapsed */
  uint64_t overhead_ns;     /* probe overhead, removed from time */
  uint64_t span_ns;         /* from the first to the last event */
};
void prof_study_totals(const prof_study *, struct prof_study_totals *);

/* ---- functions, files, modules, threads, processes, commands ---- */

enum prof_group {
  PROF_BY_FUNCTION = 0,
  PROF_BY_FILE,
  PROF_BY_MODULE,
  PROF_BY_THREAD, /* from here on groups of threads */
  PROF_BY_PROCESS,
  PROF_BY_COMMAND,
  PROF_BY_ZONE,      /* as by function, zones only */
  PROF_BY_ITERATION, /* likewise, loops whose iterations were recorded one by one */
};
#define PROF_GROUPS 8

enum prof_sort {
  PROF_SORT_SELF = 0, /* of the requested kind of time */
  PROF_SORT_TOTAL,    /* elapsed */
  PROF_SORT_RUNNING,  /* self times of these kinds */
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
  const char *name;    /* of function, file, module, thread, process, command; */
  const char *module;  /* "": several or none */
  const char *file;    /* likewise */
  uint32_t line;       /* 0: unknown */
  uint32_t tid;        /* of a thread; else 0 */
  uint32_t pid;        /* of a process or thread; else 0 */
  uint32_t index;      /* of the function, module, thread or process; of a file's first function, a command's first
                          process; PROF_NONE unknown */
  const char *command; /* of a thread or process: name of the program; else "" */
  const char *program; /* of a process or command: its path; else "" */
  uint64_t processes;  /* of a command: those with calls */
  uint64_t threads;    /* of a process or command: those with calls */
  uint64_t calls;
  struct prof_time_ns total, self;
  uint64_t self_ns;     /* of the requested kind of time */
  uint64_t probe_ns;    /* of a thread: probe overhead removed from total.elapsed */
  uint64_t measured_ns; /* of a thread: total.elapsed + probe_ns */
  uint64_t error_ns;    /* uncertainty of total.elapsed because of probes */
  uint64_t timed_calls; /* calls with a duration of their own: min, max and percentiles are of these */
  bool has_durations;   /* avg_ns, of all calls; the others too if has_extremes; false without calls */
  bool has_extremes;
  uint64_t min_ns, avg_ns, max_ns, p50_ns, p95_ns, p99_ns;
  bool has_self; /* the self times of some calls are known: */
  uint64_t self_p50_ns, self_p95_ns, self_p99_ns;
  uint64_t gpu_total_ns, gpu_self_ns; /* of GPU work that it requested; 0 in libprofstudy */
  double self_share, total_share;     /* of that kind of time of all threads shown, 0 to 1 */
  uint64_t samples;                   /* in its own code and in uninstrumented code that it called */
  /* Share of the threads' samples outside of probes, and its 95% confidence interval; without samples 0, 0 to 1. */
  double sample_share, sample_share_low, sample_share_high;
  const char *hot_line; /* NULL in libprofstudy */
  /* Of a recording with a budget: which figures are estimates, and the bounds of their 95% intervals.  Exact figures
     are their own bounds.  The interval of self.running applies to self.elapsed too. */
  bool estimated; /* any of: */
  bool calls_estimated, total_estimated, self_estimated;
  bool has_calls_high; /* false: some calls were counted nowhere, and `calls` are the others */
  uint64_t calls_low, calls_high, self_low_ns, self_high_ns;
  const char *kind; /* of a function "function", "zone" or "iteration"; else "" */
};

prof_status prof_study_functions(prof_study *, enum prof_group, enum prof_sort, struct prof_diag *,
                                 const struct prof_function_row **rows, size_t *count) PROF_MUST_CHECK;

/* ---- the call tree ---- */

struct prof_tree_node {
  uint32_t parent, first_child, next_sibling; /* PROF_NONE: none */
  uint32_t function;                          /* PROF_NONE: unknown, and node 0 */
  uint32_t depth;                             /* node 0: 0, roots: 1 */
  uint64_t calls;
  uint64_t total_ns, self_ns;         /* of the requested kind of time */
  struct prof_time_ns total, self;    /* all kinds */
  uint64_t gpu_total_ns, gpu_self_ns; /* of GPU work that it requested; 0 in libprofstudy */
  double share;                       /* total_ns as a share of all threads shown, 0 to 1 */
  bool estimated, calls_estimated, total_estimated, self_estimated, has_calls_high; /* as of a prof_function_row */
  uint64_t calls_low, calls_high, self_low_ns, self_high_ns;
};

/*
 * Depth first; siblings by total, largest first; node 0 is above the roots.  Nodes below min_share, and all beneath
 * them, are left out.
 */
prof_status prof_study_tree(prof_study *, double min_share, struct prof_diag *, const struct prof_tree_node **nodes,
                            uint32_t *count) PROF_MUST_CHECK;
const char *prof_study_function_name(prof_study *,
                                     uint32_t function); /* never NULL; a zone's ends in " [zone]", or " [iteration]" */

/* ---- loops ---- */

enum prof_loop_sort {
  PROF_LOOP_SORT_SELF = 0,
  PROF_LOOP_SORT_TOTAL, /* elapsed */
  PROF_LOOP_SORT_ENTRIES,
  PROF_LOOP_SORT_ITERATIONS,
  PROF_LOOP_SORT_EACH,    /* time per iteration */
  PROF_LOOP_SORT_RUNNING, /* self times of these kinds */
  PROF_LOOP_SORT_WAITING,
  PROF_LOOP_SORT_ELAPSED,
  PROF_LOOP_SORT_LINE, /* file and line, ascending; all others descending, then by these */
};

struct prof_loop_row {
  uint32_t loop;        /* index */
  uint32_t parent;      /* row of the loop around it; PROF_NONE: the outermost with a row */
  uint32_t level;       /* nesting below that one: 0, 1, ... */
  const char *function; /* that it was compiled into; texts live as long as names and trace */
  const char *inlined;  /* its function in the source, if inlined from there; else "" */
  const char *file;
  uint32_t line, last_line, depth;
  uint32_t flags; /* what the compiler did: PROF_LOOP_ of libproftrace */
  bool has_entries, has_iterations, has_mean, has_range, has_times, has_each;
  uint64_t entries, empty_entries;         /* has_entries; empty ones are among the entries */
  uint64_t iterations;                     /* has_iterations: without those of unknown_entries */
  uint64_t unknown_entries;                /* entries whose trip count is unknown: cut off, or not begun here */
  uint64_t min_iterations, max_iterations; /* has_range: of an entry that isn't empty */
  double avg_iterations;                   /* has_mean: likewise */
  uint64_t total_ns, self_ns;              /* has_times, as all to max_ns: of the requested kind of time */
  struct prof_time_ns total, self;         /* all kinds */
  uint64_t error_ns, min_ns, max_ns;       /* of total.elapsed; min, max: of an entry, has_extremes */
  bool has_extremes;                       /* false also if no entry has a duration of its own */
  double each_ns;                          /* has_each: total elapsed time per iteration */
  double self_share, total_share;          /* of that kind of time of all threads shown, 0 to 1 */
  bool estimated; /* in a recording with a budget: entries and iterations are estimates; of times only self's may be
                     known */
  uint64_t entries_low, entries_high; /* bounds of the 95% interval of entries; if exact, they are it */
  bool has_self;          /* self_ns and self_share are known: with has_times, or as an estimate of running time */
  bool self_is_estimated; /* also of a loop with has_times around one in bursts: self.running, self.elapsed */
  uint64_t self_low_ns, self_high_ns; /* bounds of the 95% interval of self.running; if exact, they are it */
};

prof_status prof_study_loops(prof_study *, enum prof_loop_sort, struct prof_diag *, const struct prof_loop_row **rows,
                             size_t *count) PROF_MUST_CHECK;

/* ---- source lines ---- */

struct prof_interval {
  double low, high;
};

enum prof_line_sort {
  PROF_LINE_SORT_SELF = 0, /* with outside_ns; then by time in calls */
  PROF_LINE_SORT_CALLS_TIME,
  PROF_LINE_SORT_CALLS,
  PROF_LINE_SORT_COUNT,
  PROF_LINE_SORT_GPU,
  PROF_LINE_SORT_MEASURED,
  PROF_LINE_SORT_RUNNING, /* self times of these kinds */
  PROF_LINE_SORT_WAITING,
  PROF_LINE_SORT_ELAPSED,
  PROF_LINE_SORT_PLACE, /* file and line, ascending; all others descending, then by place */
  PROF_LINE_SORT_OUTSIDE,
};

struct prof_line_row {
  const char *file;     /* "": unknown */
  const char *function; /* the one with most of the line's cost; a line may be part of several */
  uint32_t line;        /* 0: unknown */
  uint64_t samples;
  uint64_t self_ns;         /* of the requested kind of time */
  struct prof_time_ns self; /* running: estimated from samples */
  uint64_t calls, calls_ns; /* of instrumented functions, from this line; of that kind */
  struct prof_time_ns in_calls;
  uint64_t count;    /* executions (lines=count), of the whole trace whatever the filter */
  uint64_t gpu_ns;   /* of GPU work that the line and its callees requested; 0 in libprofstudy */
  uint64_t readings; /* clock readings (lines=time), of the whole trace too */
  uint64_t visits;   /* how often control came to the line from another */
  uint64_t measured_self_ns;
  uint64_t measured_low_ns,
      measured_high_ns;       /* bounds of measured_self_ns: a reading costs the largest calibrated cost, or nothing */
  uint64_t measured_calls_ns; /* in functions called from the line and not timed themselves */
  double self_share;          /* self_ns as a share of all rows, 0 to 1 */
  struct prof_interval share_interval; /* of self.running */
  bool calls_estimated; /* calls, calls_ns and in_calls, or parts of them: of functions recorded in bursts */
  /* Running time in libraries without probes and in the kernel that the line led to, from samples; also part of self_ns
   * of the library's or the kernel's row.  0 where the callers of samples were not recorded. */
  uint64_t outside_ns;
};

/* PROF_OK with no rows if there are neither samples nor debug information.  Lines with events of hardware counters
 * alone, which `prof lines` shows, are left out. */
prof_status prof_study_lines(prof_study *, enum prof_line_sort, struct prof_diag *, const struct prof_line_row **rows,
                             size_t *count) PROF_MUST_CHECK;

/* ---- GPU ---- */

struct prof_gpu_kernel_row {
  const char *name, *short_name;
  const char *path;         /* "main > step": with most of its time; "" outside of instrumented functions */
  const char *call;         /* the API function */
  const char *created;      /* of graph nodes: the path that created them; else "" */
  uint64_t launches, paths; /* paths: how many different ones */
  uint64_t total_ns, avg_ns, min_ns, max_ns, p95_ns;
  double share;                                      /* of the time of all kernels shown */
  uint64_t grid[3], block[3];                        /* of the first launch; never 0 */
  bool grids_differ;                                 /* another launch had other ones */
  uint64_t registers, static_shared, dynamic_shared; /* largest */
  double occupancy;                                  /* theoretical, of the first launch, 0 to 1; 0: not known */
  const char *occupancy_limit;                       /* "registers", ...: what limits it; "": not known */
};

struct prof_gpu_copy_row {
  const char *kind;                  /* "host to device", "set", ... */
  const char *memory;                /* "pageable", "pinned", ...: on the host; "": none */
  const char *path, *call, *created; /* as of kernels */
  uint64_t count, paths, bytes, total_ns, min_ns, max_ns;
  uint64_t bytes_per_second; /* 0: no time */
  double share;              /* of the time of all copies and sets shown */
};

/* PROF_EMPTY: the recording has no GPU records. */
prof_status prof_study_gpu(prof_study *, struct prof_diag *, const struct prof_gpu_kernel_row **kernels,
                           size_t *kernel_count, const struct prof_gpu_copy_row **copies,
                           size_t *copy_count) PROF_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
