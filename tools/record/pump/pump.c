/*
 * tools/record/pump/pump.c - see pump.h.
 *
 * A turn: heartbeat, log, then every ring.  Segments that threads have left are read at once.  A thread's current
 * segment is read after a sleep without a bell, so that the pump doesn't fetch cache lines that a busy thread is
 * writing.  Every HOUSEKEEPING_NS: ended processes, old waiting data, limits, warnings.
 *
 * Sleeping: the pump sets `recorder_sleeps`, reads the rings once more, then waits on `bell`.  A thread publishes its
 * segment before it reads `recorder_sleeps`, so one of the two sees the other.
 */
#include "record/pump/pump.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "record/parts/cut.h"
#include "record/pump/budget.h"
#include "record/pump/crew.h"
#include "record/pump/governing.h"
#include "record/pump/missing.h"
#include "record/pump/orders.h"
#include "record/pump/pump_log.h"
#include "record/pump/pump_rings.h"
#include "record/pump/reading.h"
#include "record/pump/size_limit.h"
#include "record/tables/named_table.h"

#define SLEEP_NS 50000000u  /* between two turns without a bell */
#define WRITING_NS 2000000u /* the same, while a program waits for a summary to be written */
#define HOUSEKEEPING_NS 200000000u
#define CLOCK_NS 1000000000u /* to the second CLOCK chunk; the interval doubles after each one */
#define FORK_STACK_BYTES (16u << 20)
#define WATCH_NS 1000000000u
#define WATCH_SNAPSHOTS 100u
#define FORK_TURNS 32 /* at the end, while threads wait for their fork's frames */
#define CLEAR_TURNS 8 /* before a cut, while the program clears */

static uint64_t turn(struct prof_pump *pump, enum prof_channel_depth depth) {
  struct prof_region *region = pump->options.region;
  __atomic_fetch_add(&region->control->heartbeat, 1, __ATOMIC_RELEASE);
  pump->source.now_ns = prof_steady_ns();
  uint64_t begin_ticks = pump->source.until_ticks ?: prof_governing_ticks(pump);
  pump->waiting_forks = 0;
  prof_pump_catch_up(pump);
  prof_pump_check_limits(pump); /* names and tables of counts may leave no room for events */
  uint64_t passed = pump->closed ? 0 : prof_crew_read(pump, depth), unchecked = passed;
  uint32_t used = prof_region_records_used(region);
  for (uint32_t i = 0; i < used && !pump->closed; i++) {
    uint64_t more = prof_pump_read_ring(pump, i, depth);
    passed += more;
    unchecked += more;
    if (unchecked < PROF_SIZE_LIMIT_LOOK && !pump->room.exhausted)
      continue;
    unchecked = 0;
    if (prof_pump_check_limits(pump))
      prof_pump_take_samples(pump, false); /* the kernel's buffers fill within a turn of thousands of threads */
  }
  if (unchecked > 0 || pump->room.exhausted)
    prof_pump_check_limits(pump);
  if (pump->result.threads != pump->shared_threads)
    prof_budget_share(pump);
  prof_governing_turn(pump, depth, begin_ticks);
  if (!pump->closed)
    prof_pump_take_samples(pump, false);
  return passed;
}

