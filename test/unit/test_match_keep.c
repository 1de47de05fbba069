/*
 * test_match_keep.c - a filter while recording: what a reader sees is what the same filter shows of a recording of
 * everything, on random streams; slow calls; recording switched off and on by calls.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/profile.h"
#include "fold/filter.h"
#include "model_case.h"
#include "model_streams.h"

#define ROUNDS 150
enum { MOST_PATTERNS = 3 };

struct wish {
  const char *only[MOST_PATTERNS], *without[MOST_PATTERNS], *file, *caller;
  size_t only_count, without_count;
  uint32_t depth;
  uint64_t min_ns;
};

static uint16_t flags[CASE_FUNCTIONS];
static uint64_t paths_met, hidden_met;

static void make_rules(const struct wish *wish, struct prof_keep_rules *rules) {
  *rules = (struct prof_keep_rules){.flags = flags, .flag_count = CASE_FUNCTIONS, .least_ticks = wish->min_ns};
  rules->rule = (struct prof_filter_rule){wish->only_count ? PROF_FILTER_ONLY : 0, wish->depth};
  rules->by_caller = wish->caller != NULL;
  rules->unknown = wish->file ? PROF_FILTER_ELSEWHERE : 0;
  memset(flags, 0, sizeof flags);
  for (size_t i = 0; i < wish->only_count; i++)
    flags[atoi(wish->only[i] + 1)] |= PROF_FILTER_ONLY;
  for (size_t i = 0; i < wish->without_count; i++)
    flags[atoi(wish->without[i] + 1)] |= PROF_FILTER_WITHOUT;
  if (wish->caller)
    flags[atoi(wish->caller + 1)] |= PROF_FILTER_CALLER;
  for (size_t f = 0; f < CASE_FUNCTIONS && wish->file; f++)
    flags[f] |= strcmp(f % 2 ? "odd.c" : "even.c", wish->file) != 0 ? PROF_FILTER_ELSEWHERE : 0;
}

/* NULL: no call is shown. */
static struct prof_profile *profile_of(const prof_trace *trace, const struct prof_filter *filter) {
  struct prof_profile *profile;
  const struct prof_fold_options options = {.workers = 1};
  prof_status status = prof_profile_fold(trace, filter, &options, NULL, &profile);
  assert_true(status == PROF_OK || status == PROF_EMPTY);
  return status == PROF_OK ? profile : NULL;
}

static bool is_same_path(const struct prof_profile *a, uint32_t at, const struct prof_profile *b, uint32_t other) {
  while (a->nodes[at].parent != 0 && b->nodes[other].parent != 0 && a->nodes[at].function == b->nodes[other].function) {
    at = a->nodes[at].parent;
    other = b->nodes[other].parent;
  }
  return a->nodes[at].parent == 0 && b->nodes[other].parent == 0 && a->nodes[at].thread == b->nodes[other].thread;
}

static const struct prof_node *node_like(const struct prof_profile *in, const struct prof_profile *of, uint32_t node) {
  for (uint32_t i = 1; i < in->node_count; i++)
    if (in->nodes[i].parent != 0 && is_same_path(of, node, in, i))
      return &in->nodes[i];
  return NULL;
}

static uint32_t count_paths(const struct prof_profile *profile) {
  uint32_t count = 0;
  for (uint32_t i = 1; i < profile->node_count; i++)
    count += profile->nodes[i].parent != 0;
  return count;
}

static void compare(const struct prof_profile *all, const struct prof_profile *kept, bool by_time) {
  assert_int_equal(count_paths(all), count_paths(kept));
  for (uint32_t i = 1; i < all->node_count; i++) {
    const struct prof_node *node = &all->nodes[i];
    if (node->parent == 0)
      continue;
    const struct prof_node *other = node_like(kept, all, i);
    assert_non_null(other);
    assert_int_equal(node->calls, other->calls);
    assert_int_equal(node->total_ticks, other->total_ticks);
    assert_int_equal(node->self_ticks, other->self_ticks);
    if (!by_time) /* the reader's filter attributes probes of short calls in short calls to the latter's node */
      assert_int_equal(node->own_events, other->own_events);
    paths_met++;
  }
  if (!by_time) /* it counts short outermost calls, too */
    assert_int_equal(all->coverage.hidden, kept->coverage.hidden);
  hidden_met += all->coverage.hidden;
}

/* The same random threads, recorded with and without the filter. */
static void check(uint64_t round, const struct wish *wish) {
  struct trace_folder whole, part;
  struct prof_keep_rules rules;
  struct prof_filter filter;
  uint64_t seed = seed_of(round);
  uint32_t count = random_threads(&seed);
  for (uint32_t i = 0; i < count; i++) /* as the recorder does where a thread ends within frames */
    case_add(&threads[i], 100, PROF_EVENT_STOP, 0, 0);
  case_rules = NULL;
  case_write(&whole, threads, count);
  make_rules(wish, &rules);
  case_rules = &rules;
  case_write(&part, threads, count);
  case_rules = NULL;
  prof_trace *all = case_open(&whole), *kept = case_open(&part);
  const struct prof_filter_spec spec = {.only = wish->only,
                                        .only_count = wish->only_count,
                                        .without = wish->without,
                                        .without_count = wish->without_count,
                                        .files = &wish->file,
                                        .file_count = wish->file != NULL,
                                        .callers = &wish->caller,
                                        .caller_count = wish->caller != NULL,
                                        .depth = wish->depth,
                                        .min_ns = wish->min_ns,
                                        .end_ns = UINT64_MAX};
  assert_int_equal(prof_filter_init(&filter, all, &spec, NULL), PROF_OK);
  struct prof_profile *expected = profile_of(all, &filter), *got = profile_of(kept, NULL);
  assert_int_equal(expected == NULL, got == NULL);
  if (expected)
    compare(expected, got, wish->min_ns > 0 || wish->caller);
  prof_profile_free(expected);
  prof_profile_free(got);
  prof_filter_fini(&filter);
  prof_trace_close(all);
  prof_trace_close(kept);
  trace_folder_remove(&whole);
  trace_folder_remove(&part);
}

