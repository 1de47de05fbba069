/*
 * tools/record/pump.c - see pump.h.
 *
 * A turn: heartbeat, log, then every ring.  Segments that threads have left are read at once; what stands in a thread's
 * current segment is read when the pump has slept its time without being rung for, so that it doesn't fetch cache lines
 * that a busy thread is writing.  Every HOUSEKEEPING_NS: who is gone, what has waited for long, the limits, warnings.
 *
 * Sleeping: `recorder_sleeps` is announced, the rings are looked at once more, then the pump waits on `bell`; a thread
 * publishes its segment before it looks at `recorder_sleeps`, so one of the two sees the other.
 */
#include "record/pump.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "record/budget.h"
#include "record/missing.h"
#include "record/size_limit.h"

#define SLEEP_NS 50000000u /* between two turns when no bell rings */
#define HOUSEKEEPING_NS 200000000u
#define FLUSH_NS 1000000000u /* events are in the file after at most this and one housekeeping */
#define CLOCK_NS 1000000000u /* to the second CLOCK chunk; each further one comes after twice the time */
#define LAST_BYTES 4096u     /* of the file, for its END chunk */
#define FORK_WAIT_NS 2000000000u
#define FORK_STACK_BYTES (16u << 20)
#define FORK_TURNS 32 /* at the end, while threads wait for what is known of their fork */

static pid_t pid_of(const struct prof_pump *pump, uint32_t process) {
  for (size_t i = pump->processes.entries.count; i > 0; i--)
    if (pump->processes.entries.items[i - 1].number == process)
      return pump->processes.entries.items[i - 1].pid;
  return 0;
}

/* At its limit the trace takes nothing more of processes and libraries that come then: none of their events is in it.
 */
static bool is_over(const struct prof_pump *pump) {
  return pump->closed && pump->source.reading_ended;
}

static void take_process(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_processes_add(&pump->processes, is_over(pump) ? NULL : pump->options.writer, &view->process, view->text);
  prof_sampling_process(pump->options.sampling, &view->process);
  prof_slices_process(&pump->slices, view->process.process);
  prof_light_cost(&pump->light, prof_processes_event_cost(&pump->processes) / 1000.0);
  pump->result.processes++;
}

static void take_module(struct prof_pump *pump, const struct prof_log_view *view) {
  if (!is_over(pump))
    prof_modules_load(&pump->modules, &view->module, view->text, pid_of(pump, view->module.process));
}

static void take_caller(struct prof_pump *pump, const struct prof_log_view *view) {
  if (!is_over(pump))
    prof_modules_load_caller(&pump->modules, &view->module, view->text, pid_of(pump, view->module.process));
}

static void take_function(struct prof_pump *pump, const struct prof_log_view *view) {
  if (!is_over(pump))
    prof_modules_function(&pump->modules, &view->function);
}

static void take_process_end(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_processes_end(&pump->processes, view->number.process);
}

static void take_error(struct prof_pump *pump, const struct prof_log_view *view) {
  struct prof_note_record note = {.process = view->number.process, .text = prof_span(view->text)};
  if (!is_over(pump))
    (void)prof_writer_note(pump->options.writer, &note);
  if (pump->result.runtime_errors++ == 0)
    snprintf(pump->result.first_error, sizeof pump->result.first_error, "%s", view->text);
}

static void take_counts(struct prof_pump *pump, const struct prof_log_view *view) {
  pump->options.arrived(pump->options.context);
  if (!is_over(pump))
    prof_count_table_add(&pump->counts, &view->counts, view->data, view->data_bytes);
}

static void take_slice(struct prof_pump *pump, const struct prof_log_view *view) {
  prof_slices_take(&pump->slices, &view->slice);
}

/* A library that was unloaded keeps its sites: numbers are never used again. */
static void take_module_end(struct prof_pump *pump, const struct prof_log_view *view) {
  (void)pump, (void)view;
}

