/*
 * test_record_order.c - the kernel's records of several buffers, of which one was read before the other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/sampling/record_order.h"

static void add(struct prof_record_order *order, enum prof_perf_kind kind, uint64_t time_ns) {
  const struct prof_perf_record record = {.kind = kind, .time_ns = time_ns, .path = ""};
  prof_record_order_add(order, &record, false);
}

static void add_sample(struct prof_record_order *order, uint64_t time_ns, const char *text) {
  const struct prof_unwind_sample stack = {.stack = (const uint8_t *)text, .stack_bytes = strlen(text)};
  const struct prof_perf_record record = {.kind = PROF_PERF_SAMPLE, .time_ns = time_ns, .path = "", .stack = &stack};
  prof_record_order_add(order, &record, false);
}

/* Those of before `until_ns` are of these times, in this order. */
static void expect(struct prof_record_order *order, uint64_t until_ns, size_t count, const uint64_t *times) {
  assert_int_equal(prof_record_order_before(order, until_ns), count);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(order->items.items[i].record.time_ns, times[i]);
  prof_record_order_drop(order, count);
}

/* A thread starts on one processor, whose buffer was read before that, and waits on another one. */
static void a_wait_comes_after_its_threads_start(void **state) {
  (void)state;
  struct prof_record_order order = {0};
  add(&order, PROF_PERF_SAMPLE, 90);
  add(&order, PROF_PERF_SWITCH, 130); /* read from the second buffer, at 140 */
  expect(&order, 100, 1, (const uint64_t[]){90});
  add(&order, PROF_PERF_FORK, 120); /* of the first one */
  add(&order, PROF_PERF_SWITCH, 180);
  assert_int_equal(prof_record_order_before(&order, 200), 3);
  assert_int_equal(order.items.items[0].record.kind, PROF_PERF_FORK);
  expect(&order, 200, 3, (const uint64_t[]){120, 130, 180});
  expect(&order, UINT64_MAX, 0, NULL);
  prof_record_order_fini(&order);
}

static void a_moment_itself_is_not_before_it(void **state) {
  (void)state;
  struct prof_record_order order = {0};
  add(&order, PROF_PERF_SWITCH, 100);
  expect(&order, 100, 0, NULL);
  expect(&order, 101, 1, (const uint64_t[]){100});
  prof_record_order_fini(&order);
}

/* Stacks go with their samples, and no store grows. */
static void stacks_wait_with_their_samples(void **state) {
  (void)state;
  static const char *const texts[] = {"early", "a later one", "the last"};
  struct prof_record_order order = {0};
  for (uint64_t round = 0; round < 100; round++) {
    uint64_t begin = round * 1000;
    for (uint64_t i = 3; i-- > 0;) /* the last one first */
      add_sample(&order, begin + i, texts[i]);
    for (uint64_t i = 0; i < 3; i++) {
      assert_int_equal(prof_record_order_before(&order, begin + i + 1), 1);
      struct prof_unwind_sample stack = prof_stack_copies_get(&order.copies, order.items.items[0].stack);
      assert_int_equal(stack.stack_bytes, strlen(texts[i]));
      assert_memory_equal(stack.stack, texts[i], stack.stack_bytes);
      prof_record_order_drop(&order, 1);
      assert_int_equal(order.copies.items.count, 2 - i);
    }
  }
  add_sample(&order, 1, "one that is never taken");
  prof_record_order_fini(&order);
}

static void a_files_path_is_its_own(void **state) {
  (void)state;
  struct prof_record_order order = {0};
  char path[] = "/lib/one.so";
  const struct prof_perf_record record = {.kind = PROF_PERF_MAP, .time_ns = 5, .path = path};
  prof_record_order_add(&order, &record, true);
  prof_record_order_add(&order, &record, false);
  memset(path, 'x', sizeof path - 1);
  assert_int_equal(prof_record_order_before(&order, 6), 2);
  const char *first = order.items.items[0].path, *second = order.items.items[1].path;
  assert_string_equal(first != NULL ? first : second, "/lib/one.so");
  assert_true(first == NULL || second == NULL);
  prof_record_order_fini(&order);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wait_comes_after_its_threads_start),
      cmocka_unit_test(a_moment_itself_is_not_before_it),
      cmocka_unit_test(stacks_wait_with_their_samples),
      cmocka_unit_test(a_files_path_is_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
