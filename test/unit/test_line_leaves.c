/*
 * test/unit/test_line_leaves.c - own times split among lines, on random profiles with random samples and pauses: each
 * split against one made the slow way, and the same sums in trees, trees turned round and call paths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/lines/line_leaves.h"
#include "analysis/reverse.h"
#include "analysis/tree.h"
#include "estimate/profile_build.h"
#include "export/call_path.h"
#include "model_streams.h"

#define MOST_SAMPLES 400

static struct prof_profile *profile;
static enum prof_time_kind shown;
static struct prof_names *names;
static struct prof_sample items[MOST_SAMPLES];
static struct prof_samples samples;
static uint32_t asked;

/* What samples can meet, and what it is called; NULL: a line that isn't known. */
static const struct {
  uint8_t where;
  uint32_t module;
  uint64_t address;
  const char *leaf;
} met[] = {
    {PROF_WHERE_PROBED, 0, 0x10, "a.c:1"},           {PROF_WHERE_PROBED, 0, 0x14, "a.c:1"},
    {PROF_WHERE_PROBED, 0, 0x20, "b.h:2"},           {PROF_WHERE_PROBED, 0, 0x30, NULL},
    {PROF_WHERE_LIBRARY, 0, 0x40, "f [case]"},       {PROF_WHERE_LIBRARY, 0, 0x50, "[case]"},
    {PROF_WHERE_KERNEL, 0, 0x60, "[kernel]"},        {PROF_WHERE_KERNEL, PROF_NONE, 0, "[kernel]"},
    {PROF_WHERE_UNKNOWN, PROF_NONE, 1, "[unknown]"}, {PROF_WHERE_PROFILER, 0, 0x10, NULL},
};
#define MET (sizeof met / sizeof *met)

static prof_status find(void *context, uint32_t module, uint64_t address, const struct prof_line_frame **frames,
                        uint32_t *count) {
  static const struct prof_line_frame plain[] = {{"plain", "/src/a.c", 1}}, function[] = {{"f", NULL, 0}},
                                      inlined[] = {{"inner", "/src/b.h", 2}, {"outer", "/src/a.c", 9}};
  (void)context;
  asked++;
  assert_int_equal(module, 0);
  *frames = address == 0x20 ? inlined : address == 0x40 ? function : plain;
  *count = address == 0x20 ? 2 : 1;
  if (address != 0x30 && address != 0x50)
    return PROF_OK;
  *count = 0;
  return PROF_NOT_FOUND;
}

static void random_samples(uint64_t *seed) {
  samples = (struct prof_samples){.items = items};
  samples.count = case_random(seed) % MOST_SAMPLES;
  for (size_t i = 0; i < samples.count; i++) {
    size_t kind = case_random(seed) % MET;
    items[i] = (struct prof_sample){.where = met[kind].where, .module = met[kind].module, .address = met[kind].address};
    items[i].node = case_random(seed) % 9 ? (uint32_t)(case_random(seed) % profile->node_count) : PROF_NONE;
    items[i].flags = case_random(seed) % 9 ? 0 : PROF_SAMPLED_STALLED;
  }
}

/* In own times, summed up as the fold does it. */
static void random_pauses(uint64_t *seed) {
  struct prof_node *nodes = prof_profile_nodes_of(profile);
  for (uint32_t i = profile->node_count - 1; i > 0; i--) {
    struct prof_off_ticks *off = &nodes[i].self_off;
    off->waiting = case_random(seed) % 3 ? 0 : case_random(seed) % (nodes[i].self_ticks + 1);
    off->preempted = case_random(seed) % 3 ? 0 : case_random(seed) % (nodes[i].self_ticks - off->waiting + 1);
    prof_off_add(&nodes[i].off, off);
    prof_off_add(&nodes[nodes[i].parent].off, &nodes[i].off);
  }
}

/* A node's samples of a leaf, those of all leaves if that is NULL and of none too. */
static uint64_t count_samples(uint32_t node, const char *leaf) {
  uint64_t count = 0;
  for (size_t i = 0; i < samples.count; i++) {
    size_t kind = 0;
    while (met[kind].where != items[i].where || met[kind].module != items[i].module ||
           met[kind].address != items[i].address)
      kind++;
    bool counts = items[i].node == node && items[i].where != PROF_WHERE_PROFILER && items[i].flags == 0;
    count += counts && (!leaf || (met[kind].leaf && strcmp(met[kind].leaf, leaf) == 0));
  }
  return count;
}

static void check_node(const struct prof_line_leaves *leaves, uint32_t node) {
  const struct prof_node *own = &profile->nodes[node];
  uint64_t left = prof_node_self(own, shown), sampled = 0, all = count_samples(node, NULL);
  uint64_t ran = shown == PROF_TIME_WAITING ? 0 : prof_node_self(own, PROF_TIME_RUNNING);
  for (uint32_t i = leaves->begin[node]; i < leaves->begin[node + 1]; i++) {
    const struct prof_line_leaf *leaf = &leaves->items[i];
    const char *name = prof_line_leaf_name(leaves, leaf->number);
    assert_non_null(name);
    assert_true(leaf->ticks <= left);
    left -= leaf->ticks;
    if (strcmp(name, "[waiting]") == 0 || strcmp(name, "[preempted]") == 0) {
      assert_true(shown == PROF_TIME_ELAPSED || (shown == PROF_TIME_WAITING && name[1] == 'w'));
      assert_int_equal(leaf->ticks, name[1] == 'w' ? own->self_off.waiting : own->self_off.preempted);
      assert_int_equal(leaf->samples, 0);
      continue;
    }
    uint64_t count = count_samples(node, name), share = ran * count / all;
    assert_int_equal(leaf->samples, count);
    assert_true(leaf->ticks + 1 >= share && leaf->ticks <= share + 1);
    sampled += count;
  }
  uint64_t unknown = all - sampled; /* of lines that aren't known */
  if (shown == PROF_TIME_WAITING)
    assert_int_equal(sampled, 0);
  assert_true(left + 1 >= (all ? ran * unknown / all : ran) && left <= (all ? ran * unknown / all + 1 : ran));
}

