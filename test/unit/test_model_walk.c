/*
 * test/unit/test_model_walk.c - the walk against the slow reference: the same calls, each entered and left once, in
 * order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fold/walk.h"
#include "model_streams.h"

static struct reference calls; /* too large for a stack */

struct span { /* a call as it was shown */
  uint32_t thread, function, depth;
  uint64_t entry_ns, exit_ns, net_ns;
};

struct recorder {
  enum prof_walk_order order;
  uint64_t last_ns[CASE_MOST_THREADS], last_of_all_ns, lost, waited_ns[CASE_MOST_THREADS];
  struct span open[CASE_MOST_THREADS][REFERENCE_LEVELS]; /* net_ns: what the thread had waited before */
  size_t depth[CASE_MOST_THREADS];
  struct span *spans;
  size_t count, capacity, limit; /* limit: events after which to stop; 0 none */
  size_t events;
  size_t entered, left; /* not to go on */
  bool cuts;            /* a wait that began before all that is shown is in no line of time */
};

static bool visit(void *context, const struct prof_walk_event *event) {
  struct recorder *recorder = context;
  uint32_t thread = event->thread;
  assert_true(event->time_ns >= recorder->last_ns[thread]);
  recorder->last_ns[thread] = event->time_ns;
  if (recorder->order == PROF_WALK_BY_TIME) {
    assert_true(event->time_ns >= recorder->last_of_all_ns);
    recorder->last_of_all_ns = event->time_ns;
  }
  if (event->kind == PROF_WALK_ENTER) {
    assert_int_equal(event->depth, recorder->depth[thread]);
    recorder->entered += !event->goes_on;
    recorder->open[thread][recorder->depth[thread]++] = (struct span){.thread = thread,
                                                                      .function = event->function,
                                                                      .depth = event->depth,
                                                                      .entry_ns = event->time_ns,
                                                                      .net_ns = recorder->waited_ns[thread]};
  } else if (event->kind == PROF_WALK_LEAVE) {
    assert_true(recorder->depth[thread] > 0);
    struct span span = recorder->open[thread][--recorder->depth[thread]];
    assert_int_equal(event->depth, recorder->depth[thread]);
    assert_int_equal(event->function, span.function);
    uint64_t waited = recorder->waited_ns[thread] - span.net_ns;
    assert_true(event->piece_ns + waited <= event->time_ns - span.entry_ns);
    if (!recorder->cuts)
      assert_int_equal(event->piece_ns, event->time_ns - span.entry_ns - waited);
    recorder->left += !event->goes_on;
    span.exit_ns = event->time_ns;
    span.net_ns = event->duration_ns;
    recorder->spans[recorder->count++] = span;
  } else if (event->kind == PROF_WALK_WAIT) {
    assert_true(recorder->depth[thread] > 0 && event->duration_ns > 0);
    recorder->waited_ns[thread] += event->duration_ns;
    recorder->last_ns[thread] += event->duration_ns; /* nothing lies in it */
  } else {
    recorder->lost += event->lost;
  }
  return ++recorder->events != recorder->limit;
}

static int by_all(const void *a, const void *b) {
  return memcmp(a, b, sizeof(struct span));
}

/* What the reference says must be shown. */
static size_t expected_spans(const struct prof_filter *filter, struct span *spans) {
  size_t count = 0;
  for (uint32_t i = 0; i < calls.piece_count; i++) {
    const struct reference_piece *piece = &calls.pieces[i];
    const struct reference_call *call = &calls.calls[piece->call];
    uint32_t path[REFERENCE_LEVELS * 64];
    size_t length;
    if (reference_age(&calls, call, filter, piece->end) < filter->min_ticks ||
        !reference_shown(&calls, i, filter, path, &length))
      continue;
    uint64_t begin = piece->begin > filter->begin_ticks ? piece->begin : filter->begin_ticks;
    uint64_t end = piece->end < filter->end_ticks ? piece->end : filter->end_ticks;
    spans[count++] = (struct span){.thread = call->thread,
                                   .function = call->function,
                                   .depth = (uint32_t)length - 1,
                                   .entry_ns = begin - CASE_START,
                                   .exit_ns = end - CASE_START,
                                   .net_ns = reference_age(&calls, call, filter, piece->end)};
  }
  return count;
}

static void check(const prof_trace *trace, const struct prof_filter *filter) {
  struct reference_result result;
  reference_make(trace, filter, &calls, &result);
  reference_free(&result);
  struct span *expected = calloc(calls.piece_count + 1, sizeof *expected);
  size_t count = expected_spans(filter, expected);
  qsort(expected, count, sizeof *expected, by_all);
  for (int order = PROF_WALK_BY_THREAD; order <= PROF_WALK_BY_TIME; order++) {
    struct recorder recorder = {.order = (enum prof_walk_order)order, .cuts = filter->begin_ticks > 0};
    recorder.spans = calloc(calls.piece_count + 1, sizeof *recorder.spans);
    prof_status status = prof_walk(trace, filter, recorder.order, visit, &recorder, NULL);
    assert_int_equal(status, recorder.events ? PROF_OK : PROF_EMPTY);
    assert_int_equal(recorder.count, count);
    assert_int_equal(recorder.entered, recorder.left);
    qsort(recorder.spans, count, sizeof *recorder.spans, by_all);
    assert_memory_equal(recorder.spans, expected, count * sizeof *expected);
    if (filter->begin_ticks == 0 && filter->end_ticks == UINT64_MAX)
      assert_int_equal(recorder.lost, calls.lost);
    free(recorder.spans);
  }
  free(expected);
}

