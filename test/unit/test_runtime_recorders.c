/*
 * test_runtime_recorders.c - PROF_STANDBY: recorders join the process and leave it, again and again.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include <cmocka.h>

#include "child.h"
#include "late.h"
#include "probed.h"
#include "ring_double.h"
#include "standby.h"

enum { ROUNDS = 30 };

int prof_runtime_late_v1(void);

static struct ring_double ring;
static struct prof_hooks hooks;
static struct nest nests[2048];

static bool is_patched(void) {
  const volatile uint8_t *sled = (const uint8_t *)&prof_test_rows_begin[0].sled + prof_test_rows_begin[0].sled;
  return *sled == 0xe9;
}

/* The thread that waits; 0: none yet. */
static int standby_thread(void) {
  char path[64], name[32] = "";
  int found = 0;
  DIR *folder = opendir("/proc/self/task");
  for (struct dirent *entry; !found && (entry = readdir(folder)) != NULL;) {
    snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", entry->d_name);
    FILE *file = fopen(path, "re");
    if (file && fgets(name, sizeof name, file) && strcmp(name, PROF_STANDBY_THREAD "\n") == 0)
      found = atoi(entry->d_name);
    if (file)
      fclose(file);
  }
  closedir(folder);
  return found;
}

static int standby_thread_wait(void) {
  int tid;
  while ((tid = standby_thread()) == 0)
    usleep(500);
  return tid;
}

static void stand_by(void) {
  unsetenv("PROF_RECORD");
  unsetenv("PROF_RING");
  setenv("PROF_STANDBY", "1", 1);
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
  CHECK_EQUAL(hooks.control(PROF_CONTROL_IS_RECORDING, NULL), 0);
  tree(5);
  CHECK(!is_patched());
}

static void send(int fd) {
  siginfo_t info = {.si_signo = PROF_STANDBY_SIGNAL, .si_code = SI_QUEUE};
  info.si_value.sival_ptr = (void *)(uintptr_t)prof_standby_value((int32_t)getpid(), fd);
  CHECK_EQUAL(syscall(SYS_rt_tgsigqueueinfo, getpid(), standby_thread_wait(), PROF_STANDBY_SIGNAL, &info), 0);
}

static uint32_t answer_of(const struct ring_double *of, uint32_t before) {
  uint32_t answer;
  while ((answer = __atomic_load_n(&of->control->answer, __ATOMIC_ACQUIRE)) == before)
    usleep(200);
  return answer;
}

static void join(void) {
  ring_double_open(&ring, 64, 8, PROF_WHEN_FULL_WAIT);
  send(ring.fd);
  CHECK_EQUAL(answer_of(&ring, PROF_STANDBY_NONE), PROF_STANDBY_ATTACHED);
  CHECK_EQUAL(ring.control->attached, 1);
  CHECK(is_patched());
}

static void leave(void) {
  __atomic_store_n(&ring.control->detach, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &ring.control->detach, FUTEX_WAKE, 1, NULL, NULL, 0);
  CHECK_EQUAL(answer_of(&ring, PROF_STANDBY_ATTACHED), PROF_STANDBY_LEFT);
  CHECK_EQUAL(ring.control->attached, 0);
  CHECK(!is_patched());
}

static void forget(void) {
  munmap(ring.control, ring.bytes);
  close(ring.fd);
}

/* Each recording has its own calls, whole; between them there are nops. */
static void again(void) {
  stand_by();
  for (int i = 0; i < ROUNDS; i++) {
    memset(nests, 0, sizeof *nests);
    join();
    CHECK_EQUAL(hooks.control(PROF_CONTROL_IS_RECORDING, NULL), 1);
    uint64_t calls = tree(12) + tree(3);
    leave();
    tree(6);
    struct ring_reader reader = {.segment = 0};
    ring_double_drain(&ring, &reader, 0, true, nest_event, nests);
    CHECK_EQUAL(reader.holes + ring.threads[0].lost, 0);
    CHECK_EQUAL(nests[0].entries, calls);
    CHECK_EQUAL(nests[0].exits, calls);
    CHECK_EQUAL(nests[0].unmatched + nests[0].misplaced + nests[0].inversions + nests[0].depth, 0);
    CHECK_EQUAL(ring.control->next_site, 1 + (prof_test_rows_end - prof_test_rows_begin));
    forget();
  }
}

