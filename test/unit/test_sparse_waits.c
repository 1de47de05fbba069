/*
 * test_sparse_waits.c - waits of stretches that are more than their node took go to nodes of the same thread.
 *
 * Thread 1 has the root 1 and nodes 2 to 4, thread 2 the root 5 and node 6.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "estimate/sparse_waits.h"

enum { COUNT = 7, MARKS = 12 };

static struct prof_node nodes[COUNT];
static struct prof_fold_mark items[MARKS];
static struct prof_fold_marks marks = {.items = items};
static size_t mark_count;

static void begin(void) {
  static const uint32_t parents[COUNT] = {PROF_NONE, 0, 1, 1, 3, 0, 5};
  static const uint64_t selves[COUNT] = {0, 0, 100, 60, 40, 0, 50};
  for (uint32_t i = 0; i < COUNT; i++)
    nodes[i] = (struct prof_node){.parent = parents[i], .self_ticks = selves[i]};
  mark_count = 0;
}

static void sample(uint32_t node) {
  items[mark_count++] = (struct prof_fold_mark){.node = node, .state = PROF_MARK_PLACED};
}

/* As take_pauses of sum_up.c adds it. */
static void pause(uint32_t node, uint64_t ticks, float times, bool waits) {
  uint64_t all = (uint64_t)((double)ticks * (double)times);
  items[mark_count++] = (struct prof_fold_mark){.node = node,
                                                .state = PROF_MARK_PLACED,
                                                .off_ticks = ticks,
                                                .counted_ticks = ticks,
                                                .times = times,
                                                .waits = waits};
  *(waits ? &nodes[node].self_off.waiting : &nodes[node].self_off.preempted) += all;
}

static void move(void) {
  assert_true(prof_sparse_waits_move(nodes, COUNT, &marks, mark_count));
}

static uint64_t off(uint32_t node) {
  return nodes[node].self_off.waiting + nodes[node].self_off.preempted;
}

/* 50 are too many in node 2.  The thread ran 50 of 200 ticks, all of its samples are in node 4, which took 40. */
static void what_samples_do_not_show_waited(void **state) {
  (void)state;
  begin();
  pause(2, 15, 10, true);
  for (int i = 0; i < 5; i++)
    sample(4);
  move();
  assert_int_equal(nodes[2].self_off.waiting, 100);
  assert_int_equal(nodes[3].self_off.waiting, 50);
  assert_int_equal(off(4), 0);
  assert_int_equal(off(6), 0);
}

/* Without samples all of a thread's nodes waited alike. */
static void without_samples_all_have_a_part(void **state) {
  (void)state;
  begin();
  pause(2, 15, 10, true);
  move();
  assert_int_equal(off(2), 100);
  assert_int_equal(nodes[3].self_off.waiting, 30);
  assert_int_equal(nodes[4].self_off.waiting, 20);
}

/* What was preempted stays so. */
static void kinds_keep_their_parts(void **state) {
  (void)state;
  begin();
  pause(2, 10, 10, true);
  pause(2, 5, 10, false);
  move();
  assert_in_range(nodes[2].self_off.waiting, 66, 67);
  assert_in_range(nodes[2].self_off.preempted, 33, 34);
  assert_in_range(nodes[3].self_off.waiting, 19, 20);
  assert_in_range(nodes[3].self_off.preempted, 9, 10);
}

/* There is no more time than the thread has. */
static void a_thread_has_its_life(void **state) {
  (void)state;
  begin();
  pause(2, 100, 10, true);
  sample(4);
  move();
  for (uint32_t i = 2; i <= 4; i++)
    assert_int_equal(off(i), nodes[i].self_ticks);
}

/* Pauses that stand for themselves are known: too many of them are damage, and nobody else's. */
static void exact_pauses_are_left(void **state) {
  (void)state;
  begin();
  pause(2, 150, 1, true);
  move();
  assert_int_equal(off(2), 150);
  pause(6, 1, 10, true);
  move();
  assert_int_equal(off(2), 150);
  assert_int_equal(off(3) + off(4), 0);
  assert_int_equal(off(6), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_samples_do_not_show_waited),
                                     cmocka_unit_test(without_samples_all_have_a_part),
                                     cmocka_unit_test(kinds_keep_their_parts), cmocka_unit_test(a_thread_has_its_life),
                                     cmocka_unit_test(exact_pauses_are_left)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