static void warn(struct prof_pump *pump) {
  const double frequency = (double)pump->frequency_hz;
  struct prof_warn_figures most = {0};
  uint32_t used = prof_region_records_used(pump->options.region);
  char text[512];
  if (pump->options.say == NULL || frequency <= 0)
    return;
  if (pump->clock_ns > pump->file_ns + CLOCK_NS && prof_kept_unmet(&pump->kept, text, sizeof text))
    pump->options.say(text);
  for (uint32_t i = 0; i < used; i++) {
    struct prof_matcher_figures figures;
    if (pump->channels[i].number == 0)
      continue;
    prof_matcher_figures(pump->channels[i].matcher, &figures);
    figures.events += figures.left_out;
    if (figures.events - figures.untimed < most.events || figures.last_ticks <= figures.first_ticks)
      continue;
    most.events = figures.events - figures.untimed;
    most.seconds = (double)(figures.last_ticks - figures.first_ticks) / frequency;
    most.stalled_seconds = (double)figures.stalled_ticks / frequency;
  }
  if (pump->options.parts == NULL || pump->options.parts->wish.mode == PROF_SERIES_STREAM) /* others stay in memory */
    most.bytes = prof_writer_bytes(pump->options.writer);
  most.has_budget = pump->governor.on;
  most.of_zones = !pump->warn.slow_said && prof_governor_is_of_zones(&pump->governor);
  most.event_ns = prof_processes_event_cost(&pump->processes) / 1000.0 / frequency * 1e9;
  if (prof_warn_next(&pump->warn, &most, text, sizeof text))
    pump->options.say(text);
}

