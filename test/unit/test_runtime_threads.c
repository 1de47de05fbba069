/*
 * test_runtime_threads.c - threads that come and go: each has a record, every event is there, ends and names are known.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_pump_thread.h"

enum { ROUNDS = 60, AT_ONCE = 16, LEFT_BEHIND = 32, IDLE = 500 };

static struct ring_double ring;
static struct prof_hooks hooks;
static struct nest nests[2048];
static pthread_key_t key;
static uint64_t calls;
static pthread_barrier_t barrier;

static void start(uint32_t segments, enum prof_when_full when_full) {
  ring_double_open(&ring, segments, 16, when_full);
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
}

static void at_end(void *value) { /* probed code in another key's destructor is recorded as well */
  __atomic_fetch_add(&calls, tree(2), __ATOMIC_RELAXED);
  if (value == &calls)
    pthread_setspecific(key, &key); /* once more, in the second round */
}

static void *work(void *depth) {
  pthread_setspecific(key, &calls);
  pthread_setname_np(pthread_self(), "worker");
  __atomic_fetch_add(&calls, tree((unsigned)(uintptr_t)depth), __ATOMIC_RELAXED);
  return NULL;
}

static void come_and_go(void) {
  start(256, PROF_WHEN_FULL_WAIT);
  pthread_key_create(&key, at_end);
  ring_pump_start(&ring, 50, nest_event, nests);
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t threads[AT_ONCE];
    for (uintptr_t i = 0; i < AT_ONCE; i++)
      CHECK_EQUAL(pthread_create(&threads[i], NULL, work, (void *)(i % 12)), 0);
    for (int i = 0; i < AT_ONCE; i++)
      pthread_join(threads[i], NULL);
    while (ring_pump_ended() + LEFT_BEHIND < (uint64_t)(round + 1) * AT_ONCE)
      usleep(1000); /* on a busy machine the pump may not have run at all */
  }
  uint64_t holes = ring_pump_stop(), entries = 0, faults = 0;
  for (uint32_t i = 0; i < ring.control->threads_used; i++) {
    entries += nests[i].entries;
    faults += nests[i].unmatched + nests[i].misplaced + nests[i].depth + nests[i].inversions + nests[i].gaps;
    CHECK_EQUAL(nests[i].entries, nests[i].exits);
    CHECK_EQUAL(memcmp(ring.threads[i].name, "worker", 7), 0);
    CHECK_EQUAL(ring.threads[i].process, 1);
  }
  CHECK_EQUAL(entries, calls);
  CHECK_EQUAL(faults + holes, 0);
  CHECK_EQUAL(ring_pump_ended(), ROUNDS * AT_ONCE);                       /* all said that they end */
  CHECK(ring.control->threads_used <= LEFT_BEHIND + 2 * AT_ONCE);         /* records are used again */
  CHECK(ring.control->fresh_segments <= 2 * (LEFT_BEHIND + 2 * AT_ONCE)); /* and segments */
}

PROBED static void below(int level) {
  PROF_TEST_SLED(1);
  if (level > 0)
    below(level - 1);
  else if (level == 0)
    pthread_exit(NULL);
  PROF_TEST_SLED(2);
}

static void *leave(void *unused) {
  pthread_setspecific(key, &below);
  below(4);
  return unused;
}

/* A thread that ends below its frames says that they are gone before destructors of keys run. */
static void leave_from_below(void) {
  pthread_t thread;
  size_t count;
  start(64, PROF_WHEN_FULL_WAIT);
  pthread_key_create(&key, at_end);
  pthread_create(&thread, NULL, leave, NULL);
  pthread_join(thread, NULL);
  struct prof_event *events = ring_double_events(&ring, 0, &count);
  CHECK_EQUAL(count, 5 + 1 + 2 * calls);
  CHECK_EQUAL(calls, 7);
  for (size_t i = 0; i < count; i++)
    CHECK_EQUAL(prof_event_kind(events[i].what) == PROF_EVENT_BOTTOM, i == 5);
  for (size_t i = 0; i < 5; i++)
    CHECK_EQUAL(prof_event_kind(events[i].what), PROF_EVENT_ENTRY);
  free(events);
}

static void *idle(void *unused) {
  tree(3);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}