static void (*const takers[])(struct prof_pump *, const struct prof_log_view *) = {
    [PROF_LOG_PROCESS] = take_process,
    [PROF_LOG_MODULE] = take_module,
    [PROF_LOG_PROCESS_END] = take_process_end,
    [PROF_LOG_ERROR] = take_error,
    [PROF_LOG_MODULE_END] = take_module_end,
    [PROF_LOG_CALLER] = take_caller,
    [PROF_LOG_FUNCTION] = take_function,
    [PROF_LOG_COUNTS] = take_counts,
    [PROF_LOG_SLICE] = take_slice,
};

/* Names that are too much for the trace are left out, and with them everything after them: then the recording ends. */
static struct prof_site_map catch_up(void *context) {
  struct prof_pump *pump = context;
  prof_writer *writer = pump->options.writer;
  struct prof_log_view view;
  while (prof_log_next(&pump->log, pump->options.region, pump->source.now_ns, &view)) {
    if (view.kind == PROF_LOG_MODULE || view.kind == PROF_LOG_CALLER)
      prof_size_limit_make_room(pump);
    uint64_t before = prof_writer_bytes(writer);
    prof_writer_set_ceiling(writer, prof_size_limit_of_names(pump));
    takers[view.kind](pump, &view);
    prof_writer_set_ceiling(writer, UINT64_MAX);
    prof_room_use(&pump->room, prof_writer_bytes(writer) - before);
    pump->room.exhausted |= prof_writer_left_out(writer) > 0;
  }
  return prof_modules_map(&pump->modules);
}

static const char *executable_of(void *context, uint32_t process) {
  return prof_processes_executable(&((struct prof_pump *)context)->processes, process);
}

/*
 * Whether the frames that a new thread begins with are known, or will never be.  They are when its parent's ring has
 * been read up to the fork; that is done here.  What holds it up is a hole there, or a parent that waits likewise.
 */
static bool knows_fork(struct prof_pump *pump, uint32_t index) {
  const struct prof_region *region = pump->options.region;
  uint32_t fork = region->threads[index].fork, parent = region->threads[index].fork_thread;
  uint64_t *since_ns = &pump->fork_waits_ns[index];
  if (pump->room.exhausted)
    return false;
  if (fork == 0 || prof_fork_stacks_find(pump->forks, fork) != NULL)
    return true;
  if (parent >= region->thread_count || parent == index)
    return true; /* the program has written over the region */
  struct prof_channel *from = &pump->channels[parent];
  if (from->number != 0) {
    uint64_t passed = prof_channel_drain(from, &pump->source, parent, PROF_CHANNEL_WHOLE);
    if (prof_fork_stacks_find(pump->forks, fork) != NULL ||
        (passed == 0 && from->hole_since_ns == 0 && !pump->room.exhausted))
      return true;
  }
  if (*since_ns == 0)
    *since_ns = pump->source.now_ns;
  if (pump->source.now_ns - *since_ns >= FORK_WAIT_NS)
    return true;
  pump->waiting_forks++;
  return pump->hurried;
}

void prof_pump_write_light(struct prof_pump *pump, uint32_t index, enum prof_light_part part) {
  struct prof_matcher_figures figures;
  const struct prof_channel *channel = &pump->channels[index];
  prof_matcher_figures(channel->matcher, &figures);
  double slot_events = channel->passed > 0 ? (double)figures.events / (double)channel->passed : 1;
  prof_light_write(&pump->light, pump->options.writer, index, channel->number, slot_events, part);
}

static void close_channel(struct prof_pump *pump, uint32_t index, bool ended) {
  prof_pump_write_light(pump, index, PROF_LIGHT_LAST);
  prof_budget_closing(pump, index);
  prof_channel_close(&pump->channels[index], &pump->source, index, ended, &pump->result.sums);
}

static bool make_room(struct prof_pump *pump);

