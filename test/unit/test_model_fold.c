/*
 * test/unit/test_model_fold.c - the fold against a slow reference, on random streams cut, damaged and filtered at
 * random.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/samples_fold.h"
#include "fold/whole.h"
#include "model_case.h"
#include "model_reference.h"
#include "model_streams.h"

static struct reference calls; /* too large for a stack */
static uint64_t folded_paths, around;

/* ---- comparing ---- */

static void compare_nodes(const struct prof_profile *profile, struct reference_result *expected) {
  size_t met = 0;
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    assert_true(node->parent < i);
    if (node->parent == 0)
      continue;
    uint32_t path[REFERENCE_LEVELS];
    size_t length = 0;
    for (uint32_t at = i; profile->nodes[at].parent != 0; at = profile->nodes[at].parent)
      length++;
    size_t fill = length;
    for (uint32_t at = i; fill > 0; at = profile->nodes[at].parent)
      path[--fill] = profile->nodes[at].function;
    struct reference_node *other = reference_node(expected, node->thread, path, length);
    assert_int_equal(node->calls, other->calls);
    assert_int_equal(node->total_ticks, other->total);
    other->calls = other->total = 0; /* met */
    met++;
  }
  assert_int_equal(met, expected->node_count);
}

static int by_number(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

static void compare_quantiles(const struct prof_profile *profile, const struct prof_function_figures *figures,
                              uint64_t *durations, size_t count) {
  static const double q[] = {0, 0.1, 0.5, 0.95, 0.99, 1};
  uint64_t values[6];
  assert_int_equal(prof_histogram_count(profile->histograms, figures->durations), count);
  qsort(durations, count, sizeof *durations, by_number);
  prof_histogram_quantiles(profile->histograms, figures->durations, q, 6, values);
  for (int i = 0; i < 6; i++) {
    size_t rank = (size_t)(q[i] * (double)count);
    rank += (double)rank < q[i] * (double)count;
    double exact = (double)durations[rank ? rank - 1 : 0], off = (double)values[i] - exact;
    assert_true((off < 0 ? -off : off) <= 0.02 * exact);
  }
}

static void compare(const struct prof_profile *profile, struct reference_result *expected) {
  compare_nodes(profile, expected);
  assert_int_equal(profile->function_count, CASE_FUNCTIONS + 1);
  for (size_t i = 0; i <= CASE_FUNCTIONS; i++) {
    const struct prof_function_figures *figures = &profile->functions[i];
    const struct reference_figures *other = &expected->functions[i];
    assert_int_equal(figures->calls, other->calls);
    assert_int_equal(figures->total_ticks, other->total);
    assert_int_equal(figures->self_ticks, other->self);
    if (expected->duration_count[i] == 0)
      continue;
    if (other->calls > 0) { /* else they were counted before a hole */
      const struct prof_call_times times = prof_call_times_of(other->min, other->max, other->sum, other->calls);
      assert_int_equal(figures->min_ticks, times.min);
      assert_int_equal(figures->max_ticks, times.max);
    }
    compare_quantiles(profile, figures, expected->durations[i], expected->duration_count[i]);
  }
}

/* The same calls told apart by place: the same figures, more nodes, and a place for each. */
static void check_places(const prof_trace *trace, const struct prof_filter *filter, const struct prof_profile *plain) {
  struct prof_profile *one, *three;
  struct prof_fold_options options = {.workers = 1, .places = true};
  assert_int_equal(prof_profile_fold(trace, filter, &options, NULL, &one), PROF_OK);
  options.workers = 3;
  assert_int_equal(prof_profile_fold(trace, filter, &options, NULL, &three), PROF_OK);
  assert_true(one->node_count >= plain->node_count);
  assert_int_equal(one->node_count, three->node_count);
  assert_memory_equal(one->nodes, three->nodes, one->node_count * sizeof *one->nodes);
  assert_int_equal(one->place_count, three->place_count);
  assert_memory_equal(&one->coverage, &plain->coverage, sizeof one->coverage);
  for (uint32_t i = 1; i < one->place_count; i++) {
    const struct prof_call_place *a = &one->places[i - 1], *b = &one->places[i];
    assert_true(a->function != b->function ? a->function < b->function : a->address != b->address);
    assert_true(b->module == PROF_NONE ? b->address == 0 : b->address > 0x1fff && b->address < 0x2040);
  }
  for (uint32_t i = 1; i < one->node_count; i++) {
    const struct prof_node *node = &one->nodes[i];
    assert_int_equal(node->place == PROF_NONE, node->parent == 0);
    if (node->parent != 0)
      assert_int_equal(one->places[node->place].function, node->function);
  }
  for (size_t i = 0; i <= CASE_FUNCTIONS; i++) {
    const struct prof_function_figures *a = &one->functions[i], *b = &plain->functions[i];
    assert_true(a->calls == b->calls && a->total_ticks == b->total_ticks && a->self_ticks == b->self_ticks);
    assert_true(a->min_ticks == b->min_ticks && a->max_ticks == b->max_ticks);
    if (b->durations)
      assert_int_equal(prof_histogram_count(one->histograms, a->durations),
                       prof_histogram_count(plain->histograms, b->durations));
  }
  prof_profile_free(one);
  prof_profile_free(three);
}

struct place_sums {
  uint64_t calls, total; /* total: outermost calls only */
};

/* By place, with those of cold paths; the caller frees. */
static struct place_sums *sum_places(const struct prof_profile *profile) {
  struct place_sums *sums = calloc(profile->place_count + 1, sizeof *sums);
  uint32_t *inside = calloc(profile->place_count + 1, sizeof *inside), at = 0;
  const struct prof_node *nodes = profile->nodes;
  assert_true(sums && inside);
  for (uint32_t i = 1; i < profile->node_count; at = i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      if (nodes[at].place != PROF_NONE)
        inside[nodes[at].place]--;
    if (nodes[i].place == PROF_NONE)
      continue;
    sums[nodes[i].place].calls += nodes[i].calls;
    sums[nodes[i].place].total += inside[nodes[i].place]++ == 0 ? nodes[i].total_ticks : 0;
  }
  for (uint32_t i = 0; profile->cold_places && i < profile->place_count; i++) {
    sums[i].calls += profile->cold_places[i].calls;
    sums[i].total += profile->cold_places[i].total_ticks;
  }
  free(inside);
  return sums;
}

/* Folding paths away leaves each place its calls and its time. */
static void check_cold_places(const prof_trace *trace, const struct prof_filter *filter,
                              const struct prof_profile *limited) {
  struct prof_profile *whole;
  const struct prof_fold_options options = {.workers = 1, .places = true};
  assert_int_equal(prof_profile_fold(trace, filter, &options, NULL, &whole), PROF_OK);
  assert_int_equal(whole->place_count, limited->place_count);
  struct place_sums *a = sum_places(limited), *b = sum_places(whole);
  for (uint32_t i = 0; i < whole->place_count; i++) {
    assert_int_equal(a[i].calls, b[i].calls);
    assert_int_equal(a[i].total, b[i].total);
  }
  free(a);
  free(b);
  prof_profile_free(whole);
}

/* With little memory: whatever is folded into other nodes, the sums are the same. */
static void check_limits(const prof_trace *trace, const struct prof_filter *filter, const struct prof_profile *plain) {
  static unsigned turns;
  unsigned i = turns++ % 6; /* one of them each time: traces are many */
  struct prof_profile *limited;
  const struct prof_fold_options options = {
      .workers = 1 + i % 3, .places = i % 2, .max_bytes = (uint64_t)PROF_FOLD_BYTES_PER_NODE << (3 * (i / 2))};
  assert_int_equal(prof_profile_fold(trace, filter, &options, NULL, &limited), PROF_OK);
  const struct prof_coverage *a = &limited->coverage, *b = &plain->coverage;
  assert_true(a->calls == b->calls && a->thread_ticks == b->thread_ticks && a->hidden == b->hidden);
  assert_true((limited->cold != NULL) == (a->folded_paths > 0));
  folded_paths += a->folded_paths;
  for (size_t f = 0; f <= CASE_FUNCTIONS; f++) {
    const struct prof_function_figures *c = &limited->functions[f], *d = &plain->functions[f];
    assert_true(c->calls == d->calls && c->sum_ticks == d->sum_ticks);
    assert_int_equal(c->total_ticks, d->total_ticks);
    assert_int_equal(c->self_ticks, d->self_ticks);
    assert_true(c->min_ticks == d->min_ticks && c->max_ticks == d->max_ticks);
  }
  uint32_t at = limited->nodes[0].first_child;
  for (uint32_t node = plain->nodes[0].first_child; node != PROF_NONE; node = plain->nodes[node].next_sibling) {
    assert_int_equal(limited->nodes[at].total_ticks, plain->nodes[node].total_ticks);
    at = limited->nodes[at].next_sibling;
  }
  assert_int_equal(at, PROF_NONE);
  if (options.places)
    check_cold_places(trace, filter, limited);
  prof_profile_free(limited);
}

/* Folds with several numbers of workers, compares them with each other and with the reference. */
static void check(const prof_trace *trace, const struct prof_filter *filter) {
  struct reference_result expected;
  struct prof_profile *one, *three;
  struct prof_diag diag;
  reference_make(trace, filter, &calls, &expected);
  around += calls.around;
  prof_status status = prof_profile_fold(trace, filter, &(struct prof_fold_options){.workers = 1}, &diag, &one);
  if (expected.node_count == 0) {
    assert_int_equal(status, PROF_EMPTY);
    assert_null(one);
    reference_free(&expected);
    return;
  }
  assert_int_equal(status, PROF_OK);
  if (filter->min_ticks == 0)
    assert_int_equal(one->coverage.frames_cut, expected.frames_cut);
  if (filter->begin_ticks == 0 && filter->end_ticks == UINT64_MAX) {
    assert_int_equal(one->coverage.lost, calls.lost);
    assert_int_equal(one->coverage.unmatched, calls.unmatched);
  }
  compare(one, &expected);
  assert_int_equal(prof_profile_fold(trace, filter, &(struct prof_fold_options){.workers = 3}, &diag, &three), PROF_OK);
  assert_int_equal(one->node_count, three->node_count);
  assert_memory_equal(one->nodes, three->nodes, one->node_count * sizeof *one->nodes);
  assert_memory_equal(&one->coverage, &three->coverage, sizeof one->coverage);
  check_places(trace, filter, one);
  check_limits(trace, filter, one);
  prof_profile_free(one);
  prof_profile_free(three);
  reference_free(&expected);
}

static void check_folder(const struct trace_folder *folder, const struct prof_filter_spec *spec) {
  static const struct prof_filter_spec everything = {.end_ns = UINT64_MAX};
  prof_trace *trace = case_open(folder);
  struct prof_filter filter;
  struct prof_diag diag;
  assert_int_equal(prof_filter_init(&filter, trace, spec ? spec : &everything, &diag), PROF_OK);
  check(trace, &filter);
  prof_filter_fini(&filter);
  prof_trace_close(trace);
}

/* ---- cases ---- */

/* With zones that outlive their functions and -t the reference has self times below 0, rarely. */
static uint64_t rounds(uint64_t usual) {
  return case_zones ? usual : rounds_of(usual);
}

static void random_streams(void **state) {
  (void)state;
  for (uint64_t round = 0; round < rounds(150); round++) {
    uint64_t seed = seed_of(round);
    struct trace_folder folder;
    case_write(&folder, threads, random_threads(&seed));
    check_folder(&folder, NULL);
    trace_folder_remove(&folder);
  }
  assert_true(folded_paths > 0);
}

static void random_filters(void **state) {
  (void)state;
  static const char *const names[] = {"f0", "f1", "f[23]", "f4", "f?", "f1?", "*5", "f6", "f7"};
  static const uint32_t tids[] = {100};
  for (uint64_t round = 0; round < rounds(400); round++) {
    uint64_t seed = seed_of(round + 1000);
    struct trace_folder folder;
    uint32_t count = random_threads(&seed);
    struct prof_filter_spec spec = {.end_ns = UINT64_MAX};
    if (case_random(&seed) % 3 == 0) {
      spec.only = &names[case_random(&seed) % 8];
      spec.only_count = 1 + case_random(&seed) % 2;
    }
    if (case_random(&seed) % 3 == 0) {
      spec.without = &names[case_random(&seed) % 4];
      spec.without_count = 1;
    }
    spec.callers = &names[case_random(&seed) % 8];
    spec.caller_count = case_random(&seed) % 3 == 0 && !case_zones; /* too many may be shown */
    spec.depth = case_random(&seed) % 3 ? 0 : 1 + (uint32_t)(case_random(&seed) % 6);
    spec.min_ns = case_random(&seed) % 3 ? 0 : case_random(&seed) % 200;
    spec.tids = tids;
    spec.tid_count = case_random(&seed) % 4 == 0;
    uint64_t length = threads[0].time - CASE_START + 100;
    if (case_random(&seed) % 2) {
      spec.begin_ns = case_random(&seed) % length;
      spec.end_ns = spec.begin_ns + 1 + case_random(&seed) % length;
    }
    for (uint32_t i = 0; i < count && case_zones && spec.min_ns;
         i++) /* where a short call was isn't listed in chunks */
      memset(threads[i].cut_before, 0, threads[i].count);
    case_write(&folder, threads, count);
    check_folder(&folder, &spec);
    trace_folder_remove(&folder);
  }
}

static void holes(void **state) {
  (void)state;
  for (uint64_t round = 0; round < rounds(200); round++) {
    uint64_t seed = seed_of(round + 2000);
    struct trace_folder folder;
    case_write(&folder, threads, random_threads(&seed));
    for (uint64_t damages = 1 + case_random(&seed) % 3; damages > 0; damages--) {
      prof_trace *trace = case_open(&folder);
      size_t count;
      prof_trace_chunks(trace, &count);
      prof_trace_close(trace);
      if (count > 0)
        case_damage(&folder, case_random(&seed) % count, case_random(&seed) % 2);
    }
    static const char *const names[] = {"f4"};
    struct prof_filter_spec spec = {
        .end_ns = UINT64_MAX, .callers = names, .caller_count = round % 3 == 0 && !case_zones};
    if (round % 2) {
      uint64_t length = threads[0].time - CASE_START + 100;
      spec.begin_ns = case_random(&seed) % length;
      spec.end_ns = spec.begin_ns + 1 + case_random(&seed) % length;
    }
    check_folder(&folder, &spec);
    trace_folder_remove(&folder);
  }
}

static void ranges_in_wait(void **state) {
  (void)state;
  check_ranges_in_wait(check_folder);
}

/* One stream, cut in two after each of its events, and into chunks of one event each: always the same profile. */
static void every_boundary(void **state) {
  (void)state;
  for (uint64_t round = 0; round < 8; round++) {
    uint64_t seed = seed_of(round + 3000);
    case_clear(&threads[0]);
    random_stream(&threads[0], &seed, 80, 12);
    struct trace_folder whole;
    case_write(&whole, threads, 1);
    prof_trace *whole_trace = case_open(&whole);
    struct prof_profile *expected;
    assert_int_equal(prof_profile_fold(whole_trace, NULL, &(struct prof_fold_options){.workers = 1}, NULL, &expected),
                     PROF_OK);
    for (size_t cut = 1; cut <= threads[0].count; cut++) {
      for (size_t i = 1; i < threads[0].count; i++)
        threads[0].cut_before[i] = i == cut || cut == threads[0].count;
      struct trace_folder folder;
      struct prof_profile *profile;
      case_write(&folder, threads, 1);
      prof_trace *trace = case_open(&folder);
      assert_int_equal(prof_profile_fold(trace, NULL, &(struct prof_fold_options){.workers = 2}, NULL, &profile),
                       PROF_OK);
      assert_int_equal(profile->node_count, expected->node_count);
      assert_memory_equal(profile->nodes, expected->nodes, profile->node_count * sizeof *profile->nodes);
      struct prof_coverage coverage = profile->coverage;
      coverage.chunks = expected->coverage.chunks;
      coverage.events = expected->coverage.events; /* a chunk that begins after a long pause needs no TIME */
      assert_memory_equal(&coverage, &expected->coverage, sizeof coverage);
      prof_profile_free(profile);
      prof_trace_close(trace);
      trace_folder_remove(&folder);
    }
    prof_profile_free(expected);
    prof_trace_close(whole_trace);
    trace_folder_remove(&whole);
  }
}

/* The same with functions that are left around zones, and zones that are left around functions. */
static void zones_apart(void **state) {
  static void (*const cases[])(void **) = {random_streams, random_filters, holes, every_boundary};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    around = 0;
    case_zones = 4;
    cases[i](state);
    case_zones = 0;
    assert_true(around > 1000 || cases[i] == every_boundary);
  }
}

