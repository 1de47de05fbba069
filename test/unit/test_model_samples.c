/*
 * test/unit/test_model_samples.c - every sample and pause gets the frames that were open at its time: against a stack
 * walked here, in many chunks, with waits, landings, long silences, filters and any number of workers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/samples_fold.h"
#include "estimate/spin_waits.h"
#include "model_case.h"
#include "trace/write/write_samples.h"

enum { THREADS = 3, EVENTS = 20000, SAMPLES = 1500, DEPTH = 30, ERROR = 3 };

static struct case_events threads[THREADS];

struct expected { /* what the walk below says of a moment */
  uint32_t functions[DEPTH], depth;
  bool stalled, near;
};

struct case_samples {
  struct prof_sample_record samples[SAMPLES], switches[SAMPLES];
  struct expected expected[SAMPLES], paused[SAMPLES];
};
static struct case_samples cases[THREADS];

/* Calls and returns, sometimes a wait, a landing, or a silence longer than a delta can tell. */
static void make_events(struct case_events *events, uint64_t seed) {
  uint32_t stack[DEPTH], depth = 0;
  case_clear(events);
  while (events->count < EVENTS) {
    uint64_t dice = case_random(&seed) % 1000, step = 1 + case_random(&seed) % 40;
    events->cut_before[events->count] = dice % 300 == 7;
    if (dice == 1) {
      case_add(events, step, PROF_EVENT_STALL_BEGIN, 0, 0);
      case_add(events, 500, PROF_EVENT_STALL_END, 0, 0);
    } else if (dice == 2) {
      case_enter(events, 6000000000ull, stack[depth++] = (uint32_t)(dice % CASE_FUNCTIONS));
      case_exit(events, 1, stack[--depth]);
    } else if (dice < 6 && depth > 3) {
      uint32_t target = stack[depth - 3]; /* the innermost frame of that function */
      while (stack[depth - 1] != target)
        depth--;
      case_land(events, step, target);
    } else if ((dice & 1 || depth == 0) && depth < DEPTH - 1) {
      case_enter(events, step, stack[depth] = (uint32_t)(depth % 5 + dice % 7));
      depth++;
    } else {
      case_exit(events, step, stack[--depth]);
    }
  }
}

/* The frames after the last event at or before `time`. */
static void walk_to(const struct case_events *events, uint64_t time, struct expected *out) {
  uint64_t before = 0;
  size_t i = 0;
  *out = (struct expected){0};
  for (; i < events->count && events->events[i].time <= time; i++) {
    const struct prof_event *event = &events->events[i];
    uint32_t kind = prof_event_kind(event->what), function = (prof_event_site(event->what) - 1) / 3;
    if (kind == PROF_EVENT_ENTRY)
      out->functions[out->depth++] = function;
    else if (kind == PROF_EVENT_EXIT)
      out->depth--;
    else if (kind == PROF_EVENT_LANDED)
      while (out->functions[out->depth - 1] != function)
        out->depth--;
    out->stalled = kind == PROF_EVENT_STALL_BEGIN || (out->stalled && kind != PROF_EVENT_STALL_END);
    before = event->time;
  }
  out->near = (before > 0 && time - before <= ERROR) || (i < events->count && events->events[i].time - time <= ERROR);
}

static int by_time(const void *left, const void *right) {
  uint64_t a = ((const struct prof_sample_record *)left)->time, b = ((const struct prof_sample_record *)right)->time;
  return a < b ? -1 : a > b;
}

/* At events, beside them, before the first and after the last; twice at the same time, too. */
static void make_samples(uint32_t thread, uint64_t seed) {
  struct case_samples *made = &cases[thread];
  const struct case_events *events = &threads[thread];
  for (uint32_t i = 0; i < SAMPLES; i++) {
    uint64_t time = events->events[case_random(&seed) % events->count].time + case_random(&seed) % 30;
    time = i == 0 ? CASE_START - 500 : i == 1 ? events->time + 900 : time;
    made->samples[i] = (struct prof_sample_record){.time = time, .address = 0x1000 + case_random(&seed) % 0x1000};
  }
  made->samples[7].flags = PROF_SAMPLE_KERNEL;
  made->samples[8].flags = PROF_SAMPLE_PROBE;
  made->samples[9].address = 0x5000000;
  made->samples[0].address = 0x5000000; /* of no file, and before the process began to record: calibration */
  qsort(made->samples, SAMPLES, sizeof *made->samples, by_time);
  for (uint32_t i = 0; i < SAMPLES; i++) {
    walk_to(events, made->samples[i].time, &made->expected[i]);
    /* A switch at each sample's time: off, on, off, on ... */
    uint8_t off = i % 4 ? PROF_SWITCH_WAITS : PROF_SWITCH_PREEMPTED;
    made->switches[i] =
        (struct prof_sample_record){.time = made->samples[i].time + i, .flags = i % 2 ? PROF_SWITCH_ON : off};
    walk_to(events, made->switches[i].time, &made->paused[i]);
  }
}