/* Reads all that there is of a thread that writes no more; false: the recording has ended over it. */
static bool read_rest(struct prof_pump *pump, uint32_t index, uint64_t *passed) {
  do
    *passed += prof_channel_drain(&pump->channels[index], &pump->source, index, PROF_CHANNEL_LAST);
  while (pump->room.exhausted && make_room(pump));
  return !pump->closed;
}

/* Reads one record's ring.  Returns the slots that it went past. */
static uint64_t serve(struct prof_pump *pump, uint32_t index, enum prof_channel_depth depth) {
  struct prof_channel *channel = &pump->channels[index];
  uint32_t state = __atomic_load_n(&pump->options.region->threads[index].state, __ATOMIC_ACQUIRE);
  if (state != PROF_THREAD_LIVE && state != PROF_THREAD_ENDED)
    return 0;
  if (pump->options.region->threads[index].content == PROF_THREAD_GPU) {
    catch_up(pump);
    pump->options.arrived(pump->options.context);
    return prof_gpu_streams_serve(&pump->gpu, &pump->source, index, depth);
  }
  if (channel->number == 0) {
    catch_up(pump); /* its process first */
    if (!knows_fork(pump, index))
      return 0;
    pump->fork_waits_ns[index] = 0;
    if (!prof_room_has(&pump->room, 2 * PROF_CHANNEL_THREAD_BYTES))
      return 0;
    prof_room_use(&pump->room, 2 * PROF_CHANNEL_THREAD_BYTES);
    if (!prof_channel_open(channel, &pump->source, index, pump->result.threads + 1, pump->packer))
      return 0;
    pump->result.threads++;
    prof_budget_opened(pump, index);
    pump->options.arrived(pump->options.context);
    const struct prof_thread *record = &pump->options.region->threads[index]; /* its own start, not its fork's */
    prof_sampling_thread(pump->options.sampling, (uint32_t)channel->pid, (uint32_t)channel->tid, record->start,
                         channel->number);
  }
  if (state == PROF_THREAD_ENDED) {
    uint64_t passed = 1;
    if (read_rest(pump, index, &passed))
      close_channel(pump, index, true);
    return passed;
  }
  uint64_t passed = prof_channel_drain(channel, &pump->source, index, depth);
  prof_budget_note(pump, index);
  return passed;
}

/* Slices that ended before the kernel's samples were taken are known before these are written. */
static void take_samples(struct prof_pump *pump, bool last) {
  pump->source.now_ns = prof_steady_ns();
  if (!prof_sampling_drain(pump->options.sampling, pump->source.now_ns, last))
    return;
  catch_up(pump);
  if (last)
    prof_writer_set_ceiling(pump->options.writer, prof_size_limit_of_samples(pump));
  prof_sampling_write(pump->options.sampling, pump->source.now_ns, last);
  prof_writer_set_ceiling(pump->options.writer, UINT64_MAX);
}

/* No more events are wanted: what was taken so far gets its last chunks. */
static void close_recording(struct prof_pump *pump, enum prof_pump_end end) {
  prof_light_stop(&pump->light);
  prof_writer_last_records(pump->options.writer);
  take_samples(pump, true); /* threads get no numbers any more */
  prof_region_close_recording(pump->options.region);
  pump->closed = true;
  pump->source.reading_ended = end == PROF_PUMP_SIZE_LIMIT || end == PROF_PUMP_WRITE_FAILED;
  pump->result.end = end;
  pump->result.names_fill = end == PROF_PUMP_SIZE_LIMIT && prof_writer_events(pump->options.writer) == 0;
  prof_gpu_streams_finish(&pump->gpu, &pump->source);
  pump->result.gpu = pump->gpu.sums;
  uint32_t used = prof_region_records_used(pump->options.region);
  for (uint32_t i = 0; i < used; i++) {
    struct prof_channel *channel = &pump->channels[i];
    if (channel->number == 0)
      continue;
    uint32_t state = __atomic_load_n(&pump->options.region->threads[i].state, __ATOMIC_ACQUIRE);
    bool ended =
        state == PROF_THREAD_ENDED || prof_processes_thread_is_gone(&pump->processes, channel->process, channel->tid);
    close_channel(pump, i, ended);
  }
  prof_sampling_finish(pump->options.sampling,
                       __atomic_load_n(&pump->options.region->control->unsampled, __ATOMIC_RELAXED));
}

