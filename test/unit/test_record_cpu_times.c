/*
 * test_record_cpu_times.c - CPU time of processes by their clocks, and by their threads where the clocks are gone.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/governor/cpu_times.h"

#define USED_NS 20000000u /* by a child */
#define MS_NS 1000000u

static uint64_t cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A child that has used that much and waits for `end_child`, if it waits. */
static pid_t make_child(int *end) {
  int ready[2], wait[2];
  char byte = 0;
  assert_int_equal(pipe(ready), 0);
  assert_int_equal(pipe(wait), 0);
  pid_t child = fork();
  if (child == 0) {
    close(wait[1]);
    while (cpu_ns() < USED_NS)
      ;
    _exit(write(ready[1], &byte, 1) != 1 || read(wait[0], &byte, 1) != 0);
  }
  close(wait[0]);
  assert_int_equal(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  close(ready[1]);
  *end = wait[1];
  return child;
}

static void end_child(pid_t child, int end) {
  close(end);
  assert_int_equal(waitpid(child, NULL, 0), child);
}

static void clocks_are_read(void **state) {
  struct prof_cpu_times times = {0};
  int end;
  (void)state;
  pid_t child = make_child(&end);
  prof_cpu_times_add(&times, 1, child, false);
  uint64_t read_ns = prof_cpu_times_read(&times);
  assert_true(read_ns >= USED_NS);
  prof_cpu_times_tell(&times, 1, USED_NS); /* a thread of it: its clock has that */
  assert_true(prof_cpu_times_read(&times) < read_ns + USED_NS);
  end_child(child, end);
  read_ns = prof_cpu_times_read(&times);
  prof_cpu_times_tell(&times, 1, read_ns + 5 * MS_NS); /* in all, of all threads: more than was read */
  assert_int_equal(prof_cpu_times_read(&times), USED_NS + read_ns + 5 * MS_NS);
  prof_cpu_times_fini(&times);
}

/* Its record is read when it has ended: then elapsed time doesn't count, but what its threads tell. */
static void short_processes_are_told(void **state) {
  struct prof_cpu_times times = {0};
  const struct timespec pause = {0, 2 * MS_NS};
  int end;
  (void)state;
  pid_t child = make_child(&end);
  end_child(child, end);
  prof_cpu_times_add(&times, 1, child, false);
  nanosleep(&pause, NULL);
  assert_int_equal(prof_cpu_times_read(&times), 0);
  prof_cpu_times_tell(&times, 1, 3 * MS_NS);
  prof_cpu_times_tell(&times, 1, MS_NS);
  prof_cpu_times_tell(&times, 2, MS_NS); /* not known */
  assert_int_equal(prof_cpu_times_read(&times), 4 * MS_NS);
  for (uint32_t i = 0; i < 100000; i++) /* those long ended are forgotten */
    prof_cpu_times_add(&times, 10 + i, child, false);
  assert_true(times.ended.count <= 4096);
  prof_cpu_times_tell(&times, 10 + 99999, MS_NS);
  assert_int_equal(prof_cpu_times_read(&times), 5 * MS_NS);
  prof_cpu_times_fini(&times);
}

/* A process that ran before somebody recorded it. */
static void counts_from_now_on(void **state) {
  struct prof_cpu_times times = {0};
  int end;
  (void)state;
  pid_t child = make_child(&end);
  prof_cpu_times_add(&times, 1, child, true);
  assert_true(prof_cpu_times_read(&times) < USED_NS);
  end_child(child, end);
  prof_cpu_times_tell(&times, 1, 2 * MS_NS);
  assert_true(prof_cpu_times_read(&times) >= 2 * MS_NS);
  prof_cpu_times_fini(&times);
}

static void elapsed_time_of_hidden_ones(void **state) {
  struct prof_cpu_times times = {0};
  const struct timespec pause = {0, 2 * MS_NS};
  (void)state;
  prof_cpu_times_add(&times, 1, 0, false);
  nanosleep(&pause, NULL);
  assert_true(prof_cpu_times_read(&times) >= 2 * MS_NS);
  prof_cpu_times_fini(&times);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(clocks_are_read), cmocka_unit_test(short_processes_are_told),
                                     cmocka_unit_test(counts_from_now_on),
                                     cmocka_unit_test(elapsed_time_of_hidden_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