static void write_samples(prof_writer *writer, void *context) {
  (void)context;
  for (uint32_t thread = 0; thread < THREADS; thread++) {
    struct prof_samples_record samples = {PROF_SAMPLE_SAMPLES, thread + 1, 1, 100 + thread, NULL, SAMPLES / 2};
    struct prof_samples_record switches = {PROF_SAMPLE_SWITCHES,   thread + 1, 1, 100 + thread,
                                           cases[thread].switches, SAMPLES};
    samples.records = cases[thread].samples + SAMPLES / 2; /* the later half first: their order is free */
    assert_int_equal(prof_writer_samples(writer, &samples), PROF_OK);
    samples.records = cases[thread].samples;
    assert_int_equal(prof_writer_samples(writer, &samples), PROF_OK);
    assert_int_equal(prof_writer_samples(writer, &switches), PROF_OK);
  }
  struct prof_samples_record beside = {PROF_SAMPLE_SAMPLES, 0, 1, 900, cases[0].samples, 3};
  assert_int_equal(prof_writer_samples(writer, &beside), PROF_OK);
  struct prof_sampler sampler = {.method = PROF_SAMPLER_PERF,
                                 .asked_hz = 1000,
                                 .period_ns = 1000000,
                                 .switches = true,
                                 .error_ticks = ERROR,
                                 .reason = ""};
  assert_int_equal(prof_writer_sampler(writer, &sampler), PROF_OK);
}

static prof_trace *make_trace(struct trace_folder *folder) {
  for (uint32_t thread = 0; thread < THREADS; thread++) {
    make_events(&threads[thread], 77 + thread);
    make_samples(thread, 4711 + thread);
  }
  case_write_with(folder, threads, THREADS, write_samples, NULL);
  return case_open(folder);
}

/* The path of a node is that of the walk; shown: the functions that the filter shows, NULL: all. */
static void check_path(const struct prof_profile *profile, uint32_t node, const struct expected *expected,
                       const uint8_t *hidden) {
  const struct prof_node *nodes = profile->nodes;
  if (node == PROF_NONE)
    node = 0;
  for (uint32_t depth = expected->depth; depth > 0; depth--) {
    if (hidden && hidden[expected->functions[depth - 1]])
      continue;
    assert_int_not_equal(node, 0);
    assert_int_equal(nodes[node].function, expected->functions[depth - 1]);
    node = nodes[node].parent;
  }
  assert_true(node == 0 || nodes[node].parent == 0);
}

static const struct prof_sample *check_samples(const struct prof_profile *profile, const struct prof_samples *samples,
                                               const uint8_t *hidden) {
  const struct prof_sample *sample = samples->items;
  for (uint32_t thread = 0; thread < THREADS; thread++)
    for (uint32_t i = 0; i < SAMPLES; i++, sample++) {
      const struct expected *expected = &cases[thread].expected[i];
      assert_int_equal(sample->thread, thread);
      assert_int_equal(sample->tid, 100 + thread);
      assert_int_equal(sample->time, cases[thread].samples[i].time);
      check_path(profile, sample->node, expected, hidden);
      if (cases[thread].samples[i].address == 0x5000000)
        assert_int_equal(sample->where, sample->time < CASE_START ? PROF_WHERE_PROFILER : PROF_WHERE_UNKNOWN);
      assert_int_equal(!!(sample->flags & PROF_SAMPLED_STALLED), expected->stalled);
      assert_int_equal(!!(sample->flags & PROF_SAMPLED_AMBIGUOUS), expected->near);
    }
  return sample;
}

