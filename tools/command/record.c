/*
 * tools/command/record.c - `prof record`: runs a program and records its events.
 *
 * Exit status: the program's number, or death by the same signal.  If the program was not started: 127 not found, 126
 * not executable, 1 or 2 an error of prof record.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/vec.h"
#include "budget_value.h"
#include "command.h"
#include "options/values.h"
#include "record/session.h"
#include "record/signals.h"
#include "record_end.h"
#include "record_filter.h"
#include "record_hints.h"

enum { EXIT_NOT_EXECUTABLE = 126, EXIT_NO_PROGRAM = 127, EXIT_BY_SIGNAL = 128 };

#define LEAST_SPLIT_NS 100000000u
#define LEAST_MACHINE_NS 100000000u
#define RING_BYTES (64ull << 20)

struct settings {
  struct prof_session_options options;
  bool full, memory, locks, io;
  struct prof_pmu_event counters[PROF_PMU_MOST];
  const char *hints;
  const char *keep; /* NULL: not given */
  struct prof_record_filter filter;
  uint64_t pid;             /* of a program that runs already; 0: not given */
  struct prof_counts serve; /* --serve: descriptor and process; empty: not given */
};

/* The options as `prof info` shows them; kept until the process ends. */
static PROF_VEC(char *) words;

static void keep_word(const struct prof_option *row, const char *value) {
  char *word;
  if (!row->help || asprintf(&word, "--%s=%s", row->name, value ? value : "on") < 0)
    return; /* no memory: only `prof info` lacks it */
  if (!prof_vec_push(&words, word))
    free(word);
}

static prof_status take_sample(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_session_options *to = &((struct settings *)settings)->options;
  uint64_t hz = 0;
  to->no_samples = strcmp(value, "off") == 0;
  if (to->no_samples)
    return PROF_OK;
  prof_status status = prof_value_count("--sample", value, 1, PROF_SAMPLING_MOST_HZ, &hz, diag);
  to->sample_hz = (uint32_t)hz;
  return status;
}

static prof_status take_overhead(void *settings, const char *value, struct prof_diag *diag) {
  return prof_budget_value("--overhead", value, &((struct settings *)settings)->options.budget, diag);
}

static prof_status take_counters(void *settings, const char *value, struct prof_diag *diag) {
  struct settings *to = settings;
  to->options.counters = to->counters;
  return prof_pmu_names_parse(value, diag, to->counters, &to->options.counter_count);
}

static prof_status take_full(void *settings, const char *value, struct prof_diag *diag) {
  (void)value, (void)diag;
  ((struct settings *)settings)->options.budget = 0;
  return PROF_OK;
}

static prof_status take_locks(void *settings, const char *value, struct prof_diag *diag) {
  (void)value, (void)diag;
  ((struct settings *)settings)->options.measures |= PROF_CONTROL_LOCKS;
  return PROF_OK;
}

static prof_status take_io(void *settings, const char *value, struct prof_diag *diag) {
  (void)value, (void)diag;
  ((struct settings *)settings)->options.measures |= PROF_CONTROL_IO;
  return PROF_OK;
}

static prof_status take_memory(void *settings, const char *value, struct prof_diag *diag) {
  (void)value, (void)diag;
  ((struct settings *)settings)->options.measures |= PROF_CONTROL_MEMORY;
  return PROF_OK;
}

/* A duration ends in a small letter, a size in a digit or a capital one. */
static bool ends_in_unit(const char *value) {
  size_t length = strlen(value);
  return length > 0 && value[length - 1] >= 'a' && value[length - 1] <= 'z';
}

static prof_status take_split(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_series_wish *wish = &((struct settings *)settings)->options.parts;
  bool is_time = ends_in_unit(value);
  wish->split_ns = wish->split_bytes = 0;
  if (is_time ? prof_value_duration("--split", value, &wish->split_ns, NULL) != PROF_OK
              : prof_value_size("--split", value, &wish->split_bytes, NULL) != PROF_OK)
    return prof_command_usage(diag, "give a time or a size, as in --split=60s, --split=1G", "--split=%.40s is neither",
                              value);
  if (is_time ? wish->split_ns < LEAST_SPLIT_NS : wish->split_bytes < PROF_SESSION_MAX_BYTES_LEAST)
    return prof_command_usage(diag, "give it at least 100ms or 1M", "--split=%.40s makes too small parts", value);
  return PROF_OK;
}