/* Frames beyond 65,536 are counted; their time belongs to the deepest one held. */
static void deep_recursion(void **state) {
  (void)state;
  const uint32_t levels = 70000, held = 65536;
  case_clear(&threads[0]);
  for (uint32_t i = 0; i < levels; i++)
    case_enter(&threads[0], 1, 1);
  threads[0].cut_before[66000] = threads[0].cut_before[69000] = true;
  for (uint32_t i = 0; i < levels; i++)
    case_exit(&threads[0], 1, 1);
  threads[0].cut_before[levels + 2000] = threads[0].cut_before[levels + 9000] = true;
  struct trace_folder folder;
  case_write(&folder, threads, 1);
  prof_trace *trace = case_open(&folder);
  struct prof_filter filter;
  struct prof_filter_spec spec = {.end_ns = UINT64_MAX, .min_ns = 1};
  assert_int_equal(prof_filter_init(&filter, trace, &spec, NULL), PROF_OK);
  for (int shown = 0; shown < 2; shown++) { /* the fast way and the other one */
    struct prof_profile *profile;
    assert_int_equal(
        prof_profile_fold(trace, shown ? &filter : NULL, &(struct prof_fold_options){.workers = 2}, NULL, &profile),
        PROF_OK);
    assert_int_equal(profile->node_count, 2 + held);
    assert_int_equal(profile->functions[1].calls, held);
    assert_int_equal(profile->coverage.too_deep, levels - held);
    assert_int_equal(profile->functions[1].total_ticks, 2 * levels - 1);
    assert_int_equal(profile->functions[1].self_ticks, 2 * levels - 1);
    assert_int_equal(profile->nodes[1 + held].self_ticks, 2 * (levels - held) + 1);
    prof_profile_free(profile);
  }
  prof_filter_fini(&filter);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* A trace without any call, and one of whose calls nothing is left. */
static void nothing_left(void **state) {
  (void)state;
  struct prof_diag diag;
  struct prof_profile *profile;
  case_clear(&threads[0]);
  case_add(&threads[0], 1, PROF_EVENT_GAP, 0, 7);
  struct trace_folder folder;
  case_write(&folder, threads, 1);
  prof_trace *trace = case_open(&folder);
  assert_int_equal(prof_profile_fold(trace, NULL, &(struct prof_fold_options){0}, &diag, &profile), PROF_EMPTY);
  assert_null(profile);
  assert_non_null(strstr(diag.what, "no calls"));
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void counting(void **state) {
  (void)state;
  uint64_t seed = seed_of(4000);
  struct trace_folder folder;
  case_write(&folder, threads, random_threads(&seed));
  prof_trace *trace = case_open(&folder);
  struct prof_profile *profile;
  _Atomic uint64_t done = 77;
  const struct prof_fold_options options = {.workers = 3, .done = &done};
  assert_int_equal(prof_profile_fold(trace, NULL, &options, NULL, &profile), PROF_OK);
  assert_int_equal(done, prof_trace_info(trace)->events);
  assert_int_equal(done, profile->coverage.events);
  prof_profile_free(profile);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* Says so from the third question on. */
static bool wanted(void *context) {
  return atomic_fetch_add((atomic_uint *)context, 1) >= 2;
}

static void stopping(void **state) {
  (void)state;
  uint64_t seed = seed_of(5000);
  struct trace_folder folder;
  case_write(&folder, threads, random_threads(&seed));
  prof_trace *trace = case_open(&folder);
  size_t chunks;
  prof_trace_chunks(trace, &chunks);
  assert_true(chunks > 3);
  struct prof_diag diag;
  struct prof_profile *profile;
  struct prof_samples *samples;
  atomic_uint asked = 0;
  const struct prof_stop stop = {wanted, &asked};
  const struct prof_fold_options options = {.workers = 2, .stop = &stop};
  assert_int_equal(prof_samples_fold(trace, NULL, &options, &diag, &profile, &samples), PROF_STOPPED);
  assert_null(profile);
  assert_null(samples);
  assert_in_range(asked, 3, 4); /* each worker asks at each chunk, and not after the end */
  assert_int_equal(diag.status, PROF_STOPPED);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_streams), cmocka_unit_test(random_filters), cmocka_unit_test(holes),
      cmocka_unit_test(ranges_in_wait), cmocka_unit_test(every_boundary), cmocka_unit_test(deep_recursion),
      cmocka_unit_test(nothing_left),   cmocka_unit_test(counting),       cmocka_unit_test(stopping),
      cmocka_unit_test(zones_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