static void check_limits(struct prof_pump *pump) {
  if (pump->closed)
    return;
  if (prof_writer_error(pump->options.writer, NULL) != PROF_OK)
    close_recording(pump, PROF_PUMP_WRITE_FAILED);
  else if (prof_size_limit_met(pump))
    close_recording(pump, PROF_PUMP_SIZE_LIMIT);
}

/* False: there is none to be made, the recording has ended. */
static bool make_room(struct prof_pump *pump) {
  check_limits(pump);
  return !pump->closed;
}

static uint64_t turn(struct prof_pump *pump, enum prof_channel_depth depth) {
  struct prof_region *region = pump->options.region;
  __atomic_fetch_add(&region->control->heartbeat, 1, __ATOMIC_RELEASE);
  pump->source.now_ns = prof_steady_ns();
  pump->waiting_forks = 0;
  catch_up(pump);
  check_limits(pump); /* names and tables of counts may leave no room for events */
  uint64_t passed = 0, unchecked = 0;
  uint32_t used = prof_region_records_used(region);
  for (uint32_t i = 0; i < used && !pump->closed; i++) {
    uint64_t more = serve(pump, i, depth);
    passed += more;
    unchecked += more;
    if (unchecked < PROF_SIZE_LIMIT_LOOK && !pump->room.exhausted)
      continue;
    check_limits(pump);
    unchecked = 0;
    if (!pump->closed)
      take_samples(pump, false); /* a turn of thousands of threads lasts longer than the kernel's buffers */
  }
  if (unchecked > 0 || pump->room.exhausted)
    check_limits(pump);
  if (pump->result.threads != pump->shared_threads)
    prof_budget_share(pump);
  if (!pump->closed)
    take_samples(pump, false);
  return passed;
}

static void reap(struct prof_pump *pump) {
  uint64_t old_ns = pump->source.now_ns < FLUSH_NS ? 0 : pump->source.now_ns - FLUSH_NS;
  prof_gpu_streams_reap(&pump->gpu, &pump->source, old_ns);
  uint32_t used = prof_region_records_used(pump->options.region);
  for (uint32_t i = 0; i < used && !pump->closed; i++) {
    struct prof_channel *channel = &pump->channels[i];
    uint64_t passed = 0;
    if (channel->number != 0 && prof_processes_thread_is_gone(&pump->processes, channel->process, channel->tid) &&
        read_rest(pump, i, &passed))
      close_channel(pump, i, true);
    else if (channel->number != 0) {
      prof_channel_flush_old(channel, &pump->source, i, old_ns);
      prof_budget_note(pump, i);
      prof_pump_write_light(pump, i, PROF_LIGHT_MANY);
    }
  }
}

static void warn(struct prof_pump *pump) {
  const double frequency = (double)pump->frequency_hz;
  struct prof_warn_figures most = {0};
  uint32_t used = prof_region_records_used(pump->options.region);
  if (pump->options.say == NULL || frequency <= 0)
    return;
  for (uint32_t i = 0; i < used; i++) {
    struct prof_matcher_figures figures;
    if (pump->channels[i].number == 0)
      continue;
    prof_matcher_figures(pump->channels[i].matcher, &figures);
    if (figures.events - figures.untimed < most.events || figures.last_ticks <= figures.first_ticks)
      continue;
    most.events = figures.events - figures.untimed;
    most.seconds = (double)(figures.last_ticks - figures.first_ticks) / frequency;
    most.stalled_seconds = (double)figures.stalled_ticks / frequency;
  }
  most.bytes = prof_writer_bytes(pump->options.writer);
  most.event_ns = prof_processes_event_cost(&pump->processes) / 1000.0 / frequency * 1e9;
  char text[512];
  if (prof_warn_next(&pump->warn, &most, text, sizeof text))
    pump->options.say(text);
}