#define IN(member) PROF_MEMBER(struct settings, options.member)
#define PATTERNS(flag) PROF_OPTION_TEXTS, PROF_MEMBER(struct settings, filter.patterns[flag])
#define WISH(member) PROF_MEMBER(struct settings, filter.wish.member)
static const struct prof_option options[] = {
    {"output", 'o', "DIR", "write to DIR (prof.data); an older recording there becomes DIR.old", PROF_OPTION_TEXT,
     IN(folder)},
    {"pid", 'p', "PID", "record a program that runs already, until Ctrl-C or --duration", PROF_OPTION_COUNT,
     PROF_MEMBER(struct settings, pid), .low = 1, .high = INT32_MAX},
    {"overhead", 0, "PERCENT",
     "add at most so much CPU time: 1% to 50%, production (2%), dev (5%); full (default): no limit",
     .take = take_overhead, PROF_WORDS("production", "dev", "full")},
    {"full", 0, NULL, "record every call, whatever it costs (--overhead=full)", PROF_OPTION_FLAG,
     PROF_MEMBER(struct settings, full), .take = take_full},
    {"hints", 0, "DIR", "with a budget: begin with those functions in bursts that were so there", PROF_OPTION_TEXT,
     PROF_MEMBER(struct settings, hints), .low = 1, .remedy = "give it the folder of a recording"},
    {"when-full", 0, NULL, "let threads wait (default) or lose events when the recorder can't keep up",
     PROF_OPTION_WORD, IN(when_full), PROF_WORDS([PROF_WHEN_FULL_WAIT] = "wait", [PROF_WHEN_FULL_DROP] = "drop")},
    {"buffer", 0, "TOTAL", "memory for events that are not written yet, of all threads together (64M)",
     PROF_OPTION_SIZE, IN(buffer_bytes)},
    {"level", 0, "N", "zstd level of the trace, 1 (default) to 19", PROF_OPTION_COUNT, IN(level), .low = 1, .high = 19},
    {"max-size", 0, "N", "end the recording, not the program, when the trace has this size (4G)", PROF_OPTION_SIZE,
     IN(max_bytes), .low = PROF_SESSION_MAX_BYTES_LEAST, .too_low = "leaves no room for a recording",
     .remedy = "give it at least 1M"},
    {"split", 0, "TIME|SIZE", "go on in a new part each 60s or 1G, each a whole recording: prof.data/part-0001, ...",
     .take = take_split},
    {"mode", 0, NULL,
     "write everything (default); keep the latest in memory (ring), written on SIGUSR2 and at the end; or sum up calls",
     PROF_OPTION_WORD, IN(parts.mode),
     PROF_WORDS([PROF_SERIES_STREAM] = "stream", [PROF_SERIES_RING] = "ring", [PROF_SERIES_SUMMARY] = "summary")},
    {"keep", 0, "N|SIZE|TIME", "--split: keep the last N parts; --mode=ring: the last 64M (default), or 10s",
     PROF_OPTION_TEXT, PROF_MEMBER(struct settings, keep)},
    {"snapshot-if", 0, "F>TIME", "with --mode=ring: write a snapshot when a call of function F took longer",
     PROF_OPTION_TEXT, PROF_MEMBER(struct settings, filter.snapshot_if)},
    {"only", 'F', "GLOB", "record only these functions and their callees; may be repeated", PATTERNS(PROF_KEPT_ONLY)},
    {"without", 'N', "GLOB", "leave out these functions and their callees; may be repeated",
     PATTERNS(PROF_KEPT_WITHOUT)},
    {"file", 0, "GLOB", "record only functions of these source files; may be repeated", PATTERNS(PROF_KEPT_FILE)},
    {"module", 0, "GLOB", "record only functions of these programs and libraries; may be repeated",
     PATTERNS(PROF_KEPT_MODULE)},
    {"caller", 'C', "GLOB", "record only calls of these functions and the calls that led to them; may be repeated",
     PATTERNS(PROF_KEPT_CALLER)},
    {"depth", 'D', "N", "record at most N levels of calls", PROF_OPTION_COUNT, WISH(depth), .low = 1},
    {"time-filter", 't', "MIN", "leave out calls shorter than this, as in 10us", PROF_OPTION_DURATION, WISH(min_ns)},
    {"start-at", 0, "GLOB", "record from a call of this function on; may be repeated", PATTERNS(PROF_KEPT_START)},
    {"stop-at", 0, "GLOB", "record until a call of this function; may be repeated", PATTERNS(PROF_KEPT_STOP)},
    {"only-under", 0, "GLOB", "record only what runs beneath this function or zone; may be repeated",
     PATTERNS(PROF_KEPT_UNDER)},
    {"slower-than", 0, "TIME", "with -F or --only-under: of faster calls record only that there was one",
     PROF_OPTION_DURATION, WISH(slow_ns)},
    {"args", 0, "GLOB", "record arguments of these functions, compiled with values=GLOB; may be repeated",
     PATTERNS(PROF_KEPT_ARGS)},
    {"ret", 0, "GLOB", "record what these functions return, compiled with values=GLOB; may be repeated",
     PATTERNS(PROF_KEPT_RET)},
    {"every", 0, "TIME", "--mode=summary: write the summary so often, besides at the end and on SIGUSR2 (10s)",
     PROF_OPTION_DURATION, IN(parts.every_ns), .low = 1, .too_low = "leaves no time for the program",
     .remedy = "give it a time, as in 10s"},
    {"max-memory", 0, "SIZE", "--mode=summary: limit memory for call paths; the coldest become [other] (16M)",
     PROF_OPTION_SIZE, IN(parts.memory_bytes)},
    {"clock", 0, NULL, "read the time stamp counter if it is steady (default), always, or the system's clock",
     PROF_OPTION_WORD, IN(clock),
     PROF_WORDS([PROF_CLOCK_AUTO] = "auto", [PROF_CLOCK_TSC] = "tsc", [PROF_CLOCK_OS] = "os")},
    {"sample", 0, "HZ|off", "samples per second of CPU time of each thread (997)", .take = take_sample,
     PROF_WORDS("off")},
    {"light", 0, NULL, "use a sparse clock a quarter of the time in threads that are mostly probes", PROF_OPTION_WORD,
     IN(no_light), PROF_WORDS("auto", "off")},
    {"memory", 0, NULL, "record allocations too, for prof memory", PROF_OPTION_FLAG,
     PROF_MEMBER(struct settings, memory), .take = take_memory},
    {"locks", 0, NULL, "record locks and what threads wait for, for prof locks", PROF_OPTION_FLAG,
     PROF_MEMBER(struct settings, locks), .take = take_locks},
    {"io", 0, NULL, "record input, output and queries, for prof io, prof queries", PROF_OPTION_FLAG,
     PROF_MEMBER(struct settings, io), .take = take_io},
    {"machine", 0, "TIME", "read CPU, memory, disks, network, temperature and power each TIME, as in 1s",
     PROF_OPTION_DURATION, IN(machine_ns), .low = LEAST_MACHINE_NS, .too_low = "reads too often",
     .remedy = "give it at least 100ms"},
    {"counters", 0, "LIST", "count cycles,instructions,cache-misses,page-faults,... of functions, for prof counters",
     .take = take_counters},
    {"gpu", 0, NULL, "record CUDA activity: auto (default), on (warn if there is none), off", PROF_OPTION_WORD,
     IN(gpu.mode), PROF_WORDS([PROF_GPU_AUTO] = "auto", [PROF_GPU_ON] = "on", [PROF_GPU_OFF] = "off")},
    {"gpu-graphs", 0, NULL, "record CUDA graphs per node (default) or per run", PROF_OPTION_WORD, IN(gpu.whole_graphs),
     PROF_WORDS("node", "whole")},
    {"gpu-lines", 0, NULL, "sample lines of kernels, for prof lines --gpu (needs permission to read counters)",
     PROF_OPTION_FLAG, IN(gpu.lines)},
    {"gpu-metrics", 0, NULL, "sample utilisation, memory, power and energy of GPUs ten times a second",
     PROF_OPTION_FLAG, IN(gpu.metrics)},
    {"capture-range", 0, "NAME", "record only in NVTX ranges of this name; cudaProfilerApi: from its start to its stop",
     PROF_OPTION_TEXT, IN(bounds.capture), .low = 1, .high = PROF_CONTROL_CAPTURE_BYTES - 1,
     .remedy = "give it the name of a range of NVTX, or cudaProfilerApi"},
    {"delay", 0, "TIME", "record only after this time since the program's start, as in 5s", PROF_OPTION_DURATION,
     IN(bounds.delay_ns)},
    {"duration", 0, "TIME", "record only for this time (after --delay)", PROF_OPTION_DURATION, IN(bounds.duration_ns),
     .low = 1, .too_low = "leaves nothing to record", .remedy = "give it a time, as in 5s"},
    {"then", 0, NULL, "let the program continue after --duration (default), or send it SIGTERM", PROF_OPTION_WORD,
     IN(then_stop), PROF_WORDS("continue", "stop")},
    /* Given by the runtime if PROF_RECORD=1 is set without prof record. */
    {"serve", 0, "FD,PID", NULL, PROF_OPTION_COUNTS, PROF_MEMBER(struct settings, serve)},
    {0},
};

