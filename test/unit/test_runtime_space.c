/*
 * test_runtime_space.c - no space: waiting, dropping, a recorder that closes, dies, or comes back.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_pump_thread.h"
#include "state.h"
#include "wait.h"
#include "windows.h"

static struct ring_double ring;
static struct prof_hooks hooks;
static struct nest nests[2048];
static struct ring_reader reader;

static void start(uint32_t segments, uint32_t thread_segments, enum prof_when_full when_full) {
  ring_double_open(&ring, segments, thread_segments, when_full);
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
}

/* A slow recorder: the program waits, says so in its events, and loses nothing. */
static void waiting(void) {
  start(64, 4, PROF_WHEN_FULL_WAIT);
  ring_pump_start(&ring, 3000, nest_event, nests);
  uint64_t calls = 0;
  for (int i = 0; i < 40; i++)
    calls += tree(13);
  uint64_t holes = ring_pump_stop();
  CHECK_EQUAL(nests[0].entries, calls);
  CHECK_EQUAL(nests[0].exits, calls);
  CHECK(nests[0].stalls > 10);
  CHECK(ring.threads[0].stalled > 0);
  CHECK_EQUAL(nests[0].unmatched + nests[0].misplaced + nests[0].gaps + nests[0].inversions + nests[0].depth, 0);
  CHECK_EQUAL(holes + ring.threads[0].lost, 0);
  CHECK(ring.control->fresh_segments <= 4);
  CHECK_EQUAL(ring.control->waiters, 0);
}

/* Many threads wait in turn for few segments. */
enum { THREADS = 8 };
static uint64_t all_calls;
static void *work(void *unused) {
  for (int i = 0; i < 10; i++)
    __atomic_fetch_add(&all_calls, tree(12), __ATOMIC_RELAXED);
  return unused;
}

