/*
 * test_runtime_fork.c - children of all kinds: each records for itself, nothing is written to the parent's segments.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_double.h"

static struct ring_double ring;
static struct prof_hooks hooks;

static void start(void) {
  ring_double_open(&ring, 256, 64, PROF_WHEN_FULL_WAIT);
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
}

static uint32_t process_count(uint32_t *last_parent, int *last_pid) {
  uint64_t offset = 0;
  uint32_t count = 0;
  for (const struct prof_log_head *head; (head = ring_double_log(&ring, &offset));)
    if (head->kind == PROF_LOG_PROCESS) {
      const struct prof_log_process *process = (const void *)head;
      CHECK_EQUAL(process->process, ++count);
      CHECK_EQUAL((process->flags & PROF_PROCESS_FORKED) != 0, process->parent != 0);
      *last_parent = process->parent;
      *last_pid = process->pid;
    }
  return count;
}

/* The fork that the record's ring tells of; 0: none. */
static uint32_t fork_of(uint32_t thread) {
  size_t count;
  uint32_t fork = 0;
  struct prof_event *events = ring_double_events(&ring, thread, &count);
  for (size_t i = 0; i < count; i++)
    if (prof_event_kind(events[i].what) == PROF_EVENT_FORK) {
      CHECK_EQUAL(fork, 0);
      CHECK_EQUAL(prof_event_site(events[i].what), 0);
      fork = events[i].aux;
    }
  free(events);
  return fork;
}

/* Entries of a record; they nest, and all have their exits. */
static uint64_t entries_of(uint32_t thread) {
  static struct nest nest;
  size_t count;
  struct prof_event *events = ring_double_events(&ring, thread, &count);
  nest = (struct nest){.depth = 0};
  for (size_t i = 0; i < count; i++)
    nest_event(&nest, 0, &events[i]);
  free(events);
  CHECK_EQUAL(nest.unmatched + nest.misplaced + nest.depth + nest.inversions, 0);
  return nest.entries;
}

static void wait_for(long child) {
  int status = -1;
  CHECK_EQUAL(syscall(SYS_wait4, child, &status, __WALL, NULL), child);
  CHECK_EQUAL(status, 0);
}

static long by_fork(void) {
  return fork();
}
static long by_bare_fork(void) {
  return _Fork();
}
static long by_clone(void) {
  return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
static long by_silent_clone(void) {
  return syscall(SYS_clone, 0, 0, 0, 0, 0);
}

static void check_child(long (*make)(void), bool is_told) {
  uint32_t parent = 0;
  int pid = 0;
  start();
  uint64_t calls = tree(11); /* into the second segment */
  long child = make();
  if (child == 0) {
    tree(12);
    _exit(0);
  }
  calls += tree(5);
  wait_for(child);
  CHECK_EQUAL(process_count(&parent, &pid), 2);
  CHECK_EQUAL(parent, 1);
  CHECK_EQUAL(pid, child);
  CHECK_EQUAL(ring.control->threads_used, 2);
  CHECK_EQUAL(ring.threads[1].tid, child);
  CHECK_EQUAL(ring.threads[1].process, 2);
  CHECK_EQUAL(entries_of(0), calls);
  CHECK_EQUAL(entries_of(1), 8191);
  CHECK_EQUAL(fork_of(0), is_told);
  CHECK_EQUAL(ring.threads[1].fork, is_told);
  CHECK_EQUAL(ring.threads[1].fork_thread, 0);
  CHECK_EQUAL(ring.threads[0].fork, 0);
}

static void of_fork(void) {
  check_child(by_fork, true);
}
static void of_bare_fork(void) {
  check_child(by_bare_fork, false);
}
static void of_clone(void) {
  check_child(by_clone, false);
}
static void of_silent_clone(void) {
  check_child(by_silent_clone, false);
}

/* A vfork child runs in its parent's memory and thread: its events are the parent's. */
static void of_vfork(void) {
  uint32_t parent;
  int pid;
  start();
  uint64_t calls = tree(3);
  long child = vfork();
  if (child == 0) {
    leaf(1);
    _exit(0);
  }
  wait_for(child);
  calls += 1 + tree(4);
  CHECK_EQUAL(process_count(&parent, &pid), 1);
  CHECK_EQUAL(ring.control->threads_used, 1);
  CHECK_EQUAL(entries_of(0), calls);
}

/* Children of children; one in between records nothing and so has no number. */
static void of_generations(void) {
  uint32_t parent;
  int pid;
  start();
  tree(1);
  long child = fork();
  if (child == 0) {
    long silent = fork();
    if (silent == 0) {
      long last = fork();
      if (last == 0) {
        tree(2);
        _exit(0);
      }
      wait_for(last);
      _exit(0);
    }
    wait_for(silent);
    tree(3);
    _exit(0);
  }
  wait_for(child);
  CHECK_EQUAL(process_count(&parent, &pid), 3);
  CHECK_EQUAL(parent, 1);
  CHECK_EQUAL(ring.control->threads_used, 3);
  CHECK_EQUAL(entries_of(0), 3);
  CHECK_EQUAL(entries_of(1), 7);
  CHECK_EQUAL(entries_of(2), 15);
  /* The last one stands where its grandparent forked: nobody in between has called anything. */
  CHECK_EQUAL(fork_of(0), 1);
  CHECK_EQUAL(ring.threads[1].fork, 1);
  CHECK_EQUAL(ring.threads[2].fork, 1);
}

/* A child whose first events come from many threads at once: one process, and a record for each. */
enum { THREADS = 12 };
static pthread_barrier_t barrier;
static void *work(void *unused) {
  pthread_barrier_wait(&barrier);
  tree(6);
  return unused;
}

static void of_threads_in_a_child(void) {
  uint32_t parent;
  int pid;
  start();
  tree(1);
  long child = fork();
  if (child == 0) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
      CHECK_EQUAL(pthread_create(&threads[i], NULL, work, NULL), 0);
    for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
    tree(2);
    _exit(0);
  }
  wait_for(child);
  CHECK_EQUAL(process_count(&parent, &pid), 2);
  CHECK_EQUAL(ring.control->threads_used, 1 + THREADS + 1);
  for (uint32_t i = 1; i <= THREADS; i++)
    CHECK_EQUAL(entries_of(i), 127);
  CHECK_EQUAL(entries_of(THREADS + 1), 7);
}

