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

/* The clock is read once in PROF_LIGHT_SLOTS slots, and every event is there all the same. */
static void light_events_share_times(void **state) {
  (void)state;
  enum { CALLS = 8 * PROF_LIGHT_SLOTS };
  uint32_t thread = ring_double_find(&ring, gettid());
  size_t before, count, shared = 0, longest = 0, run = 0;
  free(ring_double_events(&ring, thread, &before));
  __atomic_store_n(&ring.threads[thread].light, UINT64_MAX, __ATOMIC_RELEASE);
  for (int i = 0; i < CALLS; i++)
    leaf(i);
  __atomic_store_n(&ring.threads[thread].light, 0, __ATOMIC_RELEASE);
  for (int i = 0; i < CALLS; i++)
    leaf(i);
  struct prof_event *events = ring_double_events(&ring, thread, &count);
  assert_int_equal(count - before, 4 * CALLS);
  for (size_t i = before + 1; i < count; i++) {
    assert_true(events[i].time >= events[i - 1].time);
    assert_int_equal(prof_event_kind(events[i].what), (i - before) % 2 ? PROF_EVENT_EXIT : PROF_EVENT_ENTRY);
    run = events[i].time == events[i - 1].time ? run + 1 : 0;
    if (i < before + 2 * CALLS) {
      shared += run > 0;
      longest = run > longest ? run : longest;
    }
  }
  assert_int_equal(longest, PROF_LIGHT_SLOTS - 1);
  assert_in_range(shared, 2 * CALLS - 2 * CALLS / PROF_LIGHT_SLOTS - PROF_LIGHT_SLOTS,
                  2 * CALLS - 2 * CALLS / PROF_LIGHT_SLOTS + 1);
  /* The first event after it may still be light, until the clock is read next. */
  size_t equal = 0;
  for (size_t i = before + 2 * CALLS + PROF_LIGHT_SLOTS; i < count; i++)
    equal += events[i].time == events[i - 1].time;
  assert_true(equal < CALLS); /* the clock's step may be coarser than an event */
  free(events);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nested_calls_come_in_order),
                                     cmocka_unit_test(light_events_share_times)};
  return cmocka_run_group_tests(tests, set_up, NULL);
}