static void waiting_together(void) {
  pthread_t threads[THREADS];
  start(THREADS + 3, 4, PROF_WHEN_FULL_WAIT);
  ring_pump_start(&ring, 200, nest_event, nests);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQUAL(pthread_create(&threads[i], NULL, work, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  ring_pump_stop();
  uint64_t entries = 0, faults = 0;
  for (int i = 0; i < THREADS; i++) {
    entries += nests[i].entries;
    faults += nests[i].unmatched + nests[i].gaps + nests[i].depth + ring.threads[i].lost;
  }
  CHECK_EQUAL(entries, all_calls);
  CHECK_EQUAL(faults, 0);
}

/* Dropping: every event is either read or counted, and the gap says how many. */
static void dropping(void) {
  start(64, 3, PROF_WHEN_FULL_DROP);
  uint64_t calls = tree(14); /* 65,534 events into 3 segments, of which the first two are small */
  uint32_t thread = 0;
  ring_double_drain(&ring, &reader, thread, false, nest_event, nests);
  CHECK_EQUAL(nests[0].gaps, 0);
  calls += tree(10); /* there is space again */
  ring_double_drain(&ring, &reader, thread, false, nest_event, nests);
  CHECK_EQUAL(nests[0].gaps, 1);
  CHECK_EQUAL(nests[0].dropped, ring.threads[0].lost);
  CHECK_EQUAL(nests[0].entries + nests[0].exits + nests[0].dropped, 2 * calls);
  CHECK(nests[0].dropped > 40000);
  CHECK_EQUAL(nests[0].stalls + nests[0].misplaced + nests[0].inversions, 0);
}

/* FRAMEs are no events of their own: they are not counted as lost. */
static void dropping_frames(void) {
  start(64, 2, PROF_WHEN_FULL_DROP);
  uint64_t calls = 0;
  for (int i = 0; i < 5000; i++, calls += 3)
    node(i);
  ring_double_drain(&ring, &reader, 0, false, nest_event, nests);
  for (int i = 0; i < 500; i++, calls += 3)
    node(i);
  ring_double_drain(&ring, &reader, 0, false, nest_event, nests);
  CHECK_EQUAL(nests[0].gaps, 1);
  CHECK_EQUAL(nests[0].entries + nests[0].exits + nests[0].dropped, 2 * calls);
  CHECK_EQUAL(nests[0].misplaced, 0);
}

/* The recorder dies while the program waits: after a while it goes on, dropping. */
static void recorder_dies(void) {
  start(64, 3, PROF_WHEN_FULL_WAIT);
  pid_t recorder = fork();
  if (recorder == 0) {
    usleep(300000);
    _exit(0);
  }
  ring.control->recorder_pid = recorder; /* a zombie soon: nobody waits for it */
  tree(15);
  CHECK(ring.threads[0].stalled > 0);
  CHECK(ring.threads[0].lost > 0);
  wait(NULL);
  tree(15);                  /* and now it isn't even that */
  ring.control->heartbeat++; /* another one took over */
  ring.control->recorder_pid = getpid();
  ring_pump_start(&ring, 0, nest_event, nests);
  uint64_t calls = 0;
  for (int i = 0; i < 4; i++)
    calls += tree(15);
  ring_pump_stop();
  CHECK(nests[0].entries > calls / 2); /* it waits again, and is read */
  CHECK_EQUAL(nests[0].gaps, 1);
}

static bool beating;
static void *beat(void *unused) {
  while (__atomic_load_n(&beating, __ATOMIC_RELAXED)) {
    __atomic_fetch_add(&ring.control->heartbeat, 1, __ATOMIC_RELAXED);
    usleep(10000);
  }
  return unused;
}

/* Somebody has written over the region, so that the living recorder reads nothing of the thread: it does not wait for
 * what can't come.  As long as it has patience with a slow recorder there would be 2,000 beats. */
static void wait_in_vain(void (*write_over)(struct prof_thread *)) {
  enum { BEATS = 1000 };
  pthread_t recorder;
  start(64, 3, PROF_WHEN_FULL_WAIT);
  tree(5);
  write_over(&ring.threads[0]);
  beating = true;
  CHECK_EQUAL(pthread_create(&recorder, NULL, beat, NULL), 0);
  tree(15);
  __atomic_store_n(&beating, false, __ATOMIC_RELAXED);
  pthread_join(recorder, NULL);
  CHECK(ring.threads[0].lost > 0);
  CHECK(ring.control->heartbeat < BEATS);
}

static void state_over(struct prof_thread *record) {
  record->state = PROF_THREAD_FREE;
}
static void state_written_over(void) {
  wait_in_vain(state_over);
}

static void released_over(struct prof_thread *record) {
  record->released = 1000000;
}
static void released_written_over(void) {
  wait_in_vain(released_over);
}

/* The recorder wants no more: events stop, sleds become nops again, the program runs on; prof_start does nothing. */
static void recorder_closes(void) {
  start(64, 4, PROF_WHEN_FULL_WAIT);
  const uint8_t *sled = (const uint8_t *)&prof_test_rows_begin[0].sled + prof_test_rows_begin[0].sled;
  CHECK_EQUAL(*sled, 0xe9);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_IS_RECORDING, NULL), 1);
  tree(9);
  ring.control->recorder_state = PROF_RECORDER_CLOSED;
  CHECK_EQUAL(hooks.control(PROF_CONTROL_IS_RECORDING, NULL), 0);
  for (int i = 0; i < 5; i++)
    tree(12);
  CHECK_EQUAL(*sled, 0x0f);
  CHECK_EQUAL(ring.threads[0].lost, 0); /* not wanted is not lost */
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 0);
  CHECK_EQUAL(*sled, 0x0f);
}

/* The time for which somebody stopped the recorder is no silence: once continued, it may take a while to run. */
static void continued(void) {
  static struct prof_control control;
  const int64_t long_ns = 40000000000;
  int status;
  prof_runtime.recorder_visible = true;
  pid_t recorder = fork();
  if (recorder == 0)
    for (;;)
      pause();
  control.recorder_pid = (uint32_t)recorder;
  kill(recorder, SIGSTOP);
  CHECK_EQUAL(waitpid(recorder, &status, WUNTRACED), recorder);
  int64_t silent_ns = long_ns;
  CHECK(!prof_recorder_is_gone(&control, &silent_ns));
  CHECK(silent_ns < long_ns / 2);
  kill(recorder, SIGCONT);
  CHECK_EQUAL(waitpid(recorder, &status, WCONTINUED), recorder);
  CHECK(!prof_recorder_is_gone(&control, &silent_ns));
  silent_ns = long_ns;
  CHECK(prof_recorder_is_gone(&control, &silent_ns));
  kill(recorder, SIGKILL);
}

