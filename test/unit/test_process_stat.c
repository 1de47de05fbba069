/*
 * test_process_stat.c - /proc/PID/stat: names with spaces and parentheses, figures, a process that is gone.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/process_stat.h"

#define BEHIND " S 4 4 4 0 -1 4194560 11 22 33 44 55 66 77 88 20 0 1 0 99 1000 2000"

static uint64_t step_ns(void) {
  return 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
}

/* Whatever the program is called. */
static void fields_are_found(void **state) {
  (void)state;
  static const char *const names[] = {"app", "a b", ") R (", "(sd-pam)", "))((", "a) S 1 2 3 (b", "", "()", "\n \t"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char text[256];
    struct prof_process_stat stat;
    snprintf(text, sizeof text, "12 (%s)" BEHIND "\n", names[i]);
    memset(&stat, 0xee, sizeof stat);
    assert_true(prof_process_stat_parse(text, &stat));
    assert_int_equal(stat.state, 'S');
    assert_int_equal(stat.minor_faults, 11);
    assert_int_equal(stat.major_faults, 33);
    assert_int_equal(stat.user_ns, 55 * step_ns());
    assert_int_equal(stat.system_ns, 66 * step_ns());
    assert_int_equal(stat.child_user_ns, 77 * step_ns());
    assert_int_equal(stat.child_system_ns, 88 * step_ns());
    assert_int_equal(stat.begin_ns, 99 * step_ns());
  }
}

static void other_texts_are_refused(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "12",
                                      "12 (app",
                                      "12 (app)",
                                      "12 (app) S",
                                      "12 (app) S 4 4 4 0 -1 1 11",
                                      "12 (app) S 4 4 4 0 -1 4194560 11 22 33 44 55 66 77 88 20 0 1 0",
                                      ")",
                                      ") ) )"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct prof_process_stat stat = {.state = '!'};
    assert_false(prof_process_stat_parse(texts[i], &stat));
    assert_int_equal(stat.state, '!');
  }
}

/* A child that stops itself, under a name that looks like the rest of the line. */
static void a_process_is_read(void **state) {
  (void)state;
  struct prof_process_stat stat, own;
  struct timespec now;
  int status;
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_NAME, "x) R 1 (y z");
    raise(SIGSTOP);
    _exit(0);
  }
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, WUNTRACED), child);
  assert_true(prof_process_stat_of(child, &stat));
  assert_int_equal(stat.state, 'T');
  assert_true(prof_process_stat_of(getpid(), &own));
  assert_int_equal(own.state, 'R');
  assert_int_equal(clock_gettime(CLOCK_BOOTTIME, &now), 0);
  assert_true(own.begin_ns <= stat.begin_ns);
  assert_true(stat.begin_ns <= (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
  kill(child, SIGKILL);
  siginfo_t info;
  assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
  assert_true(prof_process_stat_of(child, &stat)); /* until somebody waits for it */
  assert_int_equal(stat.state, 'Z');
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_false(prof_process_stat_of(child, &stat));
  assert_false(prof_process_stat_read("/proc/0/stat", &stat));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields_are_found), cmocka_unit_test(other_texts_are_refused),
                                     cmocka_unit_test(a_process_is_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