/* A second recorder is refused while the first one records; so is nonsense, at any time. */
static void second(void) {
  struct ring_double other;
  stand_by();
  syscall(SYS_tgkill, getpid(), standby_thread_wait(), PROF_STANDBY_SIGNAL);
  send(9999);
  join();
  ring_double_open(&other, 8, 2, PROF_WHEN_FULL_DROP);
  send(other.fd);
  CHECK_EQUAL(answer_of(&other, PROF_STANDBY_NONE), PROF_STANDBY_BUSY);
  send(9999);
  leave();
  other.control->answer = PROF_STANDBY_NONE;
  send(other.fd);
  CHECK_EQUAL(answer_of(&other, PROF_STANDBY_NONE), PROF_STANDBY_ATTACHED);
}

/* The recorder is killed, or closes the recording: the process leaves by itself. */
static void deserted(void) {
  stand_by();
  for (int i = 0; i < 2; i++) {
    join();
    tree(4);
    if (i == 0)
      ring.control->recorder_state = PROF_RECORDER_CLOSED;
    else {
      pid_t gone = fork();
      if (gone == 0)
        _exit(0);
      waitpid(gone, NULL, 0);
      __atomic_store_n(&ring.control->recorder_pid, gone, __ATOMIC_SEQ_CST);
    }
    CHECK_EQUAL(answer_of(&ring, PROF_STANDBY_ATTACHED), PROF_STANDBY_LEFT);
    CHECK(!is_patched());
    tree(4);
  }
  join();
}

/* prof_stop holds over recordings. */
static void stopped(void) {
  stand_by();
  hooks.control(PROF_CONTROL_STOP, NULL);
  ring_double_open(&ring, 64, 8, PROF_WHEN_FULL_WAIT);
  send(ring.fd);
  CHECK_EQUAL(answer_of(&ring, PROF_STANDBY_NONE), PROF_STANDBY_ATTACHED);
  CHECK(!is_patched());
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
  CHECK(is_patched());
  leave();
  CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 0);
}

/* A child of a recorded process is recorded, and leaves with it; a child made before can be joined alone. */
static void forked(void) {
  int ends[2];
  char byte = 0;
  stand_by();
  join();
  CHECK_EQUAL(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    tree(4);
    (void)!write(ends[1], "x", 1);
    while (is_patched() || __atomic_load_n(&ring.control->attached, __ATOMIC_ACQUIRE) > 0) /* it ends once both left */
      usleep(500);
    _exit(standby_thread() ? 7 : 1);
  }
  CHECK_EQUAL(read(ends[0], &byte, 1), 1);
  CHECK_EQUAL(ring.control->attached, 2);
  CHECK_EQUAL(ring.control->processes, 2);
  __atomic_store_n(&ring.control->detach, 1, __ATOMIC_SEQ_CST);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  CHECK_EQUAL(answer_of(&ring, PROF_STANDBY_ATTACHED), PROF_STANDBY_LEFT);
  CHECK_EQUAL(ring.control->attached, 0);
}

/* Loaded into a program that runs: nothing happens before it is told to stand by; modules may be told of twice. */
static void late(void) {
  unsetenv("PROF_RECORD");
  unsetenv("PROF_RING");
  unsetenv("PROF_STANDBY");
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, 0);
  CHECK_EQUAL(prof_runtime_late_v1(), PROF_LATE_STANDS);
  CHECK_EQUAL(prof_runtime_late_v1(), PROF_LATE_OTHER);
  prof_runtime_attach_v1(&module);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
  join();
  CHECK_EQUAL(ring.control->next_site, 1 + (prof_test_rows_end - prof_test_rows_begin));
  leave();
}

PROF_TEST_CHILD(a_runtime_that_comes_late_stands_by, late)
PROF_TEST_CHILD(each_recording_has_its_own_calls, again)
PROF_TEST_CHILD(a_second_recorder_is_refused, second)
PROF_TEST_CHILD(a_recorder_that_is_gone_is_left, deserted)
PROF_TEST_CHILD(prof_stop_holds_over_recordings, stopped)
PROF_TEST_CHILD(a_forked_child_leaves_too, forked)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_recording_has_its_own_calls), cmocka_unit_test(a_second_recorder_is_refused),
      cmocka_unit_test(a_recorder_that_is_gone_is_left),  cmocka_unit_test(prof_stop_holds_over_recordings),
      cmocka_unit_test(a_forked_child_leaves_too),        cmocka_unit_test(a_runtime_that_comes_late_stands_by),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