static void say(const char *text) {
  fprintf(stderr, "prof: %s\n", text);
}

static int ended_by; /* wait status to end with; atexit handlers have no context */

/* Runs after all other output of this process (`prof ./app` shows a report). */
static void end_like_program(void) {
  fflush(NULL);
  prof_signals_end_like(ended_by);
}

static int exit_status(int wait_status) {
  if (!WIFSIGNALED(wait_status))
    return WEXITSTATUS(wait_status);
  ended_by = wait_status;
  atexit(end_like_program);
  return EXIT_BY_SIGNAL + WTERMSIG(wait_status);
}

static int serve(const struct settings *settings) {
  struct prof_diag diag = {0};
  if (settings->serve.count != 2) {
    prof_command_usage(&diag, "set PROF_RECORD=1 and run the program", "--serve is for the runtime alone");
    return prof_command_fail(&diag);
  }
  prof_status status =
      prof_session_serve(&settings->options, (int)settings->serve.items[0], (pid_t)settings->serve.items[1], &diag);
  return status == PROF_OK ? PROF_EXIT_OK : PROF_EXIT_FAILED;
}

/* Of a ring: a time ends in a small letter, as in --split. */
static prof_status keep_of_ring(const char *keep, struct prof_series_wish *wish, struct prof_diag *diag) {
  if (keep == NULL) {
    wish->keep_bytes = RING_BYTES;
    return PROF_OK;
  }
  if (ends_in_unit(keep) ? prof_value_duration("--keep", keep, &wish->keep_ns, NULL) != PROF_OK
                         : prof_value_size("--keep", keep, &wish->keep_bytes, NULL) != PROF_OK)
    return prof_command_usage(diag, "give a size or a time, as in --keep=64M, --keep=10s", "--keep=%.40s is neither",
                              keep);
  if (wish->keep_ns > 0 ? wish->keep_ns < LEAST_SPLIT_NS : wish->keep_bytes < PROF_SESSION_MAX_BYTES_LEAST)
    return prof_command_usage(diag, "give it at least 1M or 100ms", "--keep=%.40s keeps too little", keep);
  return PROF_OK;
}