/* Threads that record little touch few pages of their segments. */
static void idle_threads_take_little(void) {
  pthread_t threads[IDLE];
  pthread_attr_t attributes;
  start(1024, PROF_WHEN_FULL_WAIT);
  pthread_barrier_init(&barrier, NULL, IDLE + 1);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  for (int i = 0; i < IDLE; i++)
    CHECK_EQUAL(pthread_create(&threads[i], &attributes, idle, NULL), 0);
  pthread_barrier_wait(&barrier);
  CHECK_EQUAL(ring.control->threads_used, IDLE);
  CHECK_EQUAL(ring.control->fresh_segments, IDLE);
  CHECK(ring_double_memory(&ring) <= (IDLE + 64 + 16) * (size_t)4096); /* a page each, their records, the log */
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < IDLE; i++)
    pthread_join(threads[i], NULL);
}

static void *named(void *name) {
  hooks.control(PROF_CONTROL_THREAD_NAME, name);
  return NULL;
}

static void check_given(uint32_t record, const char *name, const char *wanted) {
  pthread_t thread;
  CHECK_EQUAL(pthread_create(&thread, NULL, named, (void *)(uintptr_t)name), 0);
  pthread_join(thread, NULL);
  CHECK_EQUAL(strcmp((const char *)ring.threads[record].given, wanted), 0);
  CHECK(ring.threads[record].first_segment != 0); /* the recorder sees it */
}

/* A thread can be named before its first event, also while nothing is recorded; no character is cut. */
static void names_are_given(void) {
  start(64, PROF_WHEN_FULL_WAIT);
  check_given(0, "worker 1", "worker 1");
  check_given(1, "0123456789012345678901234567890123456789012", "0123456789012345678901234567890123456789012");
  check_given(2, "0123456789012345678901234567890123456789012345", "0123456789012345678901234567890123456789012");
  check_given(3, "01234567890123456789012345678901234567890\xe2\x82\xac", "01234567890123456789012345678901234567890");
  check_given(4, NULL, "");
  hooks.control(PROF_CONTROL_STOP, NULL);
  check_given(5, "while stopped", "while stopped");
  named((void *)(uintptr_t) "first");
  named((void *)(uintptr_t) "");
  CHECK_EQUAL(ring.threads[6].given[0], 0);
}

/* The latest time stays; without a recording, or one in several files, there is none. */
static void clears(void) {
  start(64, PROF_WHEN_FULL_WAIT);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_CLEAR, NULL), 0);
  CHECK_EQUAL(ring.control->clear, 0);
  ring.control->flags |= PROF_CONTROL_ONE_FILE;
  uint32_t bell = ring.control->bell;
  ring.control->recorder_sleeps = 1;
  CHECK_EQUAL(hooks.control(PROF_CONTROL_CLEAR, NULL), 1);
  uint64_t first = ring.control->clear;
  CHECK(first > 0 && ring.control->bell != bell);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_CLEAR, NULL), 1);
  CHECK(ring.control->clear >= first);
  hooks.control(PROF_CONTROL_STOP, NULL);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_CLEAR, NULL), 0);
  CHECK_EQUAL(hooks.control(-1, NULL) | hooks.control(99, NULL), 0);
}

/* More threads than records: what can't be recorded is dropped, the program goes on. */
static void more_threads_than_records(void) {
  ring_double_open(&ring, 64, 4, PROF_WHEN_FULL_WAIT);
  ring.control->thread_count = 3;
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  pthread_t threads[AT_ONCE];
  for (uintptr_t i = 0; i < AT_ONCE; i++)
    CHECK_EQUAL(pthread_create(&threads[i], NULL, work, (void *)(i % 8)), 0);
  for (int i = 0; i < AT_ONCE; i++)
    pthread_join(threads[i], NULL);
  CHECK_EQUAL(ring.control->threads_used, 3);
}

PROF_TEST_CHILD(threads_come_and_go, come_and_go)
PROF_TEST_CHILD(a_thread_that_leaves_from_below_says_so, leave_from_below)
PROF_TEST_CHILD(idle_threads_touch_one_page, idle_threads_take_little)
PROF_TEST_CHILD(threads_without_a_record_run_on, more_threads_than_records)
PROF_TEST_CHILD(names_of_threads_are_given, names_are_given)
PROF_TEST_CHILD(clear_keeps_the_latest_time, clears)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_come_and_go),         cmocka_unit_test(a_thread_that_leaves_from_below_says_so),
      cmocka_unit_test(idle_threads_touch_one_page), cmocka_unit_test(threads_without_a_record_run_on),
      cmocka_unit_test(names_of_threads_are_given),  cmocka_unit_test(clear_keeps_the_latest_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
