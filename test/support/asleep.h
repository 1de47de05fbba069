/*
 * asleep.h - for test programs in which one thread or process waits: when it really waits, the other one goes on.  So
 * no test depends on how soon a thread gets a processor.
 *
 * In: a thread that sleeps nowhere between what it has announced and the wait.  The file is read by raw system calls,
 * as measures of input count the C library's.
 */
#ifndef PROF_TEST_ASLEEP_H
#define PROF_TEST_ASLEEP_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PROF_TEST_PLAIN __attribute__((no_instrument_function, unused))

PROF_TEST_PLAIN static int prof_test_tid(void) {
  return (int)syscall(SYS_gettid);
}

/* Does the thread of process `pid` sleep, in a wait that a signal would end? */
PROF_TEST_PLAIN static bool prof_test_is_asleep(int pid, int tid) {
  char text[256];
  snprintf(text, sizeof text, "/proc/%d/task/%d/stat", pid, tid);
  long fd = syscall(SYS_openat, AT_FDCWD, text, O_RDONLY | O_CLOEXEC);
  long bytes = fd >= 0 ? syscall(SYS_read, fd, text, sizeof text - 1) : 0;
  if (fd >= 0)
    syscall(SYS_close, fd);
  text[bytes > 0 ? bytes : 0] = 0;
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' && end[2] == 'S';
}

/* Waits for that. */
PROF_TEST_PLAIN static void prof_test_await_sleep(int pid, int tid) {
  const struct timespec turn = {0, 1000000};
  while (!prof_test_is_asleep(pid, tid))
    syscall(SYS_nanosleep, &turn, NULL);
}

#endif
