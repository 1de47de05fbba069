/*
 * test_runtime_events.c - what bodies write: order, sites, callers, frames.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "ring_double.h"
#include "sled.h"

static struct ring_double ring;
static struct prof_hooks hooks;

__attribute__((noinline)) static int leaf(int x) {
  PROF_TEST_SLED(1);
  __asm__ volatile("" : "+r"(x));
  PROF_TEST_SLED(2);
  return x;
}

__attribute__((noinline)) static int node(int x) {
  PROF_TEST_SLED(1);
  x = leaf(x) + leaf(x + 1);
  PROF_TEST_SLED(2);
  return x;
}

static int set_up(void **state) {
  (void)state;
  ring_double_open(&ring, 64, 32, PROF_WHEN_FULL_DROP);
  struct prof_module_start start = prof_test_start(&hooks);
  prof_runtime_attach_v1(&start);
  return hooks.wire_version == PROF_WIRE_VERSION ? 0 : -1;
}

static void nested_calls_come_in_order(void **state) {
  (void)state;
  assert_int_equal(node(1), 3);
  uint32_t thread = ring_double_find(&ring, gettid());
  assert_int_not_equal(thread, UINT32_MAX);
  size_t count;
  struct prof_event *events = ring_double_events(&ring, thread, &count);
  static const struct { uint32_t site, kind; } expected[] = {{3, 1}, {1, 1}, {2, 2}, {1, 1}, {2, 2}, {4, 2}};
  assert_int_equal(count, 6);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(prof_event_site(events[i].what), expected[i].site);
    assert_int_equal(prof_event_kind(events[i].what), expected[i].kind);
    if (i)
      assert_true(events[i].time >= events[i - 1].time);
  }
  free(events);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nested_calls_come_in_order)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
