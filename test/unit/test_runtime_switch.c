/*
 * test_runtime_switch.c - stop and start while threads run through the sleds: PROF_TEST_SWITCHES times in total, a
 * million of them in the long test (make check-all).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_pump_thread.h"

enum { THREADS = 8, SWITCHES = 40000, MANY_SWITCHES_SECONDS = 1100 };

static struct ring_double ring;
static struct prof_hooks hooks;
static struct nest nests[2048];
static int over;

static void start(uint32_t thread_segments) {
  ring_double_open(&ring, 256, thread_segments, PROF_WHEN_FULL_WAIT);
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
}

PROBED static void stops_inside(void) {
  PROF_TEST_SLED(1);
  hooks.control(PROF_CONTROL_STOP, NULL);
  leaf(1);
  PROF_TEST_SLED(2);
}

/* A call that is open at the stop ends there; what runs while stopped leaves nothing. */
static void stop_and_start(void) {
  start(16);
  errno = 77;
  leaf(1);
  stops_inside();
  CHECK_EQUAL(hooks.control(PROF_CONTROL_IS_RECORDING, NULL), 0);
  tree(5);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
  node(1);
  CHECK_EQUAL(errno, 77);
  size_t count;
  struct prof_event *events = ring_double_events(&ring, 0, &count);
  static const uint8_t kinds[] = {1, 2, 1, 8, 1, 4, 1, 2, 1, 2, 2};
  CHECK_EQUAL(count, sizeof kinds);
  for (size_t i = 0; i < count; i++) {
    CHECK_EQUAL(prof_event_kind(events[i].what), kinds[i]);
    CHECK(i == 0 || events[i].time >= events[i - 1].time);
  }
  free(events);
}

static void *run_through(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
    CHECK_EQUAL(tree(6), 127);
  return unused;
}

/* Threads run through the sleds all the time. */
static void many_switches(void) {
  const char *given = getenv("PROF_TEST_SWITCHES");
  const unsigned long switches = given ? strtoul(given, NULL, 10) : SWITCHES;
  if (given)
    alarm(MANY_SWITCHES_SECONDS);
  pthread_t threads[THREADS];
  start(8);
  ring_pump_start(&ring, 100, nest_event, nests);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(pthread_create(&threads[i], NULL, run_through, NULL), 0);
  for (unsigned long done = 0; done < switches; done += 2) {
    CHECK_EQUAL(hooks.control(PROF_CONTROL_STOP, NULL), 0);
    CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  uint64_t holes = ring_pump_stop(), stops = 0;
  CHECK_EQUAL(holes, 0);
  for (int i = 0; i < THREADS; i++) {
    CHECK(nests[i].entries > 0);
    CHECK_EQUAL(nests[i].misplaced + nests[i].gaps + ring.threads[i].lost, 0);
    stops += nests[i].stops;
  }
  CHECK(stops > 100);
}

PROF_TEST_CHILD(a_stop_closes_what_is_open, stop_and_start)
PROF_TEST_CHILD(switches_under_eight_threads, many_switches)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stop_closes_what_is_open),
      cmocka_unit_test(switches_under_eight_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
