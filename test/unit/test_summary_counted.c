/*
 * test_summary_counted.c - samples of hardware counters in a summary: alike ones, a limit, bytes and back, malformed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "fold/summary/summary.h"
#include "trace/bytes.h"

enum { NODES = 40, ADDRESSES = 500 };

/* A thread and nodes beneath it; each address has one sample more than the one before. */
static void make(struct prof_summary *summary, uint32_t addresses) {
  assert_int_equal(prof_summary_init(summary), PROF_OK);
  const uint32_t key = prof_summary_key(summary, (struct prof_summary_key){.kind = PROF_SUMMARY_FUNCTION, .module = 1});
  uint32_t node = prof_fold_child(&summary->core, 0, 5);
  for (uint32_t i = 0; i < NODES; i++)
    node = prof_fold_child(&summary->core, node, key);
  for (uint32_t i = 0; i < addresses; i++)
    for (uint32_t turn = 0; turn < 2; turn++)
      assert_true(prof_summary_add_counted(summary, (struct prof_summary_counted){.node = 1 + i % NODES,
                                                                                  .thread = 5,
                                                                                  .module = 1,
                                                                                  .counter = 1 + i % 2,
                                                                                  .where = i % 4,
                                                                                  .address = 0x1000 + i,
                                                                                  .count = i + turn,
                                                                                  .weight = 1000}));
}

static uint64_t weight_of(const struct prof_summary *summary, uint32_t node) {
  uint64_t weight = 0;
  for (size_t i = 0; i < summary->counted.count; i++)
    weight += node == 0 || summary->counted.items[i].node == node ? summary->counted.items[i].weight : 0;
  return weight;
}

static void alike_ones_are_one(void **state) {
  (void)state;
  struct prof_summary summary;
  make(&summary, ADDRESSES);
  assert_int_equal(summary.counted.count, ADDRESSES);
  assert_int_equal(summary.counted.items[7].weight, 2000);
  assert_int_equal(summary.counted.items[7].count, 15);
  prof_summary_fini(&summary);
}

/* Nodes keep their sums; rows of many samples keep their addresses. */
static void cold_ones_lose_addresses(void **state) {
  (void)state;
  struct prof_summary summary;
  make(&summary, ADDRESSES);
  const uint64_t bytes = prof_summary_counted_bytes(&summary);
  assert_true(prof_summary_prune_counted(&summary, bytes * 4));
  assert_int_equal(summary.counted.count, ADDRESSES);
  assert_true(prof_summary_prune_counted(&summary, bytes));
  assert_in_range(summary.counted.count, NODES, ADDRESSES / 2);
  assert_int_equal(weight_of(&summary, 0), ADDRESSES * 2000);
  assert_int_equal(weight_of(&summary, 1), (ADDRESSES + NODES - 1) / NODES * 2000);
  assert_int_equal(summary.counted.items[0].address, 0x1000 + ADDRESSES - 1);
  prof_summary_fini(&summary);
}

/* The whole summary within its limit: paths go too. */
static void within_a_limit(void **state) {
  (void)state;
  struct prof_summary summary;
  make(&summary, ADDRESSES);
  assert_int_equal(prof_summary_prune(&summary, 8000), PROF_OK);
  assert_int_equal(weight_of(&summary, 0), ADDRESSES * 2000);
  for (size_t i = 0; i < summary.counted.count; i++)
    assert_true(summary.counted.items[i].node < summary.core.node_count);
  prof_summary_fini(&summary);
}

static void bytes_and_back(void **state) {
  (void)state;
  struct prof_summary summary, same;
  struct prof_payload first = {0}, second = {0};
  make(&summary, ADDRESSES);
  make(&same, 0);
  prof_summary_write_counted(&summary, &first);
  assert_int_equal(prof_summary_read_counted(first.items, first.count, &same), PROF_OK);
  prof_summary_write_counted(&same, &second);
  assert_false(first.failed || second.failed);
  assert_int_equal(first.count, second.count);
  assert_memory_equal(first.items, second.items, first.count);
  prof_summary_fini(&summary);
  prof_summary_fini(&same);
  prof_vec_fini(&first);
  prof_vec_fini(&second);
}

/* Cut anywhere, or with nodes that the summary doesn't have. */
static void malformed(void **state) {
  (void)state;
  struct prof_summary summary, read;
  struct prof_payload payload = {0};
  make(&summary, 20);
  summary.counted.items[19].node = summary.core.node_count;
  prof_summary_write_counted(&summary, &payload);
  for (size_t i = 0; i <= payload.count; i++) {
    make(&read, 0);
    assert_int_equal(prof_summary_read_counted(payload.items, i, &read), PROF_CORRUPT);
    prof_summary_fini(&read);
  }
  prof_summary_fini(&summary);
  prof_vec_fini(&payload);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alike_ones_are_one), cmocka_unit_test(cold_ones_lose_addresses),
      cmocka_unit_test(within_a_limit),     cmocka_unit_test(bytes_and_back),
      cmocka_unit_test(malformed),
  };
  return cmocka_run_group_tests_name("summary_counted", tests, NULL, NULL);
}