static void samples_lie_in_their_frames(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make_trace(&folder);
  for (unsigned workers = 1; workers < 6; workers += 2) {
    struct prof_profile *profile;
    struct prof_samples *samples;
    struct prof_fold_options options = {.workers = workers, .places = workers == 3};
    assert_int_equal(prof_samples_fold(trace, NULL, &options, NULL, &profile, &samples), PROF_OK);
    assert_int_equal(samples->count, THREADS * SAMPLES + 3);
    const struct prof_sample *beside = check_samples(profile, samples, NULL);
    assert_int_equal(beside->tid, 900);
    assert_int_equal(beside->thread, PROF_NONE);
    assert_int_equal(beside->node, PROF_NONE);
    assert_int_equal(samples->where[PROF_WHERE_KERNEL] + samples->where[PROF_WHERE_PROFILER] +
                         samples->where[PROF_WHERE_UNKNOWN] + samples->where[PROF_WHERE_PROBED],
                     samples->count);
    assert_true(samples->where[PROF_WHERE_KERNEL] >= THREADS && samples->where[PROF_WHERE_UNKNOWN] >= THREADS);
    assert_true(samples->ambiguous > SAMPLES / 10 && samples->ambiguous < THREADS * SAMPLES);
    assert_true(samples->ticks_each == 1e6);
    prof_samples_free(samples);
    prof_profile_free(profile);
  }
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* Of a pause: up to the next event, as no call's time goes on after the last one. */
static uint64_t counted_of(const struct case_events *events, const struct prof_pause *pause) {
  size_t i = 0;
  while (i < events->count && events->events[i].time <= pause->begin)
    i++;
  uint64_t end = i == events->count ? pause->begin : events->events[i].time;
  return (pause->end < end ? pause->end : end) - pause->begin;
}

/* running + waiting + preempted = the time of each node; with what the probes cost, that as measured. */
static void check_parts(const prof_trace *trace, const struct prof_filter *filter, const struct prof_profile *profile) {
  struct prof_fold_options options = {.workers = 1, .raw = true};
  struct prof_profile *raw;
  struct prof_samples *samples;
  assert_int_equal(prof_samples_fold(trace, filter, &options, NULL, &raw, &samples), PROF_OK);
  assert_int_equal(raw->node_count, profile->node_count);
  uint64_t waiting = 0, preempted = 0;
  for (uint32_t i = 0; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    assert_true(node->off.waiting + node->off.preempted <= node->total_ticks);
    assert_true(node->self_off.waiting + node->self_off.preempted <= node->self_ticks);
    assert_int_equal(node->off.waiting, raw->nodes[i].off.waiting);
    assert_int_equal(node->off.preempted, raw->nodes[i].off.preempted);
    assert_int_equal(node->total_ticks + node->taken_ticks, i > 0 ? raw->nodes[i].total_ticks : node->total_ticks);
    waiting += node->self_off.waiting;
    preempted += node->self_off.preempted;
  }
  assert_int_equal(profile->coverage.thread_ticks + profile->coverage.taken_ticks, raw->coverage.thread_ticks);
  assert_int_equal(profile->coverage.off.waiting, waiting);
  assert_int_equal(profile->coverage.off.preempted, preempted);
  assert_true(waiting > 0 && preempted > 0);
  prof_samples_free(samples);
  prof_profile_free(raw);
}

static void pauses_lie_in_their_frames(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make_trace(&folder);
  struct prof_profile *profile;
  struct prof_samples *samples;
  struct prof_fold_options options = {.workers = 2};
  assert_int_equal(prof_samples_fold(trace, NULL, &options, NULL, &profile, &samples), PROF_OK);
  assert_true(samples->has_pauses);
  assert_int_equal(samples->pause_count, THREADS * SAMPLES / 2);
  struct prof_off_ticks expected[CASE_FUNCTIONS] = {0};
  for (uint32_t i = 0; i < samples->pause_count; i++) {
    const struct prof_pause *pause = &samples->pauses[i];
    const struct case_samples *made = &cases[i / (SAMPLES / 2)];
    uint32_t at = i % (SAMPLES / 2) * 2;
    assert_int_equal(pause->thread, i / (SAMPLES / 2));
    assert_int_equal(pause->begin, made->switches[at].time);
    assert_int_equal(pause->end, made->switches[at + 1].time);
    assert_int_equal(pause->waits, at % 4 != 0);
    assert_int_equal(pause->stalled, made->paused[at].stalled);
    check_path(profile, pause->node, &made->paused[at], NULL);
    if (pause->stalled || made->paused[at].depth == 0)
      continue;
    uint64_t counted = counted_of(&threads[pause->thread], pause);
    struct prof_off_ticks *off = &expected[made->paused[at].functions[made->paused[at].depth - 1]];
    *(pause->waits ? &off->waiting : &off->preempted) += counted;
  }
  for (uint32_t i = 0; i < CASE_FUNCTIONS; i++) {
    assert_int_equal(profile->functions[i].self_off.waiting, expected[i].waiting);
    assert_int_equal(profile->functions[i].self_off.preempted, expected[i].preempted);
  }
  check_parts(trace, NULL, profile);
  prof_samples_free(samples);
  prof_profile_free(profile);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* What a filter hides is its caller's own; other threads and times are left out. */
static void filters_hold_for_samples(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make_trace(&folder);
  struct prof_profile *profile;
  struct prof_samples *samples;
  struct prof_filter filter;
  const char *const without[] = {"f9"};
  uint32_t tid = 101;
  uint64_t begin = threads[1].events[EVENTS / 3].time, end = threads[1].events[EVENTS / 2].time;
  struct prof_filter_spec spec = {.tids = &tid,
                                  .tid_count = 1,
                                  .depth = 3,
                                  .begin_ns = begin - CASE_START,
                                  .end_ns = end - CASE_START,
                                  .without = without,
                                  .without_count = 1};
  struct prof_fold_options options = {.workers = 2};
  assert_int_equal(prof_filter_init(&filter, trace, &spec, NULL), PROF_OK);
  assert_int_equal(prof_samples_fold(trace, &filter, &options, NULL, &profile, &samples), PROF_OK);
  uint32_t at = 0, seen = 0;
  for (uint32_t i = 0; i < SAMPLES; i++) {
    uint64_t time = cases[1].samples[i].time;
    if (time < begin || time >= end)
      continue;
    struct expected expected = cases[1].expected[i];
    for (uint32_t depth = 0; depth < expected.depth; depth++)
      if (expected.functions[depth] == 9)
        expected.depth = depth;
    expected.depth = expected.depth < 3 ? expected.depth : 3;
    assert_int_equal(samples->items[at].time, time);
    check_path(profile, samples->items[at].node, &expected, NULL);
    seen += expected.depth > 0;
    at++;
  }
  assert_int_equal(at, samples->count);
  assert_true(seen > 100);
  for (size_t i = 0; i < samples->pause_count; i++)
    assert_true(samples->pauses[i].begin >= begin && samples->pauses[i].end <= end && samples->pauses[i].thread == 1);
  check_parts(trace, &filter, profile);
  prof_filter_fini(&filter);
  prof_samples_free(samples);
  prof_profile_free(profile);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* In a hole nobody knows where a thread was; beside it everybody does. */
static void holes_leave_samples_alone(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make_trace(&folder);
  size_t count;
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, &count);
  struct prof_chunk_ref lost = refs[5], after = refs[6];
  assert_true(lost.thread == 0 && after.thread == 0);
  prof_trace_close(trace);
  for (int header = 0; header < 2; header++) {
    case_damage(&folder, 5, header);
    trace = case_open(&folder);
    struct prof_profile *profile;
    struct prof_samples *samples;
    struct prof_fold_options options = {.workers = 2};
    assert_int_equal(prof_samples_fold(trace, NULL, &options, NULL, &profile, &samples), PROF_OK);
    uint32_t inside = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
      uint64_t time = samples->items[i].time;
      if (time > lost.first_time && time < after.first_time) {
        assert_int_equal(samples->items[i].node, PROF_NONE);
        inside++;
      } else if (time < lost.first_time - 1000 || time >= after.first_time) {
        check_path(profile, samples->items[i].node, &cases[0].expected[i], NULL);
      }
    }
    assert_true(inside > 0);
    prof_samples_free(samples);
    prof_profile_free(profile);
    prof_trace_close(trace);
    trace_folder_remove(&folder);
    trace = make_trace(&folder);
    prof_trace_close(trace);
  }
  trace_folder_remove(&folder);
}

static void runtimes_that_spin(void **state) {
  static const struct {
    const char *path;
    bool spins;
  } rows[] = {
      {"/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0", true},
      {"numpy.libs/libgomp-a34b3233.so.1.0.0", true},
      {"/usr/lib/llvm-14/lib/libomp.so.5", true},
      {"/usr/lib/llvm-14/lib/libomp-14.so.5", true},
      {"libomp5.so", true},
      {"/opt/intel/libiomp5.so", true},
      {"/usr/lib/libomptarget.so", false},
      {"/usr/lib/libgompertz.so.1", false},
      {"/srv/libgomp.so/app", false},
      {"/bin/libgomp", false},
      {"", false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(prof_spin_is_runtime(rows[i].path), rows[i].spins);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runtimes_that_spin),         cmocka_unit_test(samples_lie_in_their_frames),
      cmocka_unit_test(pauses_lie_in_their_frames), cmocka_unit_test(filters_hold_for_samples),
      cmocka_unit_test(holes_leave_samples_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
