/*
 * waits.c - waits without a lock; prints "least NAME NS CALLS", what `prof locks --all` must have at least, and how
 * often.
 *
 * Each thing is waited for until another thread or process, which has seen that the first one sleeps, is done with a
 * sleep of its own; so NS holds on a loaded machine too.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../support/asleep.h"

#define APART __attribute__((noinline, noclone))
#define NAP_MS 80

static atomic_int word;
static int pipe_ends[2];

static void nap(int milliseconds) {
  struct timespec span = {0, milliseconds * 1000000L};
  nanosleep(&span, NULL);
}
APART static void sleeper(void) {
  usleep(NAP_MS * 1000);
  nap(NAP_MS); /* at its own line in nap */
}
static void *give(void *what) {
  prof_test_await_sleep(getpid(), getpid()); /* the main thread */
  nap(NAP_MS);
  if (what) {
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
  } else if (write(pipe_ends[1], "x", 1) != 1) {
    abort();
  }
  return NULL;
}
static pthread_t later(void *what) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, give, what))
    abort();
  return thread;
}
static void take(void) {
  char byte;
  if (read(pipe_ends[0], &byte, 1) != 1)
    abort();
}
APART static void reader(void) {
  pthread_t thread = later(NULL);
  take();
  pthread_join(thread, NULL);
}
APART static void poller(void) {
  struct pollfd polled = {.fd = pipe_ends[0], .events = POLLIN};
  pthread_t thread = later(NULL);
  poll(&polled, 1, 0); /* no wait */
  if (poll(&polled, 1, -1) != 1)
    abort();
  take();
  pthread_join(thread, NULL);
}
APART static void epoller(void) {
  struct epoll_event event = {.events = EPOLLIN};
  int set = epoll_create1(0);
  epoll_ctl(set, EPOLL_CTL_ADD, pipe_ends[0], &event);
  pthread_t thread = later(NULL);
  if (epoll_wait(set, &event, 1, -1) != 1)
    abort();
  take();
  pthread_join(thread, NULL);
  close(set);
}
APART static void selector(void) {
  fd_set in;
  FD_ZERO(&in);
  FD_SET(pipe_ends[0], &in);
  pthread_t thread = later(NULL);
  if (select(pipe_ends[0] + 1, &in, NULL, NULL, NULL) != 1)
    abort();
  take();
  pthread_join(thread, NULL);
}
APART static void futex(void) {
  pthread_t thread = later(&word);
  while (!atomic_load(&word))
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
  pthread_join(thread, NULL);
}
APART static void parent(void) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    prof_test_await_sleep(getppid(), getppid());
    nap(NAP_MS);
    _exit(3);
  }
  if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3)
    abort();
}

int main(void) {
  if (pipe(pipe_ends))
    return 1;
  sleeper();
  reader();
  poller();
  epoller();
  selector();
  futex();
  parent();
  static const char *const want[] = {"sleeper sleep", "poller poll",          "epoller poll", "selector poll",
                                     "futex futex",   "parent child_process", "reader input"};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    printf("least %s %d\n", want[i], NAP_MS * 1000000);
  return 7;
}