/* Threads need the second window at a time, and there is address space for one of it. */
enum { MAPPERS = 8, MAP_ROUNDS = 100, SPARE_BYTES = 256 << 10 };
static pthread_barrier_t mappers;
static uint32_t wanted, mapped;
static void *map_it(void *unused) {
  for (int i = 0; i < MAP_ROUNDS; i++) {
    pthread_barrier_wait(&mappers);
    __atomic_fetch_add(&mapped, prof_segment_map(wanted), __ATOMIC_RELAXED);
    pthread_barrier_wait(&mappers);
  }
  return unused;
}

static uint64_t mapped_bytes(void) {
  uint64_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL && fscanf(file, "%" SCNu64, &pages) == 1);
  fclose(file);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void mapping_together(void) {
  start(512, 4, PROF_WHEN_FULL_WAIT); /* two windows */
  CHECK_EQUAL(prof_runtime.windows.count, 2);
  wanted = prof_runtime.window_segments + 1;
  uint64_t bytes = (uint64_t)prof_runtime.window_segments * prof_runtime.segment_bytes;
  pthread_t threads[MAPPERS];
  pthread_barrier_init(&mappers, NULL, MAPPERS + 1);
  for (int i = 0; i < MAPPERS; i++)
    CHECK_EQUAL(pthread_create(&threads[i], NULL, map_it, NULL), 0);
  rlim_t most = mapped_bytes() + bytes + SPARE_BYTES;
  CHECK_EQUAL(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}), 0);
  for (uint32_t i = 0; i < MAP_ROUNDS; i++) {
    pthread_barrier_wait(&mappers);
    pthread_barrier_wait(&mappers);
    CHECK_EQUAL(mapped, (i + 1) * MAPPERS);
    CHECK_EQUAL(munmap(prof_runtime.windows.at[1], bytes), 0);
    prof_runtime.windows.at[1] = NULL;
  }
  for (int i = 0; i < MAPPERS; i++)
    pthread_join(threads[i], NULL);
  CHECK(!prof_runtime.narrow);
  most = mapped_bytes();
  CHECK_EQUAL(setrlimit(RLIMIT_AS, &(struct rlimit){most, most}), 0);
  CHECK(!prof_segment_map(wanted)); /* at once */
}

PROF_TEST_CHILD(a_window_that_threads_need_at_a_time_is_mapped_once, mapping_together)
PROF_TEST_CHILD(a_recorder_that_was_stopped_has_time, continued)
PROF_TEST_CHILD(a_slow_recorder_is_waited_for, waiting)
PROF_TEST_CHILD(threads_wait_for_few_segments, waiting_together)
PROF_TEST_CHILD(dropped_events_are_counted, dropping)
PROF_TEST_CHILD(dropped_frames_are_no_events, dropping_frames)
PROF_TEST_CHILD(a_dead_recorder_stops_nobody, recorder_dies)
PROF_TEST_CHILD(a_closed_recording_restores_the_code, recorder_closes)
PROF_TEST_CHILD(a_record_that_nobody_reads_is_not_waited_for, state_written_over)
PROF_TEST_CHILD(impossible_counts_are_not_waited_for, released_written_over)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_window_that_threads_need_at_a_time_is_mapped_once),
      cmocka_unit_test(a_recorder_that_was_stopped_has_time),
      cmocka_unit_test(a_slow_recorder_is_waited_for),
      cmocka_unit_test(threads_wait_for_few_segments),
      cmocka_unit_test(dropped_events_are_counted),
      cmocka_unit_test(dropped_frames_are_no_events),
      cmocka_unit_test(a_dead_recorder_stops_nobody),
      cmocka_unit_test(a_closed_recording_restores_the_code),
      cmocka_unit_test(a_record_that_nobody_reads_is_not_waited_for),
      cmocka_unit_test(impossible_counts_are_not_waited_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
