/*
 * locks.c - wraps locks and what else threads wait for: mutexes, read-write locks, spin locks, condition variables,
 * semaphores, joins and barriers of POSIX and of C11.  Those of C++ call these.
 *
 * A lock is first tried: so a free one is taken without a second clock reading, and one that isn't free shows when the
 * wait begins.  Trying changes nothing else: a robust lock gives EOWNERDEAD to either call, and a lock that its thread
 * holds already is refused by the real call as before.  What a condition variable does to its mutex inside of libc is
 * told around the call.  What is waited for without an address of its own: waits.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

#include "waiting.h"

static inline bool is_held(int result) {
  return result == 0 || result == EOWNERDEAD;
}

/* After the real call, which waited. */
static int waited(int result, enum prof_measure_lock kind, const volatile void *lock, const void *caller) {
  put(is_held(result) ? PROF_MEASURE_TAKEN : PROF_MEASURE_GOES_ON, kind, lock, caller);
  return result;
}

/* Tries, then waits: the body of a wrapper. */
#define TAKE(kind, lock, attempt, busy, call)                                                                          \
  int result = attempt;                                                                                                \
  if (__builtin_expect(result != (busy), 1)) {                                                                         \
    if (is_held(result))                                                                                               \
      put(PROF_MEASURE_TAKEN, kind, lock, PROF_CALLER);                                                                \
    return result;                                                                                                     \
  }                                                                                                                    \
  put(PROF_MEASURE_WAITS, kind, lock, PROF_CALLER);                                                                    \
  return waited(call, kind, lock, PROF_CALLER)

#define TRY(kind, lock, attempt)                                                                                       \
  int result = attempt;                                                                                                \
  if (is_held(result))                                                                                                 \
    put(PROF_MEASURE_TAKEN, kind, lock, PROF_CALLER);                                                                  \
  return result

#define RELEASE(kind, lock, call)                                                                                      \
  put(PROF_MEASURE_RELEASED, kind, lock, PROF_CALLER);                                                                 \
  return call

/* ---- mutexes ---- */

#define M PROF_MEASURE_MUTEX
static int wrap_pthread_mutex_lock(pthread_mutex_t *lock) {
  TAKE(M, lock, pthread_mutex_trylock(lock), EBUSY, pthread_mutex_lock(lock));
}
static int wrap_pthread_mutex_timedlock(pthread_mutex_t *lock, const struct timespec *until) {
  TAKE(M, lock, pthread_mutex_trylock(lock), EBUSY, pthread_mutex_timedlock(lock, until));
}
static int wrap_pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock, const struct timespec *until) {
  TAKE(M, lock, pthread_mutex_trylock(lock), EBUSY, pthread_mutex_clocklock(lock, clock, until));
}
static int wrap_pthread_mutex_trylock(pthread_mutex_t *lock) {
  TRY(M, lock, pthread_mutex_trylock(lock));
}
static int wrap_pthread_mutex_unlock(pthread_mutex_t *lock) {
  RELEASE(M, lock, pthread_mutex_unlock(lock));
}
static int wrap_mtx_lock(mtx_t *lock) {
  TAKE(M, lock, mtx_trylock(lock), thrd_busy, mtx_lock(lock));
}
static int wrap_mtx_timedlock(mtx_t *lock, const struct timespec *until) {
  TAKE(M, lock, mtx_trylock(lock), thrd_busy, mtx_timedlock(lock, until));
}
static int wrap_mtx_trylock(mtx_t *lock) {
  TRY(M, lock, mtx_trylock(lock));
}
static int wrap_mtx_unlock(mtx_t *lock) {
  RELEASE(M, lock, mtx_unlock(lock));
}

/* ---- read-write locks, spin locks ---- */

#define R PROF_MEASURE_READER
#define W PROF_MEASURE_WRITER
static int wrap_pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  TAKE(R, lock, pthread_rwlock_tryrdlock(lock), EBUSY, pthread_rwlock_rdlock(lock));
}
static int wrap_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) {
  TAKE(R, lock, pthread_rwlock_tryrdlock(lock), EBUSY, pthread_rwlock_timedrdlock(lock, until));
}
static int wrap_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  TAKE(R, lock, pthread_rwlock_tryrdlock(lock), EBUSY, pthread_rwlock_clockrdlock(lock, clock, until));
}
static int wrap_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  TRY(R, lock, pthread_rwlock_tryrdlock(lock));
}
static int wrap_pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  TAKE(W, lock, pthread_rwlock_trywrlock(lock), EBUSY, pthread_rwlock_wrlock(lock));
}
static int wrap_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) {
  TAKE(W, lock, pthread_rwlock_trywrlock(lock), EBUSY, pthread_rwlock_timedwrlock(lock, until));
}
static int wrap_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  TAKE(W, lock, pthread_rwlock_trywrlock(lock), EBUSY, pthread_rwlock_clockwrlock(lock, clock, until));
}
static int wrap_pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  TRY(W, lock, pthread_rwlock_trywrlock(lock));
}
static int wrap_pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  RELEASE(W, lock, pthread_rwlock_unlock(lock));
}
static int wrap_pthread_spin_lock(pthread_spinlock_t *lock) {
  TAKE(PROF_MEASURE_SPIN, lock, pthread_spin_trylock(lock), EBUSY, pthread_spin_lock(lock));
}
static int wrap_pthread_spin_trylock(pthread_spinlock_t *lock) {
  TRY(PROF_MEASURE_SPIN, lock, pthread_spin_trylock(lock));
}
static int wrap_pthread_spin_unlock(pthread_spinlock_t *lock) {
  RELEASE(PROF_MEASURE_SPIN, lock, pthread_spin_unlock(lock));
}

