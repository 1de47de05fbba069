/*
 * tools/command/record.c - `prof record`: runs a program and writes what its probes say.
 *
 * Exit status: the program's, as a shell would see it without us: its own number, or death by the same signal.  When
 * the program was never started: 127 no such program, 126 it can't be executed, 1 or 2 something of ours is wrong.
 */
#define _GNU_SOURCE /* asprintf */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/vec.h"
#include "command.h"
#include "record/session.h"
#include "record/signals.h"
#include "record_end.h"
#include "values.h"

enum { EXIT_NOT_EXECUTABLE = 126, EXIT_NO_PROGRAM = 127, EXIT_BY_SIGNAL = 128 };

struct settings {
  struct prof_session_options options;
  int serve_fd, serve_pid; /* serve_pid: 0, if this isn't serving */
};

/* The options as `prof info` shows them; kept until the process ends. */
static PROF_VEC(char *) words;

static void keep_word(const char *name, const char *value) {
  char *word;
  if (asprintf(&word, "--%s=%s", name, value) < 0)
    return; /* it is missing in `prof info`, no more */
  if (!prof_vec_push(&words, word))
    free(word);
}

static prof_status take_folder(void *settings, const char *value, struct prof_diag *diag) {
  (void)diag;
  ((struct settings *)settings)->options.folder = value;
  keep_word("output", value);
  return PROF_OK;
}

static prof_status take_when_full(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const known[] = {[PROF_WHEN_FULL_WAIT] = "wait", [PROF_WHEN_FULL_DROP] = "drop", NULL};
  int index = 0;
  prof_status status = prof_value_word("--when-full", value, known, &index, diag);
  ((struct settings *)settings)->options.when_full = (enum prof_when_full)index;
  keep_word("when-full", value);
  return status;
}

static prof_status take_buffer(void *settings, const char *value, struct prof_diag *diag) {
  keep_word("buffer", value);
  return prof_value_size("--buffer", value, &((struct settings *)settings)->options.buffer_bytes, diag);
}

static prof_status take_max_size(void *settings, const char *value, struct prof_diag *diag) {
  uint64_t *bytes = &((struct settings *)settings)->options.max_bytes;
  prof_status status = prof_value_size("--max-size", value, bytes, diag);
  if (status == PROF_OK && *bytes < PROF_SESSION_MAX_BYTES_LEAST)
    return prof_command_usage(diag, "give it at least 1M", "--max-size=%s leaves no room for a recording", value);
  keep_word("max-size", value);
  return status;
}

static prof_status take_level(void *settings, const char *value, struct prof_diag *diag) {
  uint64_t level = 0;
  prof_status status = prof_value_count("--level", value, 1, 19, &level, diag);
  ((struct settings *)settings)->options.level = (int)level;
  keep_word("level", value);
  return status;
}

static prof_status take_clock(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const known[] = {
      [PROF_CLOCK_AUTO] = "auto", [PROF_CLOCK_TSC] = "tsc", [PROF_CLOCK_OS] = "os", NULL};
  int index = 0;
  prof_status status = prof_value_word("--clock", value, known, &index, diag);
  ((struct settings *)settings)->options.clock = (enum prof_clock_wish)index;
  keep_word("clock", value);
  return status;
}

static prof_status take_gpu(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const known[] = {[PROF_GPU_AUTO] = "auto", [PROF_GPU_ON] = "on", [PROF_GPU_OFF] = "off", NULL};
  int index = 0;
  prof_status status = prof_value_word("--gpu", value, known, &index, diag);
  ((struct settings *)settings)->options.gpu.mode = (enum prof_gpu_mode)index;
  keep_word("gpu", value);
  return status;
}

static prof_status take_gpu_graphs(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const known[] = {"node", "whole", NULL};
  int index = 0;
  prof_status status = prof_value_word("--gpu-graphs", value, known, &index, diag);
  ((struct settings *)settings)->options.gpu.whole_graphs = index == 1;
  keep_word("gpu-graphs", value);
  return status;
}

static prof_status take_capture(void *settings, const char *value, struct prof_diag *diag) {
  if (*value == 0 || strlen(value) >= PROF_CONTROL_CAPTURE_BYTES)
    return prof_command_usage(diag, "give it the name of a range of NVTX, or cudaProfilerApi",
                              "--capture-range can't have a name of %zu bytes", strlen(value));
  ((struct settings *)settings)->options.bounds.capture = value;
  keep_word("capture-range", value);
  return PROF_OK;
}

static prof_status take_bound(const char *name, const char *value, uint64_t *ns, struct prof_diag *diag) {
  char flag[32];
  snprintf(flag, sizeof flag, "--%s", name);
  keep_word(name, value);
  return prof_value_duration(flag, value, ns, diag);
}

static prof_status take_metrics(void *settings, const char *value, struct prof_diag *diag) {
  (void)value;
  (void)diag;
  ((struct settings *)settings)->options.gpu.metrics = true;
  keep_word("gpu-metrics", "on");
  return PROF_OK;
}

static prof_status take_gpu_lines(void *settings, const char *value, struct prof_diag *diag) {
  (void)value;
  (void)diag;
  ((struct settings *)settings)->options.gpu.lines = true;
  keep_word("gpu-lines", "on");
  return PROF_OK;
}

