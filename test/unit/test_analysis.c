/*
 * test/unit/test_analysis.c - ranks, tree and callers of random profiles: every way to look at them adds up to the
 * same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/callers.h"
#include "analysis/cover.h"
#include "analysis/functions.h"
#include "analysis/reverse.h"
#include "estimate/profile_build.h"
#include "model_streams.h"

static struct prof_profile *profile;
static struct prof_names *names;

/* Sums over the rows of one grouping. */
static void sum_rows(enum prof_group by, uint64_t *calls, uint64_t *self_ns, size_t *count) {
  struct prof_function_rows rows;
  *calls = *self_ns = 0;
  assert_int_equal(prof_functions_rank(profile, NULL, names, by, PROF_TIME_ELAPSED, PROF_SORT_SELF, NULL, &rows),
                   PROF_OK);
  for (size_t i = 0; i < rows.count; i++) {
    *calls += rows.rows[i].calls;
    *self_ns += rows.rows[i].self_ns;
    assert_true(rows.rows[i].calls > 0);
    assert_true(rows.rows[i].self_ns <= rows.rows[i].total.elapsed);
    assert_true(i == 0 || rows.rows[i - 1].self_ns >= rows.rows[i].self_ns);
    if (rows.rows[i].has_durations && rows.rows[i].has_extremes) {
      const struct prof_function_row *row = &rows.rows[i];
      assert_true(row->min_ns <= row->p50_ns && row->p50_ns <= row->p95_ns && row->p95_ns <= row->p99_ns);
      assert_true(row->p99_ns <= row->max_ns && row->min_ns <= row->avg_ns && row->avg_ns <= row->max_ns);
    }
  }
  *count = rows.count;
  prof_functions_free(&rows);
}

static void check_groups(void) {
  uint64_t calls, self_ns;
  size_t count;
  for (int by = PROF_BY_FUNCTION; by <= PROF_BY_THREAD; by++) {
    sum_rows((enum prof_group)by, &calls, &self_ns, &count);
    assert_int_equal(calls, profile->coverage.calls);
    assert_int_equal(self_ns, profile->coverage.thread_ticks); /* 1 GHz */
    if (by == PROF_BY_FILE)                                    /* odd.c, even.c and the unknown */
      assert_true(count <= 3);
    if (by == PROF_BY_MODULE)
      assert_true(count <= 2);
  }
}

static void check_sorts(void) {
  for (int sort = PROF_SORT_SELF; sort <= PROF_SORT_NAME; sort++) {
    struct prof_function_rows rows;
    assert_int_equal(prof_functions_rank(profile, NULL, names, PROF_BY_FUNCTION, PROF_TIME_ELAPSED,
                                         (enum prof_sort)sort, NULL, &rows),
                     PROF_OK);
    for (size_t i = 1; i < rows.count; i++) {
      const struct prof_function_row *a = &rows.rows[i - 1], *b = &rows.rows[i];
      const bool right[] = {a->self_ns >= b->self_ns,
                            a->total.elapsed >= b->total.elapsed,
                            a->self.running >= b->self.running,
                            a->self.waiting >= b->self.waiting,
                            a->self.elapsed >= b->self.elapsed,
                            a->calls >= b->calls,
                            a->min_ns >= b->min_ns,
                            a->avg_ns >= b->avg_ns,
                            a->max_ns >= b->max_ns,
                            a->p50_ns >= b->p50_ns,
                            a->p95_ns >= b->p95_ns,
                            a->p99_ns >= b->p99_ns,
                            strcmp(a->name, b->name) < 0};
      assert_true(right[sort]);
    }
    prof_functions_free(&rows);
  }
}

/* Links, order and sums of any tree. at_most: children may sum up to less than their parent. */
static void check_shape(const struct prof_tree *tree, bool self_adds_up) {
  for (uint32_t i = 0; i < tree->count; i++) {
    const struct prof_tree_node *node = &tree->nodes[i];
    uint64_t children = 0, previous = UINT64_MAX;
    for (uint32_t at = node->first_child; at != PROF_NONE; at = tree->nodes[at].next_sibling) {
      assert_int_equal(tree->nodes[at].parent, i);
      assert_int_equal(tree->nodes[at].depth, node->depth + 1);
      assert_true(at > i && tree->nodes[at].total_ns <= previous);
      previous = tree->nodes[at].total_ns;
      children += previous;
    }
    if (i > 0)
      assert_true(children <= node->total_ns);
    if (self_adds_up)
      assert_int_equal(children + node->self_ns, node->total_ns);
  }
}