/* What needs every call, or calls in order, can't be summed up. */
static prof_status check_summary(struct settings *settings, struct prof_diag *diag) {
  const struct prof_session_options *given = &settings->options;
  struct prof_series_wish *wish = &settings->options.parts;
  const struct {
    bool is_given;
    const char *name;
  } refused[] = {
      {wish->split_ns > 0 || wish->split_bytes > 0, "--split"},
      {settings->keep != NULL, "--keep"},
      {given->max_bytes > 0, "--max-size"},
      {given->gpu.mode == PROF_GPU_ON || given->gpu.lines || given->gpu.metrics, "GPU options"},
      {given->bounds.capture != NULL, "--capture-range"},
  };
  if (wish->mode != PROF_SERIES_SUMMARY) {
    if (wish->every_ns == 0 && wish->memory_bytes == 0)
      return PROF_OK;
    return prof_command_usage(diag, "add --mode=summary", "%s needs --mode=summary",
                              wish->every_ns > 0 ? "--every" : "--max-memory");
  }
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (refused[i].is_given)
      return prof_command_usage(diag, "leave out one of them", "--mode=summary can't be used with %s", refused[i].name);
  settings->options.gpu.mode = PROF_GPU_OFF; /* its records are joined with calls by time */
  return PROF_OK;
}

static prof_status check_parts(struct settings *settings, struct prof_diag *diag) {
  struct prof_series_wish *wish = &settings->options.parts;
  bool splits = wish->split_ns > 0 || wish->split_bytes > 0;
  uint64_t count = 0;
  const bool rings = wish->mode == PROF_SERIES_RING;
  if (check_summary(settings, diag) != PROF_OK)
    return PROF_USAGE;
  if (wish->mode == PROF_SERIES_SUMMARY)
    return PROF_OK;
  if (rings && splits)
    return prof_command_usage(diag, "leave out one of them", "--mode=ring can't be used with --split");
  if (!prof_series_wanted(wish) && settings->keep != NULL)
    return prof_command_usage(diag, "as in --split=60s --keep=10, or --mode=ring --keep=10s",
                              "--keep needs --split or --mode=ring");
  if (prof_series_wanted(wish) && settings->options.max_bytes > 0)
    return prof_command_usage(diag, "limit it with --keep", "--max-size can't be used with --%s",
                              rings ? "mode=ring" : "split");
  if (rings)
    return keep_of_ring(settings->keep, wish, diag);
  if (settings->keep == NULL)
    return PROF_OK;
  prof_status status = prof_value_count("--keep", settings->keep, 1, UINT32_MAX, &count, diag);
  wish->keep = (uint32_t)count;
  return status;
}

