/*
 * test/unit/test_model_slices.c - light slices: samples in them belong to one of the events that share a time, by their
 * address if it tells, and calls that begin or end in them have no duration; against a stack walked here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "estimate/samples_fold.h"
#include "model_case.h"
#include "trace/write/write_samples.h"

enum { EVENTS = 24000, SAMPLES = 3000, DEPTH = 9, SPACING = 8, SLICE = 700, EVERY = 2500 };

static struct case_events events;
static struct prof_light_slice slices[EVENTS];
static size_t slice_count;
static struct prof_sample_record samples[SAMPLES];
static struct expected { /* by function */
  uint64_t calls, timed, min, max, sum;
} expected[CASE_FUNCTIONS];

static bool in_slice(uint64_t time) {
  for (size_t i = 0; i < slice_count; i++)
    if (slices[i].begin <= time && time < slices[i].end)
      return true;
  return false;
}

/* SLICE of EVERY events stand in slices, where only every SPACING-th has a time of its own. */
static void make_events(uint64_t seed) {
  uint32_t depth = 0;
  uint64_t stack[DEPTH] = {0};
  case_clear(&events);
  slice_count = 0;
  memset(expected, 0, sizeof expected);
  while (events.count < EVENTS || depth > 0) {
    size_t at = events.count % EVERY;
    bool light = at > 0 && at < SLICE, reads = !light || at % SPACING == 1;
    uint64_t step = 1 + case_random(&seed) % 40;
    events.cut_before[events.count] = case_random(&seed) % 600 == 7;
    if (depth == 0 || (depth < DEPTH && events.count < EVENTS && case_random(&seed) % 2)) {
      stack[depth] = case_random(&seed) % CASE_FUNCTIONS;
      case_enter(&events, reads ? step : 0, (uint32_t)stack[depth]);
      depth++;
    } else {
      case_exit(&events, reads ? step : 0, (uint32_t)stack[--depth]);
    }
    if (at == 1) /* a reading: the slice begins with it */
      slices[slice_count++] = (struct prof_light_slice){events.time, events.time + 1, SLICE - 1};
    if (light)
      slices[slice_count - 1].end = events.time + 1;
  }
}

/* Once all slices are known. */
static void expect(void) {
  uint32_t stack[DEPTH], depth = 0;
  uint64_t entries[DEPTH];
  for (size_t i = 0; i < events.count; i++) {
    const struct prof_event *event = &events.events[i];
    if (prof_event_kind(event->what) == PROF_EVENT_ENTRY) {
      stack[depth] = (prof_event_site(event->what) - 1) / 3;
      entries[depth++] = event->time;
      continue;
    }
    struct expected *of = &expected[stack[--depth]];
    uint64_t duration = event->time - entries[depth];
    of->calls++;
    of->sum += duration;
    if (in_slice(event->time) || in_slice(entries[depth]))
      continue;
    of->min = of->timed == 0 || duration < of->min ? duration : of->min;
    of->max = duration > of->max ? duration : of->max;
    of->timed++;
  }
}

static int by_time(const void *left, const void *right) {
  uint64_t a = ((const struct prof_sample_record *)left)->time, b = ((const struct prof_sample_record *)right)->time;
  return a < b ? -1 : a > b;
}

static void write_more(prof_writer *writer, void *context) {
  (void)context;
  struct prof_samples_record record = {PROF_SAMPLE_SAMPLES, 1, 1, 100, samples, SAMPLES};
  struct prof_sampler sampler = {
      .method = PROF_SAMPLER_PERF, .period_ns = 1000, .extra_period_ns = 100, .asked_hz = 1000, .reason = ""};
  assert_int_equal(prof_writer_light(writer, 1, SPACING, slices, slice_count), PROF_OK);
  assert_int_equal(prof_writer_samples(writer, &record), PROF_OK);
  assert_int_equal(prof_writer_sampler(writer, &sampler), PROF_OK);
}

/* Ordinary ones anywhere, others in slices and outside, all in the code of some function, or of none. */
static prof_trace *make_trace(struct trace_folder *folder) {
  uint64_t seed = 91;
  make_events(17);
  expect();
  for (uint32_t i = 0; i < SAMPLES; i++) {
    uint64_t time = events.events[case_random(&seed) % events.count].time + case_random(&seed) % 20;
    uint64_t function = case_random(&seed) % (CASE_FUNCTIONS + 2);
    samples[i] = (struct prof_sample_record){
        .time = time, .address = function < CASE_FUNCTIONS ? 0x1000 + 0x100 * function + 5 : 0x5000000};
    samples[i].flags = case_random(&seed) % 2 ? PROF_SAMPLE_EXTRA : 0;
  }
  qsort(samples, SAMPLES, sizeof *samples, by_time);
  case_write_with(folder, &events, 1, write_more, NULL);
  return case_open(folder);
}

static void compare(const struct prof_profile *profile) {
  uint64_t timed = 0, loose = 0;
  for (uint32_t f = 0; f < CASE_FUNCTIONS; f++) {
    const struct prof_function_figures *figures = &profile->functions[f];
    assert_int_equal(figures->calls, expected[f].calls);
    assert_int_equal(figures->sum_ticks, expected[f].sum);
    assert_int_equal(prof_histogram_count(profile->histograms, figures->durations), expected[f].timed);
    assert_int_equal(figures->min_ticks, expected[f].min);
    assert_int_equal(figures->max_ticks, expected[f].max);
    timed += expected[f].timed;
    loose += expected[f].calls - expected[f].timed;
  }
  assert_true(timed > EVENTS / 4 && loose > EVENTS / 10);
}