static void check_tree(void) {
  struct prof_tree_limits limits = {0};
  struct prof_tree tree;
  uint64_t calls = 0, self_ns = 0;
  assert_int_equal(prof_tree_select(profile, NULL, &limits, NULL, &tree), PROF_OK);
  check_shape(&tree, true);
  for (uint32_t i = 1; i < tree.count; i++) {
    calls += tree.nodes[i].calls;
    self_ns += tree.nodes[i].self_ns;
  }
  assert_int_equal(calls, profile->coverage.calls);
  assert_int_equal(self_ns, profile->coverage.thread_ticks);
  assert_int_equal(tree.hidden, 0);
  uint32_t whole = tree.count;
  prof_tree_free(&tree);
  limits = (struct prof_tree_limits){.min_share = 0.1, .depth = 3};
  assert_int_equal(prof_tree_select(profile, NULL, &limits, NULL, &tree), PROF_OK);
  check_shape(&tree, false);
  for (uint32_t i = 1; i < tree.count; i++) {
    assert_true(tree.nodes[i].depth <= 3);
    assert_true((double)tree.nodes[i].total_ns >= 0.1 * (double)tree.nodes[0].total_ns);
  }
  assert_true(tree.count <= whole);
  prof_tree_free(&tree);
}

static void check_callers(void) {
  uint8_t asked[CASE_FUNCTIONS + 1];
  struct prof_tree_limits limits = {0};
  for (uint32_t function = 0; function <= CASE_FUNCTIONS; function++) {
    struct prof_tree tree;
    memset(asked, 0, sizeof asked);
    asked[function] = 1;
    assert_int_equal(prof_callers_find(profile, asked, &limits, NULL, &tree), PROF_OK);
    const struct prof_function_figures *figures = &profile->functions[function];
    assert_int_equal(tree.count > 1, figures->calls > 0);
    if (tree.count > 1) {
      assert_int_equal(tree.nodes[1].function, function < CASE_FUNCTIONS ? function : PROF_NONE);
      assert_int_equal(tree.nodes[1].next_sibling, PROF_NONE);
      assert_int_equal(tree.nodes[1].calls, figures->calls);
      assert_int_equal(tree.nodes[1].total_ns, figures->total_ticks);
      assert_int_equal(tree.nodes[1].self_ns, figures->self_ticks);
      check_shape(&tree, false);
    }
    prof_tree_free(&tree);
  }
}

/* The same self times, read from the leaves up. */
static void check_reverse(void) {
  struct prof_tree_limits limits = {0};
  struct prof_tree tree;
  uint64_t self_ns = 0, roots = 0, burning = 0;
  assert_int_equal(prof_reverse_select(profile, NULL, &limits, NULL, &tree), PROF_OK);
  check_shape(&tree, true);
  for (uint32_t at = tree.nodes[0].first_child; at != PROF_NONE; at = tree.nodes[at].next_sibling, roots++) {
    uint32_t function = tree.nodes[at].function;
    assert_int_equal(tree.nodes[at].total_ns,
                     profile->functions[function == PROF_NONE ? CASE_FUNCTIONS : function].self_ticks);
  }
  for (uint32_t i = 0; i <= CASE_FUNCTIONS; i++)
    burning += profile->functions[i].self_ticks > 0;
  assert_int_equal(roots, burning);
  for (uint32_t i = 1; i < tree.count; i++)
    self_ns += tree.nodes[i].self_ns;
  assert_int_equal(self_ns, profile->coverage.thread_ticks);
  prof_tree_free(&tree);
}

static void check_time(uint64_t ticks, const struct prof_off_ticks *off, const struct prof_time_ns *time) {
  assert_int_equal(time->elapsed, ticks); /* 1 GHz */
  assert_int_equal(time->waiting, off->waiting);
  assert_int_equal(time->preempted, off->preempted);
  assert_int_equal(time->running + time->waiting + time->preempted, time->elapsed);
}

/* Pauses at random in own times, summed up as the fold does it. */
static void make_pauses(uint64_t *seed) {
  struct prof_node *nodes = prof_profile_nodes_of(profile);
  for (uint32_t i = profile->node_count - 1; i > 0; i--) {
    struct prof_off_ticks *off = &nodes[i].self_off;
    off->waiting = case_random(seed) % (nodes[i].self_ticks + 1);
    off->preempted = case_random(seed) % 3 ? 0 : case_random(seed) % (nodes[i].self_ticks - off->waiting + 1);
    prof_off_add(&nodes[i].off, off);
    prof_off_add(&nodes[nodes[i].parent].off, &nodes[i].off);
  }
  assert_true(prof_profile_figures_anew(profile));
}