/* Options that must be given when the program starts. */
static prof_status check_join(const struct settings *settings, int argc, struct prof_diag *diag) {
  const struct prof_session_options *given = &settings->options;
  const struct {
    bool there;
    const char *name;
  } rows[] = {{given->measures & PROF_CONTROL_MEMORY, "memory"}, {given->measures & PROF_CONTROL_LOCKS, "locks"},
              {given->measures & PROF_CONTROL_IO, "io"},         {given->gpu.mode == PROF_GPU_ON, "gpu"},
              {given->bounds.capture != NULL, "capture-range"},  {given->then_stop, "then"}};
  if (argc > 0)
    return prof_command_usage(diag, "leave out one of them", "-p PID can't be used with a program");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].there)
      return prof_command_usage(diag, "start the program with prof record for that", "-p PID can't be used with --%s",
                                rows[i].name);
  return PROF_OK;
}

static int join(struct settings *settings, int argc) {
  static struct prof_session_result result; /* large */
  struct prof_diag diag = {0};
  settings->options.say = say;
  if (check_join(settings, argc, &diag) != PROF_OK ||
      prof_session_join(&settings->options, (pid_t)settings->pid, &diag, &result) != PROF_OK)
    return prof_command_fail(&diag);
  prof_record_end_print(stderr, &result);
  return PROF_EXIT_OK;
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  static struct prof_session_result result; /* large */
  struct prof_diag diag = {0};
  bool in_program = false;
  settings->options.words = words.items;
  settings->options.word_count = (int)words.count;
  if (settings->options.bounds.capture != NULL && settings->options.gpu.mode == PROF_GPU_OFF) {
    prof_command_usage(&diag, "leave out --gpu=off: a program without CUDA is recorded as without it",
                       "--capture-range needs the GPU collector, which receives ranges");
    return prof_command_fail(&diag);
  }
  if (settings->options.then_stop && settings->options.bounds.duration_ns == 0) {
    prof_command_usage(&diag, "say when: --duration=5s --then=stop", "--then=stop needs --duration");
    return prof_command_fail(&diag);
  }
  if (settings->options.counter_count > 0 && settings->options.no_samples) {
    prof_command_usage(&diag, "leave out --sample=off", "--counters needs samples");
    return prof_command_fail(&diag);
  }
  if (check_parts(settings, &diag) != PROF_OK ||
      prof_record_filter_check(&settings->filter, &settings->options, &diag) != PROF_OK)
    return prof_command_fail(&diag);
  if (settings->serve.count)
    return serve(settings);
  if (settings->pid > 0)
    return join(settings, argc);
  if (argc == 0) {
    prof_command_usage(&diag, "prof record [options] PROGRAM ARGS..., or -p PID", "which program shall be recorded?");
    return prof_command_fail(&diag);
  }
  if (settings->hints != NULL && settings->options.budget <= 0) {
    prof_command_usage(&diag, "give both: --overhead=5% --hints=DIR", "--hints needs a budget");
    return prof_command_fail(&diag);
  }
  struct prof_record_hints hints = {0};
  if (settings->hints != NULL &&
      prof_record_hints_read(&hints, settings->hints, settings->options.budget, &diag) != PROF_OK)
    return prof_command_fail(&diag);
  settings->options.hints = &hints.hints;
  settings->options.say = say;
  prof_status status = prof_session_record(&settings->options, argv, &diag, &in_program, &result);
  if (status != PROF_OK) {
    int failed = prof_command_fail(&diag);
    return !in_program ? failed : status == PROF_NOT_FOUND ? EXIT_NO_PROGRAM : EXIT_NOT_EXECUTABLE;
  }
  prof_record_end_print(stderr, &result);
  if (settings->hints != NULL && hints.hints.count == 0)
    fprintf(stderr, "prof: --hints: no function of %s is too dense for this budget: it changes nothing\n",
            settings->hints);
  else if (settings->hints != NULL && hints.hints.met == 0)
    fprintf(stderr, "prof: --hints: none of the %zu dense functions of %s is in this program\n", hints.hints.count,
            settings->hints);
  prof_record_hints_free(&hints);
  return exit_status(result.wait_status);
}

const struct prof_command prof_command_record = {
    .name = "record",
    .arguments = "[-p PID | [--] PROGRAM ARGS...]",
    .summary = "Run a program and record it",
    .group = "Record",
    .options = options,
    .stop_at_program = true,
    .taken = keep_word,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
