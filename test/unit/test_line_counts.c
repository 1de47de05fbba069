/* test_line_counts.c - plugin-common/flow.c and analysis/lines/count_flow.c against walks that count every arc
 * themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/lines/count_flow.h"
#include "flow.h"

enum { GRAPHS = 300, NODES_MAX = 14, WALKS = 40, STEPS_MAX = 400, MUTATIONS = 4000 };

static uint32_t draw(uint64_t *seed, uint32_t below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % below;
}

/* Every node can be reached from ENTRY and reaches EXIT; some have an arc that can't be counted, as calls have. */
static void make_graph(struct prof_flow *flow, uint64_t *seed) {
  uint32_t nodes = 1 + draw(seed, NODES_MAX);
  prof_flow_init(flow);
  for (uint32_t i = 0; i < nodes; i++) {
    prof_flow_node(flow);
    for (uint32_t lines = draw(seed, 3); lines > 0; lines--)
      prof_flow_place(flow, draw(seed, 4) ? "/a/b.c" : "/a/b.h", 1 + draw(seed, 5));
  }
  prof_flow_arc(flow, PROF_FLOW_ENTRY, 2, PROF_ARC_CHEAP);
  for (uint32_t i = 0; i < nodes; i++) {
    uint32_t next = i + 1 < nodes ? i + 3 : PROF_FLOW_EXIT;
    prof_flow_arc(flow, i + 2, next, (enum prof_arc_cost)draw(seed, PROF_ARC_IMPOSSIBLE));
    if (draw(seed, 2))
      prof_flow_arc(flow, i + 2, 2 + draw(seed, nodes), (enum prof_arc_cost)draw(seed, PROF_ARC_IMPOSSIBLE));
    if (draw(seed, 4) == 0)
      prof_flow_arc(flow, i + 2, PROF_FLOW_EXIT, PROF_ARC_IMPOSSIBLE);
  }
  prof_flow_solve(flow);
  assert_false(flow->failed);
}

/* From ENTRY to EXIT by arcs drawn at random; counts each, and steps the counters in `words`. */
static void walk(const struct prof_flow *flow, uint64_t *seed, int64_t *taken, uint64_t *words) {
  uint32_t node = PROF_FLOW_ENTRY;
  for (uint32_t step = 0; node != PROF_FLOW_EXIT; step++) {
    uint32_t ways[64], count = 0;
    for (uint32_t i = 0; i < flow->arc_count && count < 64; i++)
      if (flow->arcs[i].from == node)
        ways[count++] = i;
    uint32_t arc = ways[step < STEPS_MAX ? draw(seed, count) : 0]; /* the first leads on */
    taken[arc]++;
    if (flow->arcs[arc].counter != PROF_FLOW_NO_COUNTER)
      words[PROF_FLOW_FIRST_COUNTER + flow->arcs[arc].counter]++;
    node = flow->arcs[arc].to;
  }
}

static void counts_of_all_arcs_follow(void **state) {
  struct prof_count_flow read = {0};
  uint64_t seed = 20;
  (void)state;
  for (int graph = 0; graph < GRAPHS; graph++) {
    struct prof_flow flow;
    size_t word_count, next;
    int64_t taken[4 * NODES_MAX] = {0};
    make_graph(&flow, &seed);
    assert_in_range(flow.arc_count, 1, 4 * NODES_MAX - 1);
    uint64_t *words = prof_flow_object(&flow, "f", 7, &word_count);
    assert_non_null(words);
    for (int i = 0; i < WALKS; i++)
      walk(&flow, &seed, taken, words);
    struct prof_count_block block = {0, 0, (const uint8_t *)words, word_count * 8};
    assert_int_equal(prof_count_flow_read(&read, &block, 0, &next), PROF_OK);
    assert_int_equal(next, block.bytes);
    assert_string_equal(read.name, "f");
    assert_int_equal(read.line, 7);
    assert_int_equal(read.arcs.count, flow.arc_count);
    assert_int_equal(read.places.count, flow.place_count);
    assert_int_equal(read.nodes.items[PROF_FLOW_ENTRY], WALKS);
    for (uint32_t i = 0; i < flow.arc_count; i++)
      assert_int_equal(read.arcs.items[i].count, taken[i]);
    assert_int_equal(prof_count_flow_read(&read, &block, next, &next), PROF_NOT_FOUND);
    free(words);
    prof_flow_fini(&flow);
  }
  prof_count_flow_fini(&read);
}

static void counters_are_no_more_than_a_tree_needs(void **state) {
  uint64_t seed = 3;
  (void)state;
  for (int graph = 0; graph < GRAPHS; graph++) {
    struct prof_flow flow;
    make_graph(&flow, &seed);
    /* All nodes hang together, EXIT and ENTRY are one: a tree has node_count - 2 arcs. */
    assert_int_equal(flow.counter_count, flow.arc_count - (flow.node_count - 2));
    for (uint32_t i = 0; i < flow.arc_count; i++)
      assert_false((flow.arcs[i].flags & PROF_ARC_FAKE) && flow.arcs[i].counter != PROF_FLOW_NO_COUNTER);
    prof_flow_fini(&flow);
  }
}

static void a_place_twice_in_a_node_is_one(void **state) {
  struct prof_flow flow;
  (void)state;
  prof_flow_init(&flow);
  prof_flow_node(&flow);
  prof_flow_place(&flow, "/a.c", 3);
  prof_flow_place(&flow, "/a.c", 4);
  prof_flow_place(&flow, "/a.c", 3);
  prof_flow_node(&flow);
  prof_flow_place(&flow, "/a.c", 3);
  assert_int_equal(flow.place_count, 3);
  assert_int_equal(flow.file_count, 1);
  prof_flow_fini(&flow);
}

static void damaged_objects_are_refused(void **state) {
  struct prof_count_flow read = {0};
  struct prof_flow flow;
  size_t word_count, next, refused = 0;
  uint64_t seed = 11;
  (void)state;
  make_graph(&flow, &seed);
  uint64_t *words = prof_flow_object(&flow, "f", 7, &word_count);
  assert_non_null(words);
  size_t bytes = word_count * 8;
  for (int i = 0; i < MUTATIONS; i++) {
    uint8_t *copy = malloc(bytes); /* its own, so that a read past its end is seen */
    assert_non_null(copy);
    memcpy(copy, words, bytes);
    for (uint32_t n = 1 + draw(&seed, 3); n > 0; n--)
      copy[draw(&seed, (uint32_t)bytes)] = (uint8_t)draw(&seed, 256);
    struct prof_count_block block = {0, 0, copy, draw(&seed, 4) ? bytes : draw(&seed, (uint32_t)bytes)};
    prof_status status = prof_count_flow_read(&read, &block, 0, &next);
    assert_true(status == PROF_OK || status == PROF_CORRUPT || status == PROF_NOT_FOUND);
    assert_true(next <= block.bytes);
    refused += status == PROF_CORRUPT;
    free(copy);
  }
  assert_true(refused > 0);
  free(words);
  prof_flow_fini(&flow);
  prof_count_flow_fini(&read);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_of_all_arcs_follow),
      cmocka_unit_test(counters_are_no_more_than_a_tree_needs),
      cmocka_unit_test(a_place_twice_in_a_node_is_one),
      cmocka_unit_test(damaged_objects_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