static void keep_house(struct prof_pump *pump) {
  /* When serving there is no child to wait for: the end is found by polling. */
  uint64_t pause_ns = pump->options.until_all_gone ? SLEEP_NS / 2 : HOUSEKEEPING_NS;
  if (pump->source.now_ns - pump->housekeeping_ns < pause_ns)
    return;
  pump->housekeeping_ns = pump->source.now_ns;
  uint32_t alive = prof_processes_poll(&pump->processes);
  if (!pump->closed) {
    if (pump->source.now_ns >= pump->clock_ns) {
      pump->frequency_hz = prof_clock_log_write(pump->options.clock, pump->options.writer);
      prof_kept_clock(&pump->kept, pump->frequency_hz);
      pump->clock_ns = pump->source.now_ns + (pump->source.now_ns - pump->file_ns);
      if (prof_count_table_bytes(&pump->counts) < pump->room.bytes) /* once more, besides the last time */
        prof_count_table_write(&pump->counts, pump->options.writer);
      prof_slices_write(&pump->slices, pump->options.writer, false);
      prof_sampling_describe(pump->options.sampling);
    }
    prof_pump_close_gone(pump);
    prof_budget_share(pump);
    prof_governing_keep_house(pump);
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
  const struct timespec most = {0, pump->answers.waits ? WRITING_NS : SLEEP_NS};
  uint32_t seen = __atomic_load_n(&control->bell, __ATOMIC_SEQ_CST);
  __atomic_store_n(&control->recorder_sleeps, 1, __ATOMIC_SEQ_CST);
  bool rung = turn(pump, PROF_CHANNEL_LEFT) > 0;
  if (!rung && !__atomic_load_n(&pump->finish, __ATOMIC_ACQUIRE))
    rung = syscall(SYS_futex, &control->bell, FUTEX_WAIT, seen, &most, NULL, 0) == 0 || errno == EAGAIN;
  __atomic_store_n(&control->recorder_sleeps, 0, __ATOMIC_SEQ_CST);
  if (!rung)
    turn(pump, PROF_CHANNEL_WHOLE);
}

/*
 * Reads what is there, before a cut at the moment that it returns, in ticks.  Rings are read one after another, and may
 * be read long apart on a busy machine.  Later events stay in all of them: so what one thread did (freed memory, ended
 * its part of a region) never comes before what led to it in another.
 */
static uint64_t turn_before_cut(struct prof_pump *pump) {
  uint64_t ticks = prof_ticks_now(pump->options.clock->of);
  pump->samples_wait = true;
  pump->source.until_ticks = ticks;
  turn(pump, PROF_CHANNEL_WHOLE);
  pump->source.until_ticks = 0;
  pump->samples_wait = false;
  return ticks;
}

static uint64_t clear_asked(const struct prof_pump *pump) {
  return __atomic_load_n(&pump->options.region->control->clear, __ATOMIC_ACQUIRE);
}

/* Has the program called prof_clear since? */
static bool clear_waits(const struct prof_pump *pump) {
  const struct prof_series *parts = pump->options.parts;
  return clear_asked(pump) != pump->cleared && !pump->closed &&
         (parts == NULL || parts->wish.mode == PROF_SERIES_SUMMARY);
}

/* As turn_before_cut; a prof_clear that waits then is of before the cut, so that all since it is in one piece.  A
 * program that never ceases to ask is not waited for. */
static uint64_t turn_before_clear(struct prof_pump *pump) {
  uint64_t ticks = turn_before_cut(pump);
  for (int i = 0; i < CLEAR_TURNS && clear_waits(pump) && clear_asked(pump) > ticks; i++) {
    prof_cut_prepare(pump);
    ticks = turn_before_cut(pump);
  }
  return ticks;
}

/* The last prof_clear counts.  A time to come is damage. */
static void take_clear(struct prof_pump *pump, uint64_t ticks) {
  uint64_t asked = clear_asked(pump);
  pump->cleared = asked;
  pump->cleared_ns = pump->source.now_ns;
  prof_sampling_take_all(pump->options.sampling, pump->source.now_ns);
  if (!pump->closed)
    prof_cut_clear(pump, asked < ticks ? asked : ticks);
}

/* The recording goes on in the next file. */
static void cut(struct prof_pump *pump) {
  prof_cut_prepare(pump);
  if (pump->governor.on) /* windows are of the file of their time */
    prof_governor_hurry(&pump->governor);
  uint64_t ticks = turn_before_clear(pump);
  if (clear_waits(pump))
    take_clear(pump, ticks);
  prof_sampling_take_all(pump->options.sampling, pump->source.now_ns);
  prof_cut_make(pump, ticks);
}

static void clear_if_asked(struct prof_pump *pump, bool at_end) {
  if (!clear_waits(pump) || (!at_end && pump->source.now_ns - pump->cleared_ns < SLEEP_NS))
    return;
  if (pump->options.parts != NULL && !at_end)
    cut(pump);
  else
    take_clear(pump, turn_before_clear(pump));
}

static void read_machine(struct prof_pump *pump) {
  if (!pump->closed)
    prof_machine_turn(&pump->machine, &pump->processes, pump->options.writer, pump->source.now_ns,
                      prof_ticks_now(pump->options.clock->of));
}

/* The program has ended: reads the rest, and notifies processes that still run. */
static void finish(struct prof_pump *pump) {
  prof_answers_end(&pump->answers);
  if (!pump->closed) {
    prof_processes_poll(&pump->processes);
    turn(pump, PROF_CHANNEL_WHOLE);
    /* Children of children may have records in any order. */
    for (int i = 0; i < FORK_TURNS && pump->waiting_forks > 0; i++)
      turn(pump, PROF_CHANNEL_WHOLE);
    pump->hurried = true;
    prof_region_close_recording(pump->options.region);
    turn(pump, PROF_CHANNEL_WHOLE);
  }
  clear_if_asked(pump, true);
  pump->machine.next_ns = 0; /* so that a short program has two readings */
  read_machine(pump);
  prof_machine_flush(&pump->machine, pump->options.writer);
  for (uint32_t i = 0; i < prof_region_records_used(pump->options.region) && !pump->closed; i++) {
    uint64_t passed = 0;
    if (pump->channels[i].number != 0)
      (void)prof_pump_read_rest(pump, i, &passed);
  }
  if (!pump->closed)
    prof_pump_close(pump,
                    __atomic_load_n(&pump->interrupted, __ATOMIC_ACQUIRE) ? PROF_PUMP_INTERRUPTED : PROF_PUMP_GOES_ON);
  prof_count_table_write(&pump->counts, pump->options.writer);
  prof_slices_write(&pump->slices, pump->options.writer, true);
  pump->result.slices = prof_slices_count(&pump->slices);
  prof_missing_count(pump);
  prof_kept_unmet(&pump->kept, pump->result.unmet, sizeof pump->result.unmet);
  pump->result.modules = prof_modules_probed_count(&pump->modules);
  pump->result.event_cost = prof_processes_event_cost(&pump->processes);
  pump->result.line_cost = prof_count_table_line_cost(&pump->counts);
}

/* The program asked, or a watched call was slow: these are at least a second apart, and not more than a hundred. */
static void ask_for_snapshot(struct prof_pump *pump) {
  uint32_t asked = __atomic_load_n(&pump->options.region->control->snapshots, __ATOMIC_ACQUIRE);
  bool wanted = asked != pump->snapshots_asked;
  bool slow = pump->kept.watch.met != pump->watch_met;
  pump->snapshots_asked = asked;
  if (slow && pump->watch_snapshots < WATCH_SNAPSHOTS &&
      (pump->watch_snapshots == 0 || pump->source.now_ns - pump->watch_ns >= WATCH_NS)) {
    pump->watch_met = pump->kept.watch.met;
    pump->watch_ns = pump->source.now_ns;
    pump->watch_snapshots++;
    wanted = true;
  }
  if (wanted && pump->options.parts != NULL)
    prof_snapshots_ask(&pump->snapshots);
}

static void carry_out(struct prof_pump *pump) {
  uint64_t ticks = turn_before_cut(pump);
  prof_orders_carry_out(pump, ticks);
}

static void serve_reads(struct prof_pump *pump) {
  if (prof_reading_take(pump))
    prof_reading_flush(pump, turn_before_cut(pump));
  prof_reading_go_on(pump);
}

static void *run(void *context) {
  struct prof_pump *pump = context;
  while (!__atomic_load_n(&pump->finish, __ATOMIC_ACQUIRE)) {
    if (turn(pump, prof_governing_depth(pump)) == 0)
      sleep_until_rung(pump);
    prof_pump_check_limits(pump);
    keep_house(pump);
    clear_if_asked(pump, false);
    ask_for_snapshot(pump);
    serve_reads(pump);
    read_machine(pump);
    prof_cut_look_back(pump, pump->source.now_ns);
    if (prof_cut_is_due(pump, pump->source.now_ns))
      cut(pump);
    if (pump->options.parts != NULL)
      prof_series_trim(pump->options.parts, pump->options.writer);
    if (prof_orders_wait(pump))
      carry_out(pump);
  }
  finish(pump);
  return NULL;
}

static void release(struct prof_pump *pump) {
  prof_light_fini(&pump->light);
  prof_rates_fini(&pump->rates);
  prof_governor_fini(&pump->governor);
  prof_packer_free(pump->packer);
  prof_crew_fini(&pump->crew);
  prof_fork_stacks_free(pump->forks);
  free(pump->channels);
  free(pump->fork_waits_ns);
  prof_named_fini(&pump->modules);
  prof_modules_fini(&pump->modules);
  prof_kept_fini(&pump->kept);
  prof_quiet_fini(&pump->quiet);
  prof_count_table_fini(&pump->counts);
  prof_slices_fini(&pump->slices);
  prof_machine_fini(&pump->machine);
  prof_processes_fini(&pump->processes);
  prof_vec_fini(&pump->spared);
  prof_vec_fini(&pump->forgotten);
}

static const char *executable_of(void *context, uint32_t process) {
  return prof_processes_executable(&((struct prof_pump *)context)->processes, process);
}

/* Only where the recorder can switch text. */
static void begin_quiet(struct prof_pump *pump) {
  const struct prof_control *control = pump->options.region->control;
  if (pump->kept.on)
    prof_quiet_begin(&pump->quiet, pump->options.region->fd, control->texts_offset,
                     control->texts_offset + control->texts_bytes, prof_governing_others(pump));
  pump->kept.may_be_quiet = pump->quiet.on;
}

#define MEASURES (PROF_CONTROL_MEMORY | PROF_CONTROL_LOCKS | PROF_CONTROL_IO)

static void begin_summaries(struct prof_pump *pump, const struct prof_pump_options *options) {
  const struct prof_series_wish *wish = &options->parts->wish;
  pump->summaries = (struct prof_summaries){.every_ns = wish->every_ns ?: PROF_SERIES_EVERY_NS,
                                            .max_bytes = wish->memory_bytes ?: PROF_SERIES_MEMORY_BYTES,
                                            .wants_measures = options->region->control->flags & MEASURES,
                                            .base = options->base,
                                            .context = options->context};
}

prof_status prof_pump_start(struct prof_pump *pump, const struct prof_pump_options *options, struct prof_diag *diag) {
  *pump = (struct prof_pump){.options = *options, .modules = {.writer = options->writer, .next_function = 1}};
  pump->gpu.processes = &pump->processes;
  pump->slices.bounded = options->bounded;
  pump->machine = (struct prof_machine_watch){options->machine_ns, .root = "", .of = &options->clock->of};
  pump->snapshots = (struct prof_snapshots){.base = options->base, .say = options->say, .context = options->context};
  if (options->parts != NULL)
    begin_summaries(pump, options);
  prof_sampling_begin(options->sampling, options->writer, &pump->modules, &pump->slices);
  pump->source = (struct prof_channel_source){.region = options->region,
                                              .writer = options->writer,
                                              .sampling = options->sampling,
                                              .room = &pump->room,
                                              .catch_up = prof_pump_catch_up,
                                              .executable = executable_of,
                                              .context = pump};
  pump->started_ns = pump->file_ns = pump->housekeeping_ns = prof_steady_ns();
  pump->clock_ns = pump->started_ns + CLOCK_NS;
  pump->packer = prof_packer_new(options->writer);
  pump->channels = calloc(options->region->thread_count, sizeof *pump->channels);
  pump->fork_waits_ns = calloc(options->region->thread_count, sizeof *pump->fork_waits_ns);
  pump->source.forks = pump->forks = prof_fork_stacks_new(FORK_STACK_BYTES);
  bool kept = prof_kept_begin(&pump->kept, options->kept);
  prof_kept_clock(&pump->kept, prof_clock_log_frequency(options->clock));
  begin_quiet(pump);
  pump->modules.kept = &pump->kept;
  pump->slices.off = pump->kept.rules.off;
  pump->source.watch = &pump->kept.watch;
  pump->source.keep = pump->kept.on ? &pump->kept.rules : NULL;
  if (!kept || pump->packer == NULL || pump->channels == NULL || pump->fork_waits_ns == NULL || pump->forks == NULL) {
    release(pump);
    return prof_diag_memory(diag);
  }
  pump->room.bytes = UINT64_MAX;
  prof_budget_last_records(pump);
  if (options->budget <= 0 && !pump->kept.on) /* its estimates need every call */
    prof_light_start(&pump->light, options->region, &options->sampling->perf, options->sampling->clock);
  if (!prof_governing_start(pump)) {
    release(pump);
    return prof_diag_system(diag, EAGAIN, NULL, "starting the thread that opens windows",
                            "the program runs unrecorded; allow more threads (ulimit -u)");
  }
  (void)prof_size_limit_met(pump); /* sets the first room */
  /* The session's thread handles signals. */
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

void prof_pump_snapshot(struct prof_pump *pump) {
  if (pump->options.parts == NULL)
    return;
  prof_snapshots_ask(&pump->snapshots);
  prof_region_ring_bell(pump->options.region);
}

void prof_pump_look(struct prof_pump *pump) {
  prof_snapshots_ask_look(&pump->snapshots);
  prof_region_ring_bell(pump->options.region);
}

void prof_pump_saw_end(struct prof_pump *pump) {
  if (__atomic_load_n(&pump->finish_ticks, __ATOMIC_RELAXED) == 0)
    __atomic_store_n(&pump->finish_ticks, prof_ticks_now(pump->options.clock->of), __ATOMIC_RELEASE);
}

void prof_pump_finish(struct prof_pump *pump) {
  prof_pump_saw_end(pump);
  __atomic_store_n(&pump->finish, 1, __ATOMIC_RELEASE);
  prof_region_ring_bell(pump->options.region);
  pthread_join(pump->thread, NULL);
  release(pump);
}