/* Every view of a kind of time adds up to all of it. */
static void check_kind(enum prof_time_kind kind) {
  uint64_t all = prof_node_total(&profile->nodes[0], kind), sum = 0;
  struct prof_tree_limits limits = {.time = kind};
  struct prof_tree tree;
  for (int by = PROF_BY_FUNCTION; by <= PROF_BY_THREAD; by++, sum = 0) {
    struct prof_function_rows rows;
    double share = 0;
    assert_int_equal(prof_functions_rank(profile, NULL, names, (enum prof_group)by, kind, PROF_SORT_SELF, NULL, &rows),
                     PROF_OK);
    for (size_t i = 0; i < rows.count; i++) {
      assert_int_equal(rows.rows[i].self_ns, prof_time_ns_of(kind, &rows.rows[i].self));
      assert_true(i == 0 || rows.rows[i - 1].self_ns >= rows.rows[i].self_ns);
      sum += rows.rows[i].self_ns;
      share += rows.rows[i].self_share;
    }
    assert_int_equal(sum, all);
    assert_true(all == 0 || (share > 0.999 && share < 1.001));
    prof_functions_free(&rows);
  }
  assert_int_equal(prof_tree_select(profile, NULL, &limits, NULL, &tree), PROF_OK);
  check_shape(&tree, true);
  for (uint32_t i = 1; i < tree.count; i++) {
    sum += tree.nodes[i].self_ns;
    assert_int_equal(tree.nodes[i].total_ns, prof_time_ns_of(kind, &tree.nodes[i].total));
    assert_int_equal(tree.nodes[i].self_ns, prof_time_ns_of(kind, &tree.nodes[i].self));
  }
  assert_int_equal(sum, all);
  prof_tree_free(&tree);
  assert_int_equal(prof_reverse_select(profile, NULL, &limits, NULL, &tree), PROF_OK);
  check_shape(&tree, true);
  assert_int_equal(tree.nodes[0].total_ns, all);
  prof_tree_free(&tree);
  for (uint32_t function = 0; function < CASE_FUNCTIONS; function++) {
    const struct prof_function_figures *figures = &profile->functions[function];
    uint8_t asked[CASE_FUNCTIONS + 1] = {0};
    asked[function] = 1;
    assert_int_equal(prof_callers_find(profile, asked, &limits, NULL, &tree), PROF_OK);
    if (tree.count > 1) {
      check_time(figures->total_ticks, &figures->off, &tree.nodes[1].total);
      check_time(figures->self_ticks, &figures->self_off, &tree.nodes[1].self);
      assert_int_equal(tree.nodes[1].total_ns, prof_time_ns_of(kind, &tree.nodes[1].total));
    }
    prof_tree_free(&tree);
  }
}

static void check_cover(uint32_t thread_count) {
  struct prof_cover cover;
  prof_cover_of(profile, PROF_TIME_RUNNING, &cover);
  assert_true(cover.threads <= thread_count && cover.threads > 0);
  assert_int_equal(cover.processes, 1);
  assert_int_equal(cover.calls, profile->coverage.calls);
  assert_true(cover.call_cost_ns == 4); /* two events of 2 ticks */
  assert_int_equal(cover.cost_ns, 4 * cover.calls);
  check_time(profile->coverage.thread_ticks, &profile->nodes[0].off, &cover.time);
  assert_int_equal(cover.time.elapsed + cover.taken_ns, cover.measured_ns);
}

static void random_profiles(void **state) {
  (void)state;
  for (uint64_t round = 0; round < 60; round++) {
    uint64_t seed = seed_of(round + 8000);
    struct trace_folder folder;
    uint32_t thread_count = random_threads(&seed);
    case_write(&folder, threads, thread_count);
    prof_trace *trace = case_open(&folder);
    assert_int_equal(prof_profile_fold(trace, NULL, &(struct prof_fold_options){.workers = 1}, NULL, &profile),
                     PROF_OK);
    assert_int_equal(prof_names_new(trace, PROF_DEMANGLE_FULL, &names), PROF_OK);
    check_groups();
    check_sorts();
    check_tree();
    check_callers();
    check_reverse();
    make_pauses(&seed);
    for (int kind = 0; kind < PROF_TIME_KINDS; kind++)
      check_kind((enum prof_time_kind)kind);
    check_cover(thread_count);
    prof_names_free(names);
    prof_profile_free(profile);
    prof_trace_close(trace);
    trace_folder_remove(&folder);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_profiles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
