/*
 * gpu/clock.c - see clock.h.
 *
 * The library gets our clock as a callback, once per process and before anything is enabled: a second time would spoil
 * records.  Without the callback, times are on the line through the first and the last pair of readings; records lie
 * between the two.  A library that had our clock and returns a very different time has lost all its state.  This check
 * needs no subscription, which may be gone.
 */
#include "clock.h"

#include <pthread.h>
#include <time.h>

#define FAR_TICKS (1ull << 32) /* more than a second; no thread is delayed so long between two readings four times */

static struct {
  pthread_mutex_t lock;
  bool own;
  bool seen, lost; /* a reading found our clock in the library; a later one didn't */
  bool system;     /* the recording's clock is CLOCK_MONOTONIC; set once, before anything is timed */
  uint64_t first_ticks, first_time, last_ticks, last_time;
} clocks = {.lock = PTHREAD_MUTEX_INITIALIZER};

void prof_gpu_clock_choose(const struct prof_control *control) {
  clocks.system = control->clock == PROF_CONTROL_CLOCK_OS;
}

uint64_t prof_gpu_clock_now(void) {
  if (clocks.system) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  }
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

bool prof_gpu_clock_hand_over(const struct prof_gpu_library *library) {
  bool own = library->cuptiActivityRegisterTimestampCallback != NULL &&
             library->cuptiActivityRegisterTimestampCallback(prof_gpu_clock_now) == ABI_SUCCESS;
  pthread_mutex_lock(&clocks.lock);
  clocks.own = own;
  clocks.seen = clocks.lost = false;
  pthread_mutex_unlock(&clocks.lock);
  return own;
}

uint64_t prof_gpu_clock_look(const struct prof_gpu_library *library) {
  enum { TRIES = 4 };
  uint64_t narrowest = UINT64_MAX;
  pthread_mutex_lock(&clocks.lock);
  for (int i = 0; i < TRIES; i++) {
    uint64_t time = 0, before = prof_gpu_clock_now();
    if (library->cuptiGetTimestamp(&time) != ABI_SUCCESS) {
      narrowest = 0;
      break;
    }
    uint64_t after = prof_gpu_clock_now(), off = after - before;
    if (clocks.own && time < before)
      off += before - time;
    else if (clocks.own && time > after)
      off += time - after;
    if (off >= narrowest)
      continue;
    narrowest = off;
    clocks.last_ticks = before + (after - before) / 2;
    clocks.last_time = time;
  }
  if (clocks.own && narrowest != 0 && narrowest <= FAR_TICKS)
    clocks.seen = true;
  else if (clocks.own && clocks.seen && narrowest > FAR_TICKS) {
    clocks.lost = true;
    narrowest = 0;
  }
  if (clocks.first_time == 0) {
    clocks.first_ticks = clocks.last_ticks;
    clocks.first_time = clocks.last_time;
  }
  pthread_mutex_unlock(&clocks.lock);
  return narrowest;
}

bool prof_gpu_clock_is_lost(void) {
  pthread_mutex_lock(&clocks.lock);
  bool lost = clocks.lost;
  pthread_mutex_unlock(&clocks.lock);
  return lost;
}

uint64_t prof_gpu_clock_ticks(uint64_t time) {
  if (clocks.own || time == 0)
    return time;
  pthread_mutex_lock(&clocks.lock);
  uint64_t ticks = clocks.first_ticks;
  if (clocks.last_time != clocks.first_time) {
    double rate = (double)(clocks.last_ticks - clocks.first_ticks) / (double)(clocks.last_time - clocks.first_time);
    ticks += (uint64_t)(int64_t)((double)(int64_t)(time - clocks.first_time) * rate);
  }
  pthread_mutex_unlock(&clocks.lock);
  return ticks;
}