/* ---- condition variables ---- */

/* The mutex is free during the wait.  A thread that is cancelled in it leaves the wrapper without the end. */
#define AWAIT(condition, lock, call)                                                                                   \
  put(PROF_MEASURE_RELEASED, M, lock, PROF_CALLER);                                                                    \
  put(PROF_MEASURE_WAITS, PROF_MEASURE_CONDITION, condition, PROF_CALLER);                                             \
  int result = call;                                                                                                   \
  put(PROF_MEASURE_GOES_ON, PROF_MEASURE_CONDITION, condition, PROF_CALLER);                                           \
  put(PROF_MEASURE_TAKEN, M, lock, PROF_CALLER);                                                                       \
  return result
static int wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
  AWAIT(condition, lock, pthread_cond_wait(condition, lock));
}
static int wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until) {
  AWAIT(condition, lock, pthread_cond_timedwait(condition, lock, until));
}
static int wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *lock, clockid_t clock,
                                       const struct timespec *until) {
  AWAIT(condition, lock, pthread_cond_clockwait(condition, lock, clock, until));
}
static int wrap_cnd_wait(cnd_t *condition, mtx_t *lock) {
  AWAIT(condition, lock, cnd_wait(condition, lock));
}
static int wrap_cnd_timedwait(cnd_t *condition, mtx_t *lock, const struct timespec *until) {
  AWAIT(condition, lock, cnd_timedwait(condition, lock, until));
}

/* ---- semaphores, joins, barriers: what is waited for, and never held ---- */

/* A semaphore that can be taken at once is no wait; errno is the real call's. */
#define WAIT_SEMAPHORE(what, call)                                                                                     \
  int error = errno;                                                                                                   \
  if (sem_trywait(what) == 0)                                                                                          \
    return 0;                                                                                                          \
  errno = error;                                                                                                       \
  WAIT(PROF_MEASURE_SEMAPHORE, what, call)

static int wrap_sem_wait(sem_t *semaphore) {
  WAIT_SEMAPHORE(semaphore, sem_wait(semaphore));
}
static int wrap_sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  WAIT_SEMAPHORE(semaphore, sem_timedwait(semaphore, until));
}
static int wrap_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  WAIT_SEMAPHORE(semaphore, sem_clockwait(semaphore, clock, until));
}
static int wrap_pthread_join(pthread_t thread, void **value) {
  WAIT(PROF_MEASURE_JOIN, (void *)thread, pthread_join(thread, value));
}
static int wrap_thrd_join(thrd_t thread, int *value) {
  WAIT(PROF_MEASURE_JOIN, (void *)thread, thrd_join(thread, value));
}
static int wrap_pthread_barrier_wait(pthread_barrier_t *barrier) {
  WAIT(PROF_MEASURE_BARRIER, barrier, pthread_barrier_wait(barrier));
}

/* Newer than the oldest glibc that prof supports: absent, they have no slots. */
#pragma weak pthread_mutex_clocklock
#pragma weak pthread_rwlock_clockrdlock
#pragma weak pthread_rwlock_clockwrlock
#pragma weak pthread_cond_clockwait
#pragma weak sem_clockwait

#define ROW(name)                                                                                                      \
  { #name, (void *)(uintptr_t)wrap_##name, NULL }
struct prof_wrapped prof_wrapped_locks[] = {
    ROW(pthread_mutex_lock),
    ROW(pthread_mutex_timedlock),
    ROW(pthread_mutex_clocklock),
    ROW(pthread_mutex_trylock),
    ROW(pthread_mutex_unlock),
    ROW(mtx_lock),
    ROW(mtx_timedlock),
    ROW(mtx_trylock),
    ROW(mtx_unlock),
    ROW(pthread_rwlock_rdlock),
    ROW(pthread_rwlock_timedrdlock),
    ROW(pthread_rwlock_clockrdlock),
    ROW(pthread_rwlock_tryrdlock),
    ROW(pthread_rwlock_wrlock),
    ROW(pthread_rwlock_timedwrlock),
    ROW(pthread_rwlock_clockwrlock),
    ROW(pthread_rwlock_trywrlock),
    ROW(pthread_rwlock_unlock),
    ROW(pthread_spin_lock),
    ROW(pthread_spin_trylock),
    ROW(pthread_spin_unlock),
    ROW(pthread_cond_wait),
    ROW(pthread_cond_timedwait),
    ROW(pthread_cond_clockwait),
    ROW(cnd_wait),
    ROW(cnd_timedwait),
    ROW(sem_wait),
    ROW(sem_timedwait),
    ROW(sem_clockwait),
    ROW(pthread_join),
    ROW(thrd_join),
    ROW(pthread_barrier_wait),
    {0},
};