static prof_status take_delay(void *settings, const char *value, struct prof_diag *diag) {
  return take_bound("delay", value, &((struct settings *)settings)->options.bounds.delay_ns, diag);
}

static prof_status take_duration(void *settings, const char *value, struct prof_diag *diag) {
  uint64_t *ns = &((struct settings *)settings)->options.bounds.duration_ns;
  prof_status status = take_bound("duration", value, ns, diag);
  if (status == PROF_OK && *ns == 0)
    return prof_command_usage(diag, "give it a time, as in 5s", "--duration=%s leaves nothing to record", value);
  return status;
}

static prof_status take_then(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const then[] = {"continue", "stop", NULL};
  int index = 0;
  prof_status status = prof_value_word("--then", value, then, &index, diag);
  ((struct settings *)settings)->options.then_stop = index == 1;
  keep_word("then", value);
  return status;
}

static prof_status take_sample(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_session_options *to = &((struct settings *)settings)->options;
  uint64_t hz = 0;
  keep_word("sample", value);
  to->no_samples = strcmp(value, "off") == 0;
  if (to->no_samples)
    return PROF_OK;
  prof_status status = prof_value_count("--sample", value, 1, PROF_SAMPLING_MOST_HZ, &hz, diag);
  to->sample_hz = (uint32_t)hz;
  return status;
}

static prof_status take_light(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const known[] = {"auto", "off", NULL};
  int index = 0;
  prof_status status = prof_value_word("--light", value, known, &index, diag);
  ((struct settings *)settings)->options.no_light = index == 1;
  keep_word("light", value);
  return status;
}

static prof_status take_serve(void *settings, const char *value, struct prof_diag *diag) {
  struct settings *own = settings;
  if (sscanf(value, "%d,%d", &own->serve_fd, &own->serve_pid) != 2 || own->serve_fd < 0 || own->serve_pid <= 0)
    return prof_command_usage(diag, "set PROF_RECORD=1 and run the program", "--serve is for the runtime alone");
  return PROF_OK;
}

static const struct prof_option options[] = {
    {"output", 'o', "DIR", "write to DIR (prof.data); an older recording there becomes DIR.old", take_folder},
    {"when-full", 0, "wait|drop", "when the recorder can't keep up, threads wait (default) or lose events",
     take_when_full},
    {"buffer", 0, "TOTAL", "memory for events that are not written yet, all threads together (64M)", take_buffer},
    {"level", 0, "N", "zstd level of the trace, 1 (default) to 19", take_level},
    {"max-size", 0, "N", "end the recording, not the program, when the trace has this size (4G)", take_max_size},
    {"clock", 0, "auto|tsc|os", "read the time stamp counter if it is steady (default), always, or the system's clock",
     take_clock},
    {"sample", 0, "HZ|off", "samples per second of CPU time of each thread (997)", take_sample},
    {"light", 0, "auto|off",
     "a quarter of the time, threads that are mostly probes read the clock at every 32nd event (default), or never",
     take_light},
    {"gpu", 0, "auto|on|off", "record CUDA activity: auto (default), on (warn if there is none), off", take_gpu},
    {"gpu-graphs", 0, "node|whole", "of CUDA graphs, a record per node (default) or per run", take_gpu_graphs},
    {"gpu-lines", 0, NULL, "sample lines of kernels, for prof lines --gpu (needs permission to read counters)",
     take_gpu_lines},
    {"gpu-metrics", 0, NULL, "sample utilisation, memory, power and energy of GPUs ten times a second", take_metrics},
    {"capture-range", 0, "NAME", "record only in NVTX ranges of this name; cudaProfilerApi: from its start to its stop",
     take_capture},
    {"delay", 0, "TIME", "record only after this time since the program's start, as in 5s", take_delay},
    {"duration", 0, "TIME", "record only so long (after --delay)", take_duration},
    {"then", 0, "continue|stop", "after --duration the program goes on (default), or is sent SIGTERM", take_then},
    {"serve", 0, "FD,PID", NULL, take_serve}, /* the runtime's, when PROF_RECORD=1 is set without prof record */
    {0},
};

static void say(const char *text) {
  fprintf(stderr, "prof: %s\n", text);
}

static int ended_by; /* wait status to end with; atexit handlers have no context */

/* After all else that this process had to say (`prof ./app` shows a report). */
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
  prof_status status = prof_session_serve(&settings->options, settings->serve_fd, settings->serve_pid, &diag);
  return status == PROF_OK ? PROF_EXIT_OK : PROF_EXIT_FAILED;
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
  if (settings->serve_pid > 0)
    return serve(settings);
  if (argc == 0) {
    prof_command_usage(&diag, "prof record [options] PROGRAM ARGS...", "which program shall be recorded?");
    return prof_command_fail(&diag);
  }
  settings->options.say = say;
  prof_status status = prof_session_record(&settings->options, argv, &diag, &in_program, &result);
  if (status != PROF_OK) {
    int failed = prof_command_fail(&diag);
    return !in_program ? failed : status == PROF_NOT_FOUND ? EXIT_NO_PROGRAM : EXIT_NOT_EXECUTABLE;
  }
  prof_record_end_print(stderr, &result);
  return exit_status(result.wait_status);
}

const struct prof_command prof_command_record = {
    .name = "record",
    .arguments = "[--] PROGRAM ARGS...",
    .summary = "Run a program and record it",
    .group = "Record",
    .options = options,
    .stop_at_program = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