static const struct wish wishes[] = {
    {.depth = 1},
    {.depth = 3},
    {.only = {"f1"}, .only_count = 1},
    {.only = {"f1", "f7"}, .only_count = 2, .depth = 2},
    {.without = {"f2", "f3", "f4"}, .without_count = 3},
    {.only = {"f0"}, .only_count = 1, .without = {"f5", "f6"}, .without_count = 2},
    {.file = "odd.c"},
    {.file = "even.c", .depth = 2},
    {.caller = "f4"},
    {.caller = "f7", .depth = 3},
    {.caller = "f5", .without = {"f2"}, .without_count = 1, .only = {"f1", "f3"}, .only_count = 2},
    {.caller = "f6", .file = "odd.c"},
    {.caller = "f8", .min_ns = 100},
    {.min_ns = 30},
    {.min_ns = 1000},
    {.min_ns = 200000, .depth = 4},
    {.only = {"f3"}, .only_count = 1, .min_ns = 100, .file = "odd.c"},
};

static void equals_the_readers_filter(void **state) {
  (void)state;
  for (uint64_t round = 0; round < rounds_of(ROUNDS); round++)
    check(round, &wishes[round % (sizeof wishes / sizeof *wishes)]);
  assert_true(paths_met > 5000);
  assert_true(hidden_met > 5000);
}

/* ---- by hand ---- */

static struct prof_profile *record(struct prof_keep_rules *rules, const char *script, struct trace_folder *folder,
                                   prof_trace **trace) {
  case_clear(&threads[0]);
  for (const char *at = script; *at; at += 2) /* "+1": f1 is entered, "-1": left; ".5": 5000 ns pass */
    if (*at == '.')
      threads[0].time += 1000 * (uint64_t)(at[1] - '0');
    else if (*at == '+')
      case_enter(&threads[0], 10, (uint32_t)(at[1] - '0'));
    else
      case_exit(&threads[0], 10, (uint32_t)(at[1] - '0'));
  case_rules = rules;
  case_write(folder, threads, 1);
  case_rules = NULL;
  *trace = case_open(folder);
  return profile_of(*trace, NULL);
}

static void expect(const struct prof_profile *profile, uint32_t function, uint64_t calls, uint64_t ns) {
  assert_int_equal(profile->functions[function].calls, calls);
  assert_int_equal(profile->functions[function].total_ticks, ns);
}

static void slow_calls_are_whole(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace;
  struct prof_keep_rules rules = {
      .flags = flags, .flag_count = CASE_FUNCTIONS, .rule = {.wants = PROF_FILTER_ONLY}, .slow_ticks = 3000};
  memset(flags, 0, sizeof flags);
  flags[1] = PROF_FILTER_ONLY;
  struct prof_profile *profile = record(&rules, "+0+1+2-2+3-3-1+1+2+3.4-3-2-1+2-2+1+1+2-2-1-1-0", &folder, &trace);
  expect(profile, 0, 0, 0);
  expect(profile, 1, 3, 50 + 4050 + 50);
  expect(profile, 2, 1, 4030); /* what the fast calls called is left out, and counted */
  expect(profile, 3, 1, 4010);
  assert_int_equal(profile->coverage.hidden, 4);
  prof_profile_free(profile);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

/* A call from the same place inside of the call that is kept, and behind it: as of a callback from a library. */
static void same_place_outside(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace;
  struct prof_keep_rules rules = {.flags = flags, .flag_count = CASE_FUNCTIONS, .rule = {.wants = PROF_FILTER_ONLY}};
  memset(flags, 0, sizeof flags);
  flags[1] = PROF_FILTER_ONLY;
#define FIVE "+2+3-3-2+2+3-3-2+2+3-3-2+2+3-3-2+2+3-3-2"
  struct prof_profile *profile = record(&rules, "+0+1" FIVE FIVE FIVE FIVE "-1+3-3-0", &folder, &trace);
  const size_t outside = threads[0].count - 3; /* enough before it for the fast loop */
  assert_int_equal(threads[0].events[outside].what, threads[0].events[3].what);
  assert_int_equal(threads[0].events[outside].aux, threads[0].events[3].aux);
  expect(profile, 0, 0, 0);
  expect(profile, 3, 20, 20 * 10);
  prof_profile_free(profile);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void calls_switch_recording(void **state) {
  (void)state;
  struct trace_folder folder;
  prof_trace *trace;
  struct prof_keep_rules rules = {.flags = flags, .flag_count = CASE_FUNCTIONS, .off = true};
  memset(flags, 0, sizeof flags);
  flags[1] = PROF_KEEP_START;
  flags[2] = PROF_KEEP_STOP;
  struct prof_profile *profile = record(&rules, "+0.5+3-3+1.1-1+3-3+2.7-2+3-3+1-1.1-0", &folder, &trace);
  expect(profile, 0, 0, 1040 + 1020); /* its call began before */
  expect(profile, 1, 2, 1010 + 10);
  expect(profile, 2, 0, 0);
  expect(profile, 3, 1, 10);
  assert_int_equal(rules.switches, 3);
  prof_profile_free(profile);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_the_readers_filter),
      cmocka_unit_test(slow_calls_are_whole),
      cmocka_unit_test(same_place_outside),
      cmocka_unit_test(calls_switch_recording),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