/* The fast way and the one with a filter that hides nothing, by function and by place, by one worker and by more. */
static void calls_in_slices_have_no_duration(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make_trace(&folder);
  struct prof_filter all, *filters[] = {NULL, &all};
  struct prof_filter_spec spec = {.depth = DEPTH + 1, .end_ns = UINT64_MAX};
  assert_int_equal(prof_filter_init(&all, trace, &spec, NULL), PROF_OK);
  assert_true(all.active);
  for (unsigned i = 0; i < 8; i++) {
    struct prof_profile *profile;
    struct prof_fold_options options = {.raw = true, .workers = i & 1 ? 3 : 1, .places = i & 2};
    assert_int_equal(prof_profile_fold(trace, filters[i / 4], &options, NULL, &profile), PROF_OK);
    compare(profile);
    prof_profile_free(profile);
  }
  prof_filter_fini(&all);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

struct moment { /* what the walk says: frames after each of the last events at the time of the last one */
  uint32_t functions[SPACING][DEPTH], depth[SPACING], count;
  bool cut; /* a chunk begins among them */
};

static void walk_to(uint64_t time, struct moment *out) {
  uint32_t stack[DEPTH], depth = 0;
  *out = (struct moment){0};
  for (size_t i = 0; i < events.count && events.events[i].time <= time; i++) {
    const struct prof_event *event = &events.events[i];
    if (prof_event_kind(event->what) == PROF_EVENT_ENTRY)
      stack[depth++] = (prof_event_site(event->what) - 1) / 3;
    else
      depth--;
    bool same = i > 0 && events.events[i - 1].time == event->time;
    out->cut = same && (out->cut || events.cut_before[i]);
    out->count = same ? out->count : 0;
    assert_true(out->count < SPACING);
    memcpy(out->functions[out->count], stack, depth * sizeof *stack);
    out->depth[out->count++] = depth;
  }
}

static bool is_path(const struct prof_profile *profile, uint32_t node, const uint32_t *functions, uint32_t depth) {
  const struct prof_node *nodes = profile->nodes;
  node = node == PROF_NONE ? 0 : node;
  for (; depth > 0; depth--) {
    if (node == 0 || nodes[node].parent == 0 || nodes[node].function != functions[depth - 1])
      return false;
    node = nodes[node].parent;
  }
  return node == 0 || nodes[node].parent == 0;
}

static void check_sample(const struct prof_profile *profile, const struct prof_sample *sample, uint32_t *by_address,
                         uint32_t *not_last) {
  struct moment moment;
  walk_to(sample->time, &moment);
  uint32_t function = sample->where == PROF_WHERE_PROBED ? (uint32_t)((sample->address - 0x1000) / 0x100) : PROF_NONE;
  uint32_t last = moment.count - 1;
  bool among = false, fits = false, fitting = false;
  for (uint32_t i = 0; i < moment.count; i++) {
    bool right = moment.depth[i] && moment.functions[i][moment.depth[i] - 1] == function,
         it = is_path(profile, sample->node, moment.functions[i], moment.depth[i]);
    fits |= right;
    among |= it;
    fitting |= it && right;
  }
  assert_true(among);
  if (!moment.cut)
    assert_int_equal(fitting, fits);
  *by_address += fitting;
  *not_last += !is_path(profile, sample->node, moment.functions[last], moment.depth[last]);
}

static void samples_belong_to_an_event_of_their_time(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace = make_trace(&folder);
  struct prof_filter all, *filters[] = {NULL, &all};
  struct prof_filter_spec spec = {.depth = DEPTH + 1, .end_ns = UINT64_MAX};
  assert_int_equal(prof_filter_init(&all, trace, &spec, NULL), PROF_OK);
  for (unsigned turn = 0; turn < 4; turn++) {
    struct prof_profile *profile;
    struct prof_samples *placed;
    struct prof_fold_options options = {.workers = turn + 1, .places = turn & 1};
    uint32_t by_address = 0, not_last = 0, extra = 0;
    assert_int_equal(prof_samples_fold(trace, filters[turn / 2], &options, NULL, &profile, &placed), PROF_OK);
    for (size_t i = 0; i < placed->count; i++) {
      check_sample(profile, &placed->items[i], &by_address, &not_last);
      extra += placed->items[i].flags & PROF_SAMPLED_EXTRA ? 1 : 0;
      assert_true(!(placed->items[i].flags & PROF_SAMPLED_EXTRA) || in_slice(placed->items[i].time));
    }
    assert_true(extra > 100 && by_address > 100 && not_last > 100);
    assert_int_equal(placed->ordinary + extra, placed->count);
    assert_int_equal(placed->where[PROF_WHERE_PROBED] + placed->where[PROF_WHERE_UNKNOWN], placed->ordinary);
    prof_samples_free(placed);
    prof_profile_free(profile);
  }
  prof_filter_fini(&all);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_in_slices_have_no_duration),
      cmocka_unit_test(samples_belong_to_an_event_of_their_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
