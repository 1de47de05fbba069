/*
 * locks.c - waits whose lock, holder and shortest length are known; prints "want LOCK HOLDER KIND WAITS AT_LEAST_NS",
 * and as "most LOCK NS" what the waits took by the program's own clock.
 *
 * In a round one thread holds a lock until all others have announced that they wait, and sleep, and SURE_NS longer.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include "../../support/asleep.h"

#define APART __attribute__((noinline, noclone))
#define THREADS 8
#define SURE_NS 120000000

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t robust_lock;
static mtx_t second_lock;
static pthread_mutex_t reached_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t tokens;
static pthread_barrier_t round_begins;
static atomic_int waiting, arriving, is_held, waiters[THREADS];
static atomic_int is_next;
static atomic_long most[5];

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}
static void nap(long ns) {
  struct timespec span = {0, ns};
  nanosleep(&span, NULL);
}
static void hold(void) {
  atomic_store(&is_held, 1);
  while (atomic_load(&waiting) < THREADS - 1)
    nap(1000000);
  for (int i = 0; i < THREADS - 1; i++)
    prof_test_await_sleep(getpid(), atomic_load(&waiters[i]));
  nap(SURE_NS);
}
/* Before a wait. */
static long announce(void) {
  while (!atomic_load(&is_held))
    nap(1000000);
  int tid = prof_test_tid(), index = atomic_fetch_add(&arriving, 1);
  atomic_store(&waiters[index], tid);
  atomic_fetch_add(&waiting, 1);
  return now();
}
static void note(int lock, long begin) {
  atomic_fetch_add(&most[lock], now() - begin);
}

APART static void hog_first(void) {
  pthread_mutex_lock(&first_lock);
  hold();
  pthread_mutex_unlock(&first_lock);
}
APART static void want_first(void) {
  long begin = announce();
  pthread_mutex_lock(&first_lock);
  note(0, begin);
  pthread_mutex_unlock(&first_lock);
}
APART static void hog_second(void) {
  mtx_lock(&second_lock);
  mtx_lock(&second_lock); /* recursive */
  mtx_unlock(&second_lock);
  hold();
  mtx_unlock(&second_lock);
}
APART static void want_second(void) {
  long begin = announce();
  mtx_lock(&second_lock);
  note(1, begin);
  mtx_unlock(&second_lock);
}
APART static void hog_shared(void) {
  pthread_rwlock_wrlock(&shared_lock);
  hold();
  pthread_rwlock_unlock(&shared_lock);
}
APART static void want_shared(void) {
  long begin = announce();
  pthread_rwlock_rdlock(&shared_lock);
  note(2, begin);
  pthread_rwlock_unlock(&shared_lock);
}

/* Held at one place that is reached on two paths. */
APART static void hog_reached(void) {
  pthread_mutex_lock(&reached_lock);
  hold();
  pthread_mutex_unlock(&reached_lock);
}
APART static void by_one_path(void) {
  hog_reached();
  __asm__ volatile(""); /* no tail call */
}
APART static void by_other_path(void) {
  hog_reached();
  __asm__ volatile("");
}
APART static void want_reached(void) {
  long begin = announce();
  pthread_mutex_lock(&reached_lock);
  note(3, begin);
  pthread_mutex_unlock(&reached_lock);
}

static void *work(void *number) {
  static void (*const rounds[][2])(void) = {{hog_first, want_first},
                                            {hog_second, want_second},
                                            {hog_shared, want_shared},
                                            {by_one_path, want_reached},
                                            {by_other_path, want_reached}};
  for (unsigned i = 0; i < sizeof rounds / sizeof *rounds; i++) {
    pthread_barrier_wait(&round_begins);
    rounds[i][(uintptr_t)number != 0]();
    pthread_barrier_wait(&round_begins);
    if ((uintptr_t)number == 0) {
      atomic_store(&waiting, 0);
      atomic_store(&arriving, 0);
      atomic_store(&is_held, 0);
    }
  }
  return NULL;
}

static int is_ready, awaiting;
static void *signals(void *unused) {
  prof_test_await_sleep(getpid(), awaiting);
  nap(SURE_NS);
  pthread_mutex_lock(&ready_lock);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&ready_lock);
  while (atomic_load(&is_next) == 0)
    nap(1000000);
  prof_test_await_sleep(getpid(), awaiting);
  nap(SURE_NS);
  sem_post(&tokens);
  return unused;
}
APART static void await(void) {
  pthread_t thread;
  awaiting = prof_test_tid();
  pthread_create(&thread, NULL, signals, NULL);
  pthread_mutex_lock(&ready_lock);
  while (!is_ready)
    pthread_cond_wait(&ready, &ready_lock);
  pthread_mutex_unlock(&ready_lock);
  atomic_store(&is_next, 1);
  while (sem_wait(&tokens))
    ;
  pthread_join(thread, NULL);
}

/* Results, errno and states of locks are those of the plain functions. */
static void *dies_with_it(void *unused) {
  pthread_mutex_lock(&robust_lock);
  return unused;
}
APART static void odd(void) {
  pthread_mutexattr_t kind;
  pthread_mutex_t checked;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &kind);
  errno = 7;
  if (pthread_mutex_lock(&checked) || pthread_mutex_lock(&checked) != EDEADLK ||
      pthread_mutex_trylock(&checked) != EBUSY || pthread_mutex_unlock(&checked) ||
      pthread_mutex_unlock(&checked) != EPERM || errno != 7)
    abort();
  struct timespec past = {1, 0};
  pthread_mutex_lock(&first_lock);
  pthread_t thread;
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust_lock, &kind);
  pthread_create(&thread, NULL, dies_with_it, NULL);
  pthread_join(thread, NULL);
  if (pthread_mutex_lock(&robust_lock) != EOWNERDEAD || pthread_mutex_consistent(&robust_lock) ||
      pthread_mutex_unlock(&robust_lock))
    abort();
  if (pthread_mutex_timedlock(&first_lock, &past) != ETIMEDOUT)
    abort();
  pthread_mutex_unlock(&first_lock);
  errno = 0;
  if (sem_timedwait(&tokens, &past) != -1 || errno != ETIMEDOUT)
    abort();
}

int main(void) {
  pthread_t threads[THREADS];
  mtx_init(&second_lock, mtx_plain | mtx_recursive);
  sem_init(&tokens, 0, 0);
  pthread_barrier_init(&round_begins, NULL, THREADS);
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  await();
  odd();
  const long least = (THREADS - 1) * (long)SURE_NS;
  printf("want first_lock hog_first mutex 8 %ld\nwant second_lock hog_second mutex 7 %ld\n"
         "want shared_lock hog_shared read-write_lock 7 %ld\nwant reached_lock hog_reached mutex 14 %ld\n"
         "most first_lock %ld\nmost second_lock %ld\nmost shared_lock %ld\nmost reached_lock %ld\n",
         least, least, least, least, most[0] + 1000000000, most[1], most[2], most[3]);
  printf("waits ready condition %d\nwaits tokens semaphore %d\nwaits round_begins barrier %d\n", SURE_NS, SURE_NS, 0);
  return 9;
}