static uint64_t all_of(const struct prof_line_leaves *leaves, uint32_t number) {
  uint64_t ticks = 0;
  for (uint32_t i = 0; i < leaves->begin[profile->node_count]; i++)
    ticks += leaves->items[i].number == number ? leaves->items[i].ticks : 0;
  return ticks;
}

/* Leaves have no children; each node's parts add up to it. */
static void check_tree(const struct prof_line_leaves *leaves) {
  struct prof_tree_limits limits = {.time = shown};
  struct prof_tree tree;
  uint64_t *sums = calloc(leaves->count, sizeof *sums), self_ns = 0;
  assert_non_null(sums);
  assert_int_equal(prof_tree_select(profile, leaves, &limits, NULL, &tree), PROF_OK);
  for (uint32_t i = 1; i < tree.count; i++) {
    const struct prof_tree_node *node = &tree.nodes[i];
    uint64_t sum = node->self_ns;
    for (uint32_t at = node->first_child; at != PROF_NONE; at = tree.nodes[at].next_sibling)
      sum += tree.nodes[at].total_ns;
    assert_int_equal(sum, node->total_ns);
    self_ns += node->self_ns;
    if (prof_line_leaf_name(leaves, node->function)) {
      assert_int_equal(node->first_child, PROF_NONE);
      sums[node->function - leaves->first] += node->total_ns;
    }
  }
  assert_int_equal(self_ns, prof_node_total(&profile->nodes[0], shown));
  for (uint32_t i = 0; i < leaves->count; i++)
    assert_int_equal(sums[i], all_of(leaves, leaves->first + i));
  prof_tree_free(&tree);
  assert_int_equal(prof_reverse_select(profile, leaves, &limits, NULL, &tree), PROF_OK);
  self_ns = 0;
  for (uint32_t i = 1; i < tree.count; i++) {
    self_ns += tree.nodes[i].self_ns;
    if (prof_line_leaf_name(leaves, tree.nodes[i].function)) {
      assert_int_equal(tree.nodes[i].parent, 0);
      assert_int_equal(tree.nodes[i].total_ns, all_of(leaves, tree.nodes[i].function));
    }
  }
  assert_int_equal(self_ns, prof_node_total(&profile->nodes[0], shown));
  prof_tree_free(&tree);
  free(sums);
}

/* At a limit the time beneath belongs to the last call: then there are fewer leaves, but no less time. */
static void check_paths(const struct prof_line_leaves *leaves, size_t limit) {
  struct prof_call_path path = {.profile = profile, .time = shown, .leaves = leaves, .limit = limit};
  uint64_t ticks = 0;
  uint32_t seen = 0;
  for (uint32_t top = profile->nodes[0].first_child; top != PROF_NONE; top = profile->nodes[top].next_sibling)
    for (bool more = prof_call_path_begin(&path, top); more; more = prof_call_path_next(&path)) {
      ticks += prof_call_path_self_ticks(&path);
      assert_true(path.count > 0 && (!limit || path.count <= limit));
      bool is_leaf = prof_line_leaf_name(leaves, path.functions[path.count - 1]) != NULL;
      assert_int_equal(is_leaf, path.leaf != 0);
      assert_true(!is_leaf || path.functions[path.count - 2] == profile->nodes[path.node].function);
      seen += is_leaf;
    }
  assert_false(path.failed);
  assert_int_equal(ticks, prof_node_total(&profile->nodes[0], shown));
  if (limit == 0)
    assert_int_equal(seen, leaves->begin[profile->node_count]);
  prof_call_path_fini(&path);
}

static void random_profiles(void **state) {
  (void)state;
  for (uint64_t round = 0; round < 60; round++) {
    uint64_t seed = seed_of(round + 9500);
    struct prof_line_source source = {.find = find};
    struct trace_folder folder;
    struct prof_line_leaves leaves;
    struct prof_profile *folded;
    case_write(&folder, threads, random_threads(&seed));
    prof_trace *trace = case_open(&folder);
    assert_int_equal(prof_profile_fold(trace, NULL, &(struct prof_fold_options){.workers = 1}, NULL, &folded), PROF_OK);
    assert_int_equal(prof_names_new(trace, PROF_DEMANGLE_FULL, &names), PROF_OK);
    profile = folded;
    shown = (enum prof_time_kind)(round % PROF_TIME_KINDS);
    random_samples(&seed);
    if (case_random(&seed) % 2)
      random_pauses(&seed);
    asked = 0;
    assert_int_equal(prof_line_leaves_make(profile, &samples, names, &source, shown, false, NULL, &leaves), PROF_OK);
    assert_true(asked <= 6); /* each address once */
    for (uint32_t node = 0; node < profile->node_count; node++)
      if (node > 0 && profile->nodes[node].parent != 0)
        check_node(&leaves, node);
      else
        assert_int_equal(leaves.begin[node], leaves.begin[node + 1]);
    check_tree(&leaves);
    check_paths(&leaves, 0);
    check_paths(&leaves, 3);
    prof_line_leaves_free(&leaves);
    prof_names_free(names);
    prof_profile_free(folded);
    prof_trace_close(trace);
    trace_folder_remove(&folder);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_profiles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
