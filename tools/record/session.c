/*
 * tools/record/session.c - see session.h.
 *
 * Everything that may fail is done before the program starts.  So it either runs as without us, or doesn't run at all.
 */
#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "gpu.h"
#include "module.h"
#include "record/clock/clock_log.h"
#include "record/control/asked.h"
#include "record/gpu/gpu_launch.h"
#include "record/launch.h"
#include "record/out_folder.h"
#include "record/session_state.h"
#include "record/settings.h"

#define STOP_AFTER_NS 50000000u
/* Of stacks, with each sample: so much that most are whole; and that most calls of libraries and the kernel fit. */
#define STACK_BYTES 8192u
#define NEAREST_BYTES 3072u

enum end_reason { END_PROGRAM = 1, END_SIZE_LIMIT = 2, END_INTERRUPTED = 3, END_WRITE_FAILED = 4, END_LEFT = 7 };

static const enum end_reason reasons[] = {
    [PROF_PUMP_GOES_ON] = END_PROGRAM,
    [PROF_PUMP_SIZE_LIMIT] = END_SIZE_LIMIT,
    [PROF_PUMP_INTERRUPTED] = END_INTERRUPTED,
    [PROF_PUMP_WRITE_FAILED] = END_WRITE_FAILED,
};

static uint64_t time_ns(const struct timeval *time) {
  return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

static enum end_reason reason_of(const struct prof_session *session, const struct prof_session_result *result) {
  if (prof_writer_error(session->writer, NULL) != PROF_OK)
    return END_WRITE_FAILED;
  return result->left && result->pump.end == PROF_PUMP_GOES_ON ? END_LEFT : reasons[result->pump.end];
}

/* Removes a recording that never began. */
void prof_session_undo(struct prof_session *session) {
  if (session->writer != NULL) {
    (void)!prof_writer_close(session->writer, NULL);
    prof_out_folder_undo(session->folder.path);
  }
  prof_perf_close(&session->sampling.perf);
  prof_region_destroy(&session->region);
}

static void remark(struct prof_session *session, const char *text) {
  struct prof_session_remarks *remarks = &session->remarks;
  if (remarks->count < sizeof remarks->text / sizeof *remarks->text)
    snprintf(remarks->text[remarks->count++], sizeof *remarks->text, "%s", text);
}

/* Reports an unreliable clock: at the end, and in a note of the recording. */
static void tell_doubt(struct prof_session *session) {
  char text[256];
  if (session->clock.doubt == NULL)
    return;
  snprintf(text, sizeof text, "%s; %s", session->clock.doubt,
           session->clock.of == PROF_TICKS_OS
               ? "the operating system's clock was read instead, which costs more (--clock)"
               : "times may be wrong (--clock=os)");
  (void)prof_writer_note(session->writer, &(struct prof_note_record){.text = prof_span(text)});
  remark(session, text);
}

static bool has_parts(const struct prof_session *session) {
  return prof_series_wanted(&session->options->parts);
}

/* Makes the file, of the first part if there will be several. */
static prof_status open_writer(struct prof_session *session, struct prof_diag *diag) {
  const struct prof_writer_options writing = {.level = session->options->level,
                                              .start_realtime_ns = session->clock.first.realtime_ns,
                                              .keeps_facts = has_parts(session),
                                              .begin_ns = prof_steady_ns()};
  prof_status status = PROF_OK;
  if (has_parts(session))
    status = prof_series_begin(&session->parts, &session->options->parts, session->folder.path, diag);
  if (status != PROF_OK)
    return status;
  if (session->options->parts.mode == PROF_SERIES_RING)
    return prof_writer_open_ring(&writing, diag, &session->writer);
  if (session->options->parts.mode == PROF_SERIES_SUMMARY)
    return prof_writer_open_stretches(&writing, diag, &session->writer);
  return prof_writer_open(has_parts(session) ? session->parts.folder : session->folder.path, &writing, diag,
                          &session->writer);
}

/* Makes region, folder, writer, and the first chunks.  arguments: NULL, if the caller writes the SETTINGS. */
prof_status prof_session_begin(struct prof_session *session, const struct prof_session_options *options,
                               char *const *arguments, int argument_count, struct prof_diag *diag) {
  static const struct {
    enum prof_kept_flag kept;
    uint32_t flag;
  } values[] = {{PROF_KEPT_ARGS, PROF_CONTROL_ARGS}, {PROF_KEPT_RET, PROF_CONTROL_RET}};
  *session = (struct prof_session){.options = options, .region.fd = -1};
  prof_clock_log_begin(&session->clock, options->clock);
  session->max_bytes = has_parts(session) ? 0 : options->max_bytes != 0 ? options->max_bytes : PROF_SESSION_MAX_BYTES;
  prof_rank_find(&session->rank);
  prof_status status = prof_region_create(
      &session->region, options->buffer_bytes != 0 ? options->buffer_bytes : PROF_SESSION_BUFFER_BYTES,
      options->when_full, diag);
  if (status == PROF_OK)
    status = prof_out_folder_open(options->folder != NULL ? options->folder : PROF_SESSION_FOLDER, &session->rank, diag,
                                  &session->folder);
  if (status == PROF_OK)
    status = open_writer(session, diag);
  if (status != PROF_OK) {
    prof_session_undo(session);
    return status;
  }
  session->region.control->clock = session->clock.of == PROF_TICKS_OS ? PROF_CONTROL_CLOCK_OS : PROF_CONTROL_CLOCK_TSC;
  if (options->budget > 0) { /* a dense start shows in the first full segment */
    session->region.control->wake_segments = 1;
    prof_region_limit_threads(&session->region, true);
    (void)prof_region_add_texts(&session->region); /* without them every call is recorded, and the end says so */
  }
  if (options->budget <= 0 && options->kept != NULL && prof_quiet_wanted(options->kept))
    (void)prof_region_add_texts(&session->region); /* without them all is recorded, and left out */
  session->region.control->flags |= prof_gpu_launch_flags(&options->gpu) | options->measures;
  for (size_t i = 0; options->kept != NULL && i < sizeof values / sizeof *values; i++)
    session->region.control->flags |= options->kept->patterns[values[i].kept].count > 0 ? values[i].flag : 0;
  session->region.control->flags |= options->parts.mode == PROF_SERIES_SUMMARY ? PROF_CONTROL_SUMMARY
                                    : has_parts(session)                       ? 0
                                                                               : PROF_CONTROL_ONE_FILE;
  if (arguments != NULL)
    prof_settings_write(session->writer, arguments, argument_count, options->words, options->word_count,
                        options->budget, &session->rank);
  prof_clock_log_wait(&session->clock, PROF_CLOCK_ROUGH_NS);
  prof_clock_log_write(&session->clock, session->writer);
  tell_doubt(session);
  return PROF_OK;
}

/* Moves the older recording aside only for one with data, not for an uninstrumented program's. */
static void arrived(void *context) {
  struct prof_session *session = context;
  struct prof_diag diag = {0};
  char text[PATH_MAX + 512];
  if (prof_out_folder_settle(&session->folder, &diag) == PROF_OK)
    return;
  snprintf(text, sizeof text, "%.200s: %.150s; the recording is in %s", diag.file, diag.what, session->folder.path);
  if (session->options->say != NULL)
    session->options->say(text);
}

/* Where snapshots go. */
static const char *base(void *context) {
  return ((struct prof_session *)context)->folder.path;
}

prof_status prof_session_start_pump(struct prof_session *session, pid_t program, bool until_all_gone,
                                    struct prof_diag *diag) {
  session->parts.program = program;
  const struct prof_pump_options options = {
      .region = &session->region,
      .writer = session->writer,
      .clock = &session->clock,
      .sampling = &session->sampling,
      .max_bytes = session->max_bytes,
      .parts = has_parts(session) ? &session->parts : NULL,
      .machine_ns = session->options->machine_ns,
      .budget = session->options->budget,
      .hints = session->options->hints,
      .kept = session->options->kept,
      .bounded = session->options->bounds.delay_ns > 0 || session->options->bounds.duration_ns > 0 ||
                 session->options->bounds.capture != NULL || session->joined,
      .program = program,
      .until_all_gone = until_all_gone,
      .patience_ns = (uint64_t)PROF_SERVE_TIMEOUT_MS * 1000000u,
      .say = session->options->say,
      .base = base,
      .arrived = arrived,
      .context = session,
  };
  return prof_pump_start(&session->pump, &options, diag);
}

/* Where the recording is now; false: it was deleted. */
static bool find_folder(struct prof_session *session, struct prof_session_result *result) {
  bool in_parts = has_parts(session) && session->options->parts.mode == PROF_SERIES_STREAM;
  memcpy(result->folder, in_parts ? session->parts.folder : session->folder.path, sizeof result->folder);
  bool is_there = prof_writer_find(session->writer, result->folder, sizeof result->folder);
  char *slash = in_parts ? strrchr(result->folder, '/') : NULL;
  if (slash != NULL)
    *slash = 0;
  result->mode = session->options->parts.mode;
  result->parts = session->parts.number;
  result->parts_deleted = session->parts.deleted;
  return is_there;
}

/* Makes the program's times those of the last part. */
static void last_part(const struct prof_session *session, struct prof_end_record *record) {
  const struct prof_series *parts = &session->parts;
  prof_series_times(parts, prof_steady_ns(), record);
  record->user_ns -= parts->user_ns < record->user_ns ? parts->user_ns : record->user_ns;
  record->system_ns -= parts->system_ns < record->system_ns ? parts->system_ns : record->system_ns;
}

/* The program's end, or its crash, is a reason for a snapshot; one that wrote nothing needs none. */
static void last_snapshot(struct prof_session *session, struct prof_end_record *record,
                          struct prof_session_result *result) {
  struct prof_diag diag = {0};
  bool has_data = session->folder.target[0] == 0 && session->pump.result.threads > 0;
  if (!has_data || result->written != PROF_OK)
    return;
  if (session->options->parts.mode == PROF_SERIES_SUMMARY)
    result->written = prof_summaries_finish(&session->pump.summaries, session->writer, record, &diag);
  else
    result->written = prof_snapshots_finish(&session->pump.snapshots, &session->parts, session->writer, record, &diag);
  result->write_diag = diag;
}

/* Writes the last chunks; sets the figures of the result. */
void prof_session_end(struct prof_session *session, struct prof_session_result *result) {
  prof_clock_log_wait(&session->clock, PROF_CLOCK_EXACT_NS);
  result->frequency_hz = prof_clock_log_write(&session->clock, session->writer);
  result->pump = session->pump.result;
  result->max_bytes = session->max_bytes;
  result->bounds = session->options->bounds;
  result->measures = session->options->measures;
  result->remarks = session->remarks;
  for (uint32_t i = 0; i < session->counters.count; i++)
    result->counts |= !session->counters.counters[i].refused;
  struct rusage own;
  getrusage(RUSAGE_SELF, &own);
  result->recorder_cpu_ns = time_ns(&own.ru_utime) + time_ns(&own.ru_stime) + session->pump.answers.cpu_ns;
  struct prof_end_record record = {
      .reason = reason_of(session, result),
      .wait_status = session->joined ? UINT32_MAX : (uint32_t)result->wait_status, /* its parent's */
      .wall_ns = result->wall_ns,
      .user_ns = result->user_ns,
      .system_ns = result->system_ns,
      .recorder_cpu_ns = result->recorder_cpu_ns,
      .events = prof_writer_events(session->writer),
      .lost = result->pump.sums.lost,
      .minor_faults = (uint64_t)result->usage.ru_minflt,
      .major_faults = (uint64_t)result->usage.ru_majflt,
      .waits = (uint64_t)result->usage.ru_nvcsw,
      .preemptions = (uint64_t)result->usage.ru_nivcsw,
      .peak_bytes = (uint64_t)result->usage.ru_maxrss * 1024,
      .attach_ns = result->pump.attach_ns - result->pump.attach_before_ns,
  };
  enum prof_series_mode mode = session->options->parts.mode;
  if (has_parts(session) && mode != PROF_SERIES_SUMMARY)
    last_part(session, &record);
  if (mode != PROF_SERIES_STREAM)
    last_snapshot(session, &record, result);
  else
    (void)prof_writer_end(session->writer, &record);
  prof_snapshots_forget_look(&session->pump.snapshots);
  prof_series_trim(&session->parts, session->writer);
  bool is_there = find_folder(session, result);
  result->file_bytes = mode == PROF_SERIES_RING      ? session->pump.snapshots.bytes
                       : mode == PROF_SERIES_SUMMARY ? session->pump.summaries.bytes
                       : is_there                    ? prof_writer_bytes(session->writer) + session->parts.bytes
                                                     : 0;
  result->file_events = is_there ? prof_writer_events(session->writer) + session->parts.events : 0;
  struct prof_diag diag = {0};
  prof_status closed = prof_writer_close(session->writer, &diag);
  if (!is_there)
    closed = prof_diag_fill(&diag, PROF_NOT_FOUND, result->folder, PROF_NO_OFFSET, "record again; keep the folder",
                            "the recording was deleted while it was made");
  if (result->written == PROF_OK) { /* else it has the first error */
    result->written = closed;
    result->write_diag = diag;
  }
  if (session->folder.target[0] != 0 && result->written == PROF_OK) {
    memcpy(result->kept, session->folder.target, sizeof result->kept);
    prof_out_folder_undo(session->folder.path);
  }
  prof_summaries_fini(&session->pump.summaries);
  prof_region_destroy(&session->region);
}

static uint32_t sample_hz(const struct prof_session_options *options) {
  uint32_t usual = options->budget > 0 ? prof_choice_sample_hz(options->budget, PROF_SAMPLING_HZ) : PROF_SAMPLING_HZ;
  return options->no_samples ? 0 : options->sample_hz != 0 ? options->sample_hz : usual;
}

static void tell_missing(struct prof_session *session) {
  char text[512];
  if (prof_pmu_missing_text(&session->counters, text, sizeof text) > 0)
    remark(session, text);
  if (session->counters.groups > 1)
    remark(session, "counters don't fit the processor at once: they take turns, and figures are estimates");
}

/* If the kernel refuses, threads must sample themselves. */
void prof_session_begin_sampling(struct prof_session *session, pid_t pid, bool on_exec) {
  bool counts = session->options->counter_count > 0;
  if (counts)
    prof_pmu_plan(&session->counters, session->options->counters, session->options->counter_count, &prof_pmu_kernel);
  const struct prof_perf_wish wish = {
      .pid = pid,
      .hz = sample_hz(session->options),
      .on_exec = on_exec,
      .threads = !on_exec,
      .extra = !session->options->no_light && session->options->budget <= 0 &&
               (session->options->kept == NULL || !prof_kept_wanted(session->options->kept)) &&
               session->options->parts.mode != PROF_SERIES_SUMMARY,
      .stack_bytes = session->options->budget > 0 ? STACK_BYTES : NEAREST_BYTES,
      .nearest = session->options->budget <= 0,
      .counters = counts ? &session->counters : NULL,
      .apart = session->options->budget > 0};
  prof_sampling_open(&session->sampling, &wish, session->clock.of);
  for (uint32_t i = 0; session->sampling.figures.method != PROF_SAMPLER_PERF && i < session->counters.count; i++)
    prof_pmu_refuse(&session->counters.counters[i], EACCES);
  tell_missing(session);
  if (session->sampling.figures.method == PROF_SAMPLER_TIMER)
    session->region.control->sample_hz = session->sampling.figures.asked_hz;
  char text[256];
  snprintf(text, sizeof text, "%s; timers sample each thread instead; waiting times are unknown",
           session->sampling.figures.reason);
  if (session->sampling.figures.method == PROF_SAMPLER_TIMER)
    remark(session, text);
}

static void before_exec(void *context, pid_t pid) {
  prof_session_begin_sampling(context, pid, true);
}

static prof_status start_program(struct prof_session *session, const struct prof_signals *signals, const char *runtime,
                                 const char *collector, char *const *arguments, struct prof_diag *diag, pid_t *pid) {
  char ring[PROF_REGION_PATH_BYTES];
  prof_region_path(&session->region, ring);
  const struct prof_launch launch = {.arguments = arguments,
                                     .ring_path = ring,
                                     .runtime_path = runtime,
                                     .collector_path = collector,
                                     .gpu = session->options->gpu,
                                     .before_exec = before_exec,
                                     .context = session,
                                     .signals = signals};
  return prof_launch_start(&launch, diag, pid);
}

/* A moment after the end of --duration, so that the program's processes end their slices themselves.  0: never. */
uint64_t prof_session_stop_ns(const struct prof_session *session) {
  return session->options->then_stop ? session->region.control->until_ns + STOP_AFTER_NS : 0;
}

static void ask_snapshot(void *context) {
  prof_pump_snapshot(context);
}

prof_status prof_session_record(const struct prof_session_options *options, char *const *arguments,
                                struct prof_diag *diag, bool *in_program, struct prof_session_result *result) {
  static struct prof_session session; /* large */
  struct prof_signals signals;
  char runtime[PATH_MAX];
  pid_t pid;
  int argument_count = 0;
  *result = (struct prof_session_result){0};
  while (arguments[argument_count] != NULL)
    argument_count++;
  prof_status status = prof_launch_check(arguments[0], diag, result->program);
  *in_program = status != PROF_OK;
  if (status == PROF_OK)
    status = prof_region_check_proc(diag);
  if (status == PROF_OK)
    status = prof_launch_find_runtime(runtime, diag);
  if (status != PROF_OK)
    return status;
  if (options->gpu.mode != PROF_GPU_OFF)
    prof_gpu_launch_find(runtime, result->collector);
  if (options->bounds.capture != NULL && result->collector[0] == 0)
    return prof_diag_fill(diag, PROF_NOT_FOUND, PROF_GPU_FILE, PROF_NO_OFFSET, "install prof whole (make install)",
                          "--capture-range needs the GPU collector, which is missing beside the runtime");
  prof_signals_take(&signals);
  status = prof_session_begin(&session, options, arguments, argument_count, diag);
  if (status != PROF_OK) {
    prof_signals_restore(&signals);
    return status;
  }
  uint64_t start_ns = prof_steady_ns();
  prof_region_set_bounds(&session.region, &options->bounds);
  status = start_program(&session, &signals, runtime, result->collector, arguments, diag, &pid);
  if (status != PROF_OK) {
    *in_program = true;
    prof_session_undo(&session);
    prof_signals_restore(&signals);
    return status;
  }
  /* If it fails, the program doesn't wait: it sees that there is no recorder. */
  result->written = prof_session_start_pump(&session, pid, false, &result->write_diag);
  bool pumping = result->written == PROF_OK;
  if (!pumping)
    prof_region_close_recording(&session.region);
  else
    prof_asked_begin(&session.asked, &session.pump, session.folder.path, pid);
  result->wait_status =
      prof_signals_wait(&signals, pid, prof_session_stop_ns(&session), ask_snapshot, &session.pump, &result->usage);
  if (pumping)
    prof_pump_saw_end(&session.pump);
  result->wall_ns = prof_steady_ns() - start_ns;
  prof_asked_end(&session.asked);
  result->user_ns = time_ns(&result->usage.ru_utime);
  result->system_ns = time_ns(&result->usage.ru_stime);
  if (pumping)
    prof_pump_finish(&session.pump);
  if (session.pump.result.gpu.collectors == 0)
    result->no_gpu = prof_gpu_launch_why_not(&options->gpu, result->program, result->collector);
  prof_session_end(&session, result);
  return PROF_OK;
}