static void keep_house(struct prof_pump *pump) {
  /* Who serves has no child to wait for and learns of the end by looking. */
  uint64_t pause_ns = pump->options.until_all_gone ? SLEEP_NS / 2 : HOUSEKEEPING_NS;
  if (pump->source.now_ns - pump->housekeeping_ns < pause_ns)
    return;
  pump->housekeeping_ns = pump->source.now_ns;
  uint32_t alive = prof_processes_poll(&pump->processes);
  if (!pump->closed) {
    if (pump->source.now_ns >= pump->clock_ns) {
      pump->frequency_hz = prof_clock_log_write(pump->options.clock, pump->options.writer);
      pump->clock_ns = pump->source.now_ns + (pump->source.now_ns - pump->started_ns);
      if (prof_count_table_bytes(&pump->counts) < pump->room.bytes) /* once more, besides the last time */
        prof_count_table_write(&pump->counts, pump->options.writer);
      prof_slices_write(&pump->slices, pump->options.writer, false);
      prof_sampling_describe(pump->options.sampling);
    }
    reap(pump);
    prof_budget_share(pump);
    warn(pump);
  }
  if (pump->options.until_all_gone && alive == 0) {
    prof_missing_look(pump);
    alive = prof_processes_poll(&pump->processes);
  }
  if (pump->options.until_all_gone && alive == 0 &&
      (pump->result.processes > 0 || pump->source.now_ns - pump->started_ns > pump->options.patience_ns))
    __atomic_store_n(&pump->finish, 1, __ATOMIC_RELEASE);
}

static void sleep_until_rung(struct prof_pump *pump) {
  struct prof_control *control = pump->options.region->control;
  const struct timespec most = {0, SLEEP_NS};
  uint32_t seen = __atomic_load_n(&control->bell, __ATOMIC_SEQ_CST);
  __atomic_store_n(&control->recorder_sleeps, 1, __ATOMIC_SEQ_CST);
  bool rung = turn(pump, PROF_CHANNEL_LEFT) > 0;
  if (!rung && !__atomic_load_n(&pump->finish, __ATOMIC_ACQUIRE))
    rung = syscall(SYS_futex, &control->bell, FUTEX_WAIT, seen, &most, NULL, 0) == 0 || errno == EAGAIN;
  __atomic_store_n(&control->recorder_sleeps, 0, __ATOMIC_SEQ_CST);
  if (!rung)
    turn(pump, PROF_CHANNEL_WHOLE);
}

/* The program has ended: reads what it left behind, and notifies processes that still run. */
static void finish(struct prof_pump *pump) {
  if (!pump->closed) {
    prof_processes_poll(&pump->processes);
    turn(pump, PROF_CHANNEL_WHOLE);
    /* Children of children, in whatever order their records stand. */
    for (int i = 0; i < FORK_TURNS && pump->waiting_forks > 0; i++)
      turn(pump, PROF_CHANNEL_WHOLE);
    pump->hurried = true;
    prof_region_close_recording(pump->options.region);
    turn(pump, PROF_CHANNEL_WHOLE);
  }
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region) && !pump->closed; i++) {
    uint64_t passed = 0;
    if (pump->channels[i].number != 0)
      (void)read_rest(pump, i, &passed);
  }
  if (!pump->closed)
    close_recording(pump,
                    __atomic_load_n(&pump->interrupted, __ATOMIC_ACQUIRE) ? PROF_PUMP_INTERRUPTED : PROF_PUMP_GOES_ON);
  prof_count_table_write(&pump->counts, pump->options.writer);
  prof_slices_write(&pump->slices, pump->options.writer, true);
  pump->result.slices = prof_slices_count(&pump->slices);
  prof_missing_count(pump);
  pump->result.modules = prof_modules_probed_count(&pump->modules);
  pump->result.event_cost = prof_processes_event_cost(&pump->processes);
  pump->result.line_cost = prof_count_table_line_cost(&pump->counts);
}

