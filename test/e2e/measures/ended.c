/*
 * ended.c - waits without an end: of a thread that is cancelled, and of a process that is killed.  The program goes on
 * for longer than both took, however long that was.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../support/asleep.h"

#define APART __attribute__((noinline, noclone))
#define NAP_US 50000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int waiter;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void release(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&mutex);
}
APART static void *cancelled(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(release, NULL);
  waiter = prof_test_tid();
  for (;;)
    pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}
APART static void killed(void) {
  sleep(1000);
}

static long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(void) {
  pthread_t thread;
  long begin = now_ms();
  if (pthread_create(&thread, NULL, cancelled, NULL) != 0)
    abort();
  pid_t child = fork();
  if (child == 0)
    killed();
  while (!waiter)
    usleep(1000);
  prof_test_await_sleep(getpid(), waiter);
  prof_test_await_sleep(child, child);
  usleep(NAP_US);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  for (long end = now_ms() + 2 * (now_ms() - begin) + 10 * NAP_US / 1000; now_ms() < end;)
    usleep(NAP_US);
  return 0;
}
