/*
 * test/e2e/sample/programs/work.c - does known amounts of work, in ways that the first argument names.
 *
 *   shares    3 parts of work in `heavy`, 1 in `light`, some in a library without probes
 *   threads   the same in four threads        fork, exec   the same in a child
 *   waits     sleeps 200 ms in `idle`, works in `heavy`; prints the processor time that `idle` took
 *   quiet     reads from a pipe that is slow, with a timer of its own running: no call may be interrupted
 *   signals   counts its own SIGPROF and SIGURG
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, PART = 2000000, THREADS = 4 };

static volatile double sink;
static volatile int counted;
static unsigned char block[1 << 16];
void *(*volatile fill)(void *, int, size_t) = memset; /* nobody knows what it is */

static __attribute__((noinline)) void heavy(void) {
  double value = 1;
  for (int i = 0; i < 3 * PART; i++)
    value = value * 1.0000001 + 0.5;
  sink = value;
}

static __attribute__((noinline)) void light(void) {
  double value = 1;
  for (int i = 0; i < PART; i++)
    value = value * 1.0000001 + 0.5;
  sink = value;
}

static __attribute__((noinline)) void library(void) {
  for (int i = 0; i < 8000; i++) /* a good part of the whole, however fast memset is */
    fill(block, i, sizeof block);
}

static __attribute__((noinline)) long idle(void) {
  struct timespec left = {0, 200000000}, begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  while (nanosleep(&left, &left) != 0)
    ;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return (end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec;
}

static void *work(void *argument) {
  for (int i = 0; i < ROUNDS; i++) {
    heavy();
    light();
    library();
  }
  return argument;
}

static int threads(void) {
  pthread_t others[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&others[i], NULL, work, NULL) != 0)
      return 1;
  for (int i = 0; i < THREADS; i++)
    pthread_join(others[i], NULL);
  return 0;
}

static int in_child(char **argv) {
  int status = 0;
  pid_t child = fork();
  if (child == 0 && argv)
    execv(argv[0], (char *[]){argv[0], "shares", NULL});
  if (child == 0) {
    work(NULL);
    _exit(0);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

static void count(int number) {
  counted += number == SIGPROF;
}

/* The other end answers after a while; meanwhile nothing may come. */
static int quiet(void) {
  int ends[2], interrupted = 0;
  char byte;
  if (pipe(ends) != 0)
    return 1;
  for (int round = 0; round < 5; round++) {
    heavy();
    pid_t child = fork();
    if (child == 0) {
      usleep(20000);
      _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
    }
    struct timespec pause = {0, 5000000};
    interrupted += nanosleep(&pause, NULL) != 0;
    interrupted += read(ends[0], &byte, 1) != 1;
    interrupted += waitpid(child, NULL, 0) != child;
  }
  printf("interrupted %d\n", interrupted);
  return 0;
}

/* A timer of its own, with the signal that profilers like. */
static int signals(void) {
  struct sigaction action = {.sa_handler = count}, urgent;
  struct itimerval timer = {{0, 10000}, {0, 10000}};
  sigaction(SIGPROF, &action, NULL);
  setitimer(ITIMER_PROF, &timer, NULL);
  work(NULL);
  setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
  sigaction(SIGPROF, NULL, &action);
  sigaction(SIGURG, NULL, &urgent);
  printf("own handler %d, some came %d\n", action.sa_handler == count, counted > 0);
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "shares";
  if (!strcmp(what, "threads"))
    return threads();
  if (!strcmp(what, "fork") || !strcmp(what, "exec"))
    return in_child(what[0] == 'e' ? argv : NULL);
  if (!strcmp(what, "quiet"))
    return quiet();
  if (!strcmp(what, "signals"))
    return signals();
  if (!strcmp(what, "waits"))
    printf("%ld\n", idle());
  work(NULL);
  return 0;
}
