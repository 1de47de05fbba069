/*
 * test_runtime_pause.c - the recorder pauses: sites are off when a thread has filled its segment, and on again when the
 * recorder goes on; in forked children too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_double.h"

enum { MOST_CALLS = 1 << 20 };

static struct ring_double ring;
static struct prof_hooks hooks;

static void start(enum prof_when_full when_full) {
  ring_double_open(&ring, 256, 16, when_full);
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
}

static void set_paused(uint32_t paused) {
  __atomic_store_n(&ring.control->paused, paused, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &ring.control->paused, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static bool is_recording(void) {
  return hooks.control(PROF_CONTROL_IS_RECORDING, NULL);
}

static void fill_until_off(void) {
  for (int i = 0; i < MOST_CALLS && is_recording(); i++)
    leaf(i);
  CHECK(!is_recording());
}

static void wait_until_on(void) {
  while (!is_recording()) /* the child's alarm ends a wait in vain */
    sched_yield();
}

static uint64_t slots_taken(void) {
  return ring.threads[0].slots;
}

/* Nothing is written meanwhile, and it can be done again. */
static void pauses(void) {
  start(PROF_WHEN_FULL_DROP);
  errno = 77;
  leaf(1);
  for (int round = 0; round < 3; round++) {
    set_paused(1);
    fill_until_off();
    uint64_t slots = slots_taken();
    for (int i = 0; i < MOST_CALLS; i++)
      leaf(i);
    CHECK_EQUAL(slots_taken(), slots);
    set_paused(0);
    wait_until_on();
    leaf(1);
  }
  CHECK_EQUAL(errno, 77);
}

/* prof_stop of the program outlasts the pause, and prof_start doesn't end it. */
static void beside_prof_stop(void) {
  start(PROF_WHEN_FULL_DROP);
  set_paused(1);
  fill_until_off();
  CHECK_EQUAL(hooks.control(PROF_CONTROL_STOP, NULL), 0);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 0);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_STOP, NULL), 0);
  set_paused(0);
  usleep(100000);
  CHECK(!is_recording());
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
}

static void forked_meanwhile(void) {
  start(PROF_WHEN_FULL_DROP);
  leaf(1);
  set_paused(1);
  fill_until_off();
  int looked[2];
  CHECK_EQUAL(pipe(looked), 0);
  pid_t child = fork();
  if (child == 0) {
    CHECK(!is_recording());
    CHECK_EQUAL(write(looked[1], "", 1), 1);
    wait_until_on();
    leaf(1);
    CHECK_EQUAL(ring.threads[1].pid, getpid());
    _exit(0);
  }
  char byte;
  close(looked[1]);
  CHECK_EQUAL(read(looked[0], &byte, 1), 1);
  set_paused(0);
  wait_until_on();
  int status = -1;
  CHECK_EQUAL(waitpid(child, &status, 0), child);
  CHECK_EQUAL(status, 0);
}

/* Without a thread that could switch them on again, sites stay on. */
static void no_thread(void) {
  const struct rlimit none = {0, 0};
  start(PROF_WHEN_FULL_DROP);
  leaf(1);
  if (getuid() == 0)
    CHECK_EQUAL(setresuid(65534, 65534, 65534), 0); /* the limit holds for others than root */
  CHECK_EQUAL(setrlimit(RLIMIT_NPROC, &none), 0);
  set_paused(1);
  for (int i = 0; i < MOST_CALLS; i++)
    leaf(i);
  CHECK(is_recording());
  uint64_t offset = 0;
  uint32_t errors = 0;
  for (const struct prof_log_head *head; (head = ring_double_log(&ring, &offset));)
    errors += head->kind == PROF_LOG_ERROR;
  CHECK_EQUAL(errors, 1);
}

/* A recorder that closes the recording ends the pause; its watcher leaves the sites as they are. */
static void closed_meanwhile(void) {
  start(PROF_WHEN_FULL_DROP);
  leaf(1);
  set_paused(1);
  fill_until_off();
  __atomic_store_n(&ring.control->recorder_state, PROF_RECORDER_CLOSED, __ATOMIC_SEQ_CST);
  set_paused(0);
  uint64_t slots = slots_taken();
  for (int i = 0; i < MOST_CALLS; i++)
    leaf(i);
  CHECK_EQUAL(slots_taken(), slots);
  CHECK(!is_recording());
}

PROF_TEST_CHILD(a_pause_writes_nothing, pauses)
PROF_TEST_CHILD(the_program_stops_meanwhile, beside_prof_stop)
PROF_TEST_CHILD(a_child_goes_on_too, forked_meanwhile)
PROF_TEST_CHILD(no_thread_can_be_made, no_thread)
PROF_TEST_CHILD(the_recording_ends_meanwhile, closed_meanwhile)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pause_writes_nothing),       cmocka_unit_test(the_program_stops_meanwhile),
      cmocka_unit_test(a_child_goes_on_too),          cmocka_unit_test(no_thread_can_be_made),
      cmocka_unit_test(the_recording_ends_meanwhile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
