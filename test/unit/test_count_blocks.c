/* test_count_blocks.c - analysis/lines/count_blocks.c on flows drawn by hand: "4>5:9w" is 9 times from node 4 to 5
 * within a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/lines/count_blocks.h"
#include "counts.h"

enum { NODES = 12, FLOWS = 3000 };

static void add_arc(struct prof_count_flow *flow, uint32_t from, uint32_t to, int64_t count, uint32_t flags) {
  struct prof_count_arc arc = {from, to, flags, count};
  assert_true(prof_vec_push(&flow->arcs, arc));
  flow->nodes.items[to] += count;
}

static void make_nodes(struct prof_count_flow *flow) {
  *flow = (struct prof_count_flow){.node_count = NODES, .lines_by = PROF_FLOW_BY_BLOCK};
  assert_true(prof_vec_reserve(&flow->nodes, NODES));
  memset(flow->nodes.items, 0, NODES * sizeof *flow->nodes.items);
  flow->nodes.count = NODES;
}

static void draw(struct prof_count_flow *flow, const char *picture) {
  make_nodes(flow);
  unsigned from, to;
  long count;
  for (int taken; sscanf(picture, " %u>%u:%ld%n", &from, &to, &count, &taken) == 3;) {
    picture += taken;
    bool is_within = *picture == 'w';
    picture += is_within;
    add_arc(flow, from, to, count, is_within ? PROF_ARC_WITHIN : 0);
  }
  assert_string_equal(picture, "");
}

/* Executions of a line that these nodes have; ends with 0. */
static uint64_t line(const struct prof_count_flow *flow, const uint32_t *nodes) {
  struct prof_count_blocks blocks = {0};
  struct prof_count_place places[NODES];
  size_t count = 0;
  for (; nodes[count]; count++)
    places[count] = (struct prof_count_place){nodes[count], 1, "a.c", false};
  assert_true(prof_count_blocks_begin(&blocks, flow));
  uint64_t times = prof_count_blocks_line(&blocks, flow, places, count);
  assert_int_equal(prof_count_blocks_line(&blocks, flow, places, count), times);
  prof_count_blocks_fini(&blocks);
  return times;
}

#define LINE(flow, ...) line(flow, (const uint32_t[]){__VA_ARGS__, 0})

/* x = f(            nodes 2, 4: the line of f
 *       g(1), h(2)) node 3 */
static void a_line_that_control_comes_back_to_counts_once(void **state) {
  struct prof_count_flow flow;
  (void)state;
  draw(&flow, "0>2:30 2>3:30w 3>4:30w 4>1:30");
  assert_int_equal(LINE(&flow, 2, 4), 30);
  assert_int_equal(LINE(&flow, 3), 30);
  assert_int_equal(LINE(&flow, 4), 30);
  prof_count_flow_fini(&flow);
}

/* if (a()      nodes 2, 3
 *     && b())  4; and in 5, behind the call, the jump of the `if` */
static void a_condition_goes_on_in_the_next_block(void **state) {
  struct prof_count_flow flow;
  (void)state;
  draw(&flow, "0>2:30 2>3:30w 3>4:20 4>5:20w 3>6:10 5>6:15 5>7:5 6>1:25 7>1:5");
  assert_int_equal(LINE(&flow, 2, 3, 5), 30);
  assert_int_equal(LINE(&flow, 4, 5), 20);
  prof_count_flow_fini(&flow);
}

static void what_stands_behind_a_call_that_stays_away_counts_less(void **state) {
  struct prof_count_flow flow;
  (void)state;
  draw(&flow, "0>2:30 2>3:12w 2>1:18 3>1:12");
  assert_int_equal(LINE(&flow, 2), 30);
  assert_int_equal(LINE(&flow, 3), 12);
  assert_int_equal(LINE(&flow, 2, 3), 30);
  prof_count_flow_fini(&flow);
}

/* while (n--) f(); on one line, and a loop of one block with a call in it. */
static void rounds_within_a_line_count(void **state) {
  struct prof_count_flow flow;
  (void)state;
  draw(&flow, "0>2:3 2>3:40 3>4:40w 4>2:40 2>5:3 5>6:50w 6>5:47 6>1:3");
  assert_int_equal(LINE(&flow, 2, 3, 4), 43);
  assert_int_equal(LINE(&flow, 2), 43);
  assert_int_equal(LINE(&flow, 5, 6), 50);
  assert_int_equal(LINE(&flow, 6), 50);
  prof_count_flow_fini(&flow);
}

/* Arcs of a block may come in any order. */
static void blocks_join_in_any_order(void **state) {
  struct prof_count_flow flow;
  (void)state;
  draw(&flow, "4>5:7w 3>4:7w 2>3:7w 0>2:7 5>1:7");
  assert_int_equal(LINE(&flow, 2, 5), 7);
  assert_int_equal(LINE(&flow, 4), 7);
  prof_count_flow_fini(&flow);
}

/* Whatever a file says: it ends, and stays within its memory. */
static void any_arcs_are_taken(void **state) {
  uint64_t seed = 5, sum = 0;
  (void)state;
  for (int i = 0; i < FLOWS; i++) {
    struct prof_count_flow flow;
    make_nodes(&flow);
    for (int arc = 0; arc < 24; arc++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      uint32_t bits = (uint32_t)(seed >> 33);
      add_arc(&flow, bits % NODES, bits / 16 % NODES, bits / 256 % 100, bits / 65536 % 3 ? 0 : PROF_ARC_WITHIN);
    }
    sum += LINE(&flow, 1, 2, 3, 4, 5, 6, 7) + LINE(&flow, 2, 5, 9, 10) + LINE(&flow, 11);
    prof_count_flow_fini(&flow);
  }
  assert_true(sum > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_that_control_comes_back_to_counts_once),
      cmocka_unit_test(a_condition_goes_on_in_the_next_block),
      cmocka_unit_test(what_stands_behind_a_call_that_stays_away_counts_less),
      cmocka_unit_test(rounds_within_a_line_count),
      cmocka_unit_test(blocks_join_in_any_order),
      cmocka_unit_test(any_arcs_are_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