/* Stop and start in a child, and a parent that forks while another thread holds the lock of stop and start. */
static int over;
static void *toggle(void *unused) {
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
    hooks.control(PROF_CONTROL_STOP, NULL);
    hooks.control(PROF_CONTROL_START, NULL);
  }
  return unused;
}

static void of_toggling(void) {
  pthread_t thread;
  start();
  CHECK_EQUAL(pthread_create(&thread, NULL, toggle, NULL), 0);
  for (int i = 0; i < 100; i++) {
    long child = fork();
    if (child == 0) {
      hooks.control(PROF_CONTROL_STOP, NULL);
      CHECK_EQUAL(hooks.control(PROF_CONTROL_IS_RECORDING, NULL), 0);
      CHECK_EQUAL(hooks.control(PROF_CONTROL_START, NULL), 1);
      tree(3);
      _exit(0);
    }
    wait_for(child);
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  for (uint32_t i = 0; i < ring.control->threads_used; i++)
    CHECK_EQUAL(entries_of(i), 15);
  CHECK_EQUAL(ring.control->threads_used, 100);
}

PROF_TEST_CHILD(a_fork_records_for_itself, of_fork)
PROF_TEST_CHILD(a_bare_fork_records_for_itself, of_bare_fork)
PROF_TEST_CHILD(a_clone_records_for_itself, of_clone)
PROF_TEST_CHILD(a_clone_without_signal_records_for_itself, of_silent_clone)
PROF_TEST_CHILD(a_vfork_child_is_its_parent, of_vfork)
PROF_TEST_CHILD(generations_have_the_nearest_recorded_parent, of_generations)
PROF_TEST_CHILD(threads_of_a_child_share_one_process, of_threads_in_a_child)
PROF_TEST_CHILD(a_fork_amid_toggling_finds_no_lock, of_toggling)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fork_records_for_itself),
      cmocka_unit_test(a_bare_fork_records_for_itself),
      cmocka_unit_test(a_clone_records_for_itself),
      cmocka_unit_test(a_clone_without_signal_records_for_itself),
      cmocka_unit_test(a_vfork_child_is_its_parent),
      cmocka_unit_test(generations_have_the_nearest_recorded_parent),
      cmocka_unit_test(threads_of_a_child_share_one_process),
      cmocka_unit_test(a_fork_amid_toggling_finds_no_lock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
