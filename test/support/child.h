/*
 * child.h - a test case in its own process, for code that can be set up only once in a process.
 *
 * In the child CHECK replaces cmocka's asserts: it prints the place and ends the child.  Include after cmocka.h.
 */
#ifndef PROF_TEST_CHILD_H
#define PROF_TEST_CHILD_H

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROF_TEST_CHILD_SECONDS 300 /* then it counts as hung, and is ended */

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: false: %s\n", __FILE__, __LINE__, #condition);                                           \
      _exit(1);                                                                                                        \
    }                                                                                                                  \
  } while (0)

#define CHECK_EQUAL(left, right)                                                                                       \
  do {                                                                                                                 \
    long long left_ = (long long)(left), right_ = (long long)(right);                                                  \
    if (left_ != right_) {                                                                                             \
      fprintf(stderr, "%s:%d: %s is %lld, %s is %lld\n", __FILE__, __LINE__, #left, left_, #right, right_);            \
      _exit(1);                                                                                                        \
    }                                                                                                                  \
  } while (0)

/* Runs `body` in a child; returns its status as waitpid does. */
static inline int prof_test_in_child(void (*body)(void)) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* an interrupted test leaves no child behind */
    alarm(PROF_TEST_CHILD_SECONDS);
    body();
    fflush(NULL);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

/* A cmocka test that runs `body` in a child. */
#define PROF_TEST_CHILD(name, body)                                                                                    \
  static void name(void **state) {                                                                                     \
    (void)state;                                                                                                       \
    assert_int_equal(prof_test_in_child(body), 0);                                                                     \
  }

#endif