static void check_folder(const struct trace_folder *folder, const struct prof_filter_spec *spec) {
  prof_trace *trace = case_open(folder);
  struct prof_filter filter;
  struct prof_diag diag;
  assert_int_equal(prof_filter_init(&filter, trace, spec, &diag), PROF_OK);
  check(trace, &filter);
  prof_filter_fini(&filter);
  prof_trace_close(trace);
}

static void random_range(struct prof_filter_spec *spec, uint64_t *seed) {
  uint64_t length = threads[0].time - CASE_START + 100;
  spec->begin_ns = case_random(seed) % length;
  spec->end_ns = spec->begin_ns + 1 + case_random(seed) % length;
}

static void random_filters(void **state) {
  (void)state;
  static const char *const names[] = {"f0", "f1", "f[23]", "f4", "f?", "f1?", "*5", "f6", "f7"};
  for (uint64_t round = 0; round < rounds_of(300); round++) {
    uint64_t seed = seed_of(round + 5000);
    struct trace_folder folder;
    case_write(&folder, threads, random_threads(&seed));
    struct prof_filter_spec spec = {.end_ns = UINT64_MAX};
    spec.only = &names[case_random(&seed) % 8];
    spec.only_count = case_random(&seed) % 3 == 0;
    spec.without = &names[case_random(&seed) % 4];
    spec.without_count = case_random(&seed) % 3 == 0;
    spec.callers = &names[case_random(&seed) % 8];
    spec.caller_count = case_random(&seed) % 3 == 0 && !case_zones; /* too many may be shown */
    spec.depth = case_random(&seed) % 3 ? 0 : 1 + (uint32_t)(case_random(&seed) % 6);
    spec.min_ns = case_random(&seed) % 2 ? 0 : case_random(&seed) % 200;
    if (case_random(&seed) % 3 == 0)
      random_range(&spec, &seed);
    check_folder(&folder, &spec);
    trace_folder_remove(&folder);
  }
}

static void ranges_in_wait(void **state) {
  (void)state;
  check_ranges_in_wait(check_folder);
}

/* A gap in a call that is too short to be shown, behind waits there: they aren't shown, the gap is. */
static void gap_behind_waits(void **state) {
  (void)state;
  struct trace_folder folder;
  case_clear(&threads[0]);
  case_enter(&threads[0], 10, 1);
  for (int i = 0; i < 8; i++) {
    case_add(&threads[0], 1, PROF_EVENT_STALL_BEGIN, 0, 0);
    case_add(&threads[0], 400, PROF_EVENT_STALL_END, 0, 0);
  }
  case_add(&threads[0], 10, PROF_EVENT_GAP, 0, 7);
  case_exit(&threads[0], 10, 1);
  case_write(&folder, threads, 1);
  check_folder(&folder, &(struct prof_filter_spec){.end_ns = UINT64_MAX, .min_ns = 100});
  trace_folder_remove(&folder);
}

static void holes(void **state) {
  (void)state;
  for (uint64_t round = 0; round < rounds_of(150); round++) {
    uint64_t seed = seed_of(round + 6000);
    struct trace_folder folder;
    size_t count;
    case_write(&folder, threads, random_threads(&seed));
    prof_trace *trace = case_open(&folder);
    prof_trace_chunks(trace, &count);
    prof_trace_close(trace);
    case_damage(&folder, case_random(&seed) % count, case_random(&seed) % 2);
    static const char *const names[] = {"f4"};
    struct prof_filter_spec spec = {
        .end_ns = UINT64_MAX, .callers = names, .caller_count = round % 3 == 0 && !case_zones};
    if (round % 2)
      random_range(&spec, &seed);
    check_folder(&folder, &spec);
    trace_folder_remove(&folder);
  }
}

/* The visitor says stop: that is no error, and it hears no more. */
static void stopped_early(void **state) {
  (void)state;
  uint64_t seed = seed_of(7000);
  struct trace_folder folder;
  case_write(&folder, threads, random_threads(&seed));
  prof_trace *trace = case_open(&folder);
  for (int order = PROF_WALK_BY_THREAD; order <= PROF_WALK_BY_TIME; order++) {
    struct recorder recorder = {.order = (enum prof_walk_order)order, .limit = 10};
    recorder.spans = calloc(11, sizeof *recorder.spans);
    assert_int_equal(prof_walk(trace, NULL, recorder.order, visit, &recorder, NULL), PROF_OK);
    assert_int_equal(recorder.events, 10);
    free(recorder.spans);
  }
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* The same with functions that are left around zones, and zones that are left around functions. */
static void zones_apart(void **state) {
  case_zones = 4;
  random_filters(state);
  holes(state);
  case_zones = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_filters), cmocka_unit_test(ranges_in_wait), cmocka_unit_test(gap_behind_waits),
      cmocka_unit_test(holes),          cmocka_unit_test(zones_apart),    cmocka_unit_test(stopped_early),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
