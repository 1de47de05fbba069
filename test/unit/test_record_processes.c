/*
 * test/unit/test_record_processes.c - which process of a recording has a pid: one that lives, and one that has ended.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "record/tables/process_table.h"

static void add(struct prof_processes *processes, uint32_t number, pid_t pid) {
  const struct prof_log_process record = {.process = number, .pid = pid};
  prof_processes_add(processes, NULL, &record, "/bin/app");
}

static pid_t ended_child(void) {
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  assert_int_equal(waitpid(child, NULL, 0), child);
  return child;
}

/* The recorder may read of a process after its end. */
static void ended_before_it_was_read(void **state) {
  (void)state;
  struct prof_processes processes = {0};
  pid_t pid = ended_child();
  add(&processes, 7, pid);
  assert_int_equal(prof_processes_of_pid(&processes, pid), 0);
  assert_int_equal(prof_processes_ended_of_pid(&processes, pid), 7);
  prof_processes_fini(&processes);
}

static void lives(void **state) {
  (void)state;
  struct prof_processes processes = {0};
  add(&processes, 7, getpid());
  assert_int_equal(prof_processes_of_pid(&processes, getpid()), 7);
  assert_int_equal(prof_processes_ended_of_pid(&processes, getpid()), 0);
  add(&processes, 8, getpid()); /* it executed another program */
  assert_int_equal(prof_processes_of_pid(&processes, getpid()), 8);
  assert_int_equal(prof_processes_ended_of_pid(&processes, getpid()), 7);
  prof_processes_fini(&processes);
}

static void reported_nothing(void **state) {
  (void)state;
  struct prof_processes processes = {0};
  pid_t pid = ended_child();
  prof_processes_add_silent(&processes, pid);
  assert_int_equal(prof_processes_of_pid(&processes, pid), 0);
  assert_int_equal(prof_processes_ended_of_pid(&processes, pid), 0);
  prof_processes_fini(&processes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ended_before_it_was_read),
      cmocka_unit_test(lives),
      cmocka_unit_test(reported_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