static void *run(void *context) {
  struct prof_pump *pump = context;
  while (!__atomic_load_n(&pump->finish, __ATOMIC_ACQUIRE)) {
    if (turn(pump, PROF_CHANNEL_LEFT) == 0)
      sleep_until_rung(pump);
    check_limits(pump);
    keep_house(pump);
  }
  finish(pump);
  return NULL;
}

static void release(struct prof_pump *pump) {
  prof_light_fini(&pump->light);
  prof_packer_free(pump->packer);
  prof_fork_stacks_free(pump->forks);
  free(pump->channels);
  free(pump->fork_waits_ns);
  prof_modules_fini(&pump->modules);
  prof_count_table_fini(&pump->counts);
  prof_slices_fini(&pump->slices);
  prof_processes_fini(&pump->processes);
}

prof_status prof_pump_start(struct prof_pump *pump, const struct prof_pump_options *options, struct prof_diag *diag) {
  *pump = (struct prof_pump){.options = *options, .modules = {.writer = options->writer, .next_function = 1}};
  pump->gpu.processes = &pump->processes;
  pump->slices.bounded = options->bounded;
  prof_sampling_begin(options->sampling, options->writer, &pump->modules, &pump->slices);
  pump->source = (struct prof_channel_source){.region = options->region,
                                              .writer = options->writer,
                                              .sampling = options->sampling,
                                              .room = &pump->room,
                                              .catch_up = catch_up,
                                              .executable = executable_of,
                                              .context = pump};
  pump->started_ns = pump->housekeeping_ns = prof_steady_ns();
  pump->clock_ns = pump->started_ns + CLOCK_NS;
  pump->packer = prof_packer_new(options->writer);
  pump->channels = calloc(options->region->thread_count, sizeof *pump->channels);
  pump->fork_waits_ns = calloc(options->region->thread_count, sizeof *pump->fork_waits_ns);
  pump->source.forks = pump->forks = prof_fork_stacks_new(FORK_STACK_BYTES);
  if (pump->packer == NULL || pump->channels == NULL || pump->fork_waits_ns == NULL || pump->forks == NULL) {
    release(pump);
    return prof_diag_memory(diag);
  }
  pump->room.bytes = UINT64_MAX;
  prof_budget_last_records(pump);
  prof_light_start(&pump->light, options->region, &options->sampling->perf, options->sampling->clock);
  (void)prof_size_limit_met(pump); /* the first room */
  /* Signals are for the session's thread. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&pump->thread, NULL, run, pump);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error != 0) {
    release(pump);
    return prof_diag_system(diag, error, NULL, "starting the thread that reads events",
                            "the program runs unrecorded; allow more threads (ulimit -u)");
  }
  return PROF_OK;
}

bool prof_pump_has_ended(const struct prof_pump *pump) {
  return __atomic_load_n(&pump->finish, __ATOMIC_ACQUIRE) != 0;
}

void prof_pump_interrupt(struct prof_pump *pump) {
  __atomic_store_n(&pump->interrupted, 1, __ATOMIC_RELEASE);
}

void prof_pump_finish(struct prof_pump *pump) {
  struct prof_control *control = pump->options.region->control;
  __atomic_store_n(&pump->finish, 1, __ATOMIC_RELEASE);
  __atomic_fetch_add(&control->bell, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &control->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(pump->thread, NULL);
  release(pump);
}
