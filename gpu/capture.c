/*
 * gpu/capture.c - see capture.h.
 *
 * Numbers of calls grow over all threads: while recording is on, the numbers from the first call's to the last one's
 * are a window, and a record, which comes later, is kept if its number is in one.  Without any bound there is no window
 * and no lock: all is kept.
 */
#define _GNU_SOURCE
#include "capture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpu.h"

struct window {
  uint32_t first, last;
};

static struct {
  pthread_mutex_t lock;
  uint32_t bounded; /* read without the lock; 0: all is kept */
  bool by_api, api_is_on;
  char range[256];
  uint32_t open_ranges;
  uint64_t from_ns, until_ns; /* of CLOCK_MONOTONIC; 0: not bounded */
  struct window *windows;
  size_t count, capacity;
  bool in_window;
} capture = {.lock = PTHREAD_MUTEX_INITIALIZER, .api_is_on = true};

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t milliseconds(const char *name) {
  const char *value = secure_getenv(name);
  return value != NULL ? strtoull(value, NULL, 10) : 0;
}

void prof_gpu_capture_begin(void) {
  const char *range = secure_getenv(PROF_ENV_GPU_CAPTURE);
  uint64_t delay_ms = milliseconds(PROF_ENV_GPU_DELAY), duration_ms = milliseconds(PROF_ENV_GPU_DURATION);
  if (range != NULL && strcmp(range, PROF_GPU_CAPTURE_API) == 0) {
    capture.by_api = true;
    capture.api_is_on = false;
  } else if (range != NULL && strlen(range) < sizeof capture.range) {
    strcpy(capture.range, range);
  }
  if (delay_ms > 0 || duration_ms > 0)
    capture.from_ns = now_ns() + delay_ms * 1000000u;
  if (duration_ms > 0)
    capture.until_ns = capture.from_ns + duration_ms * 1000000u;
  capture.bounded = capture.by_api || capture.range[0] != 0 || capture.from_ns != 0;
}

/* The lock is held. */
static bool is_on(void) {
  if (!capture.api_is_on || (capture.range[0] != 0 && capture.open_ranges == 0))
    return false;
  if (capture.from_ns == 0)
    return true;
  uint64_t now = now_ns();
  return now >= capture.from_ns && (capture.until_ns == 0 || now < capture.until_ns);
}

/* False: no memory. */
static bool add_window(uint32_t correlation) {
  if (capture.count == capture.capacity) {
    size_t capacity = capture.capacity != 0 ? 2 * capture.capacity : 64;
    struct window *windows = realloc(capture.windows, capacity * sizeof *windows);
    if (windows == NULL)
      return false;
    capture.windows = windows;
    capture.capacity = capacity;
  }
  capture.windows[capture.count++] = (struct window){correlation, correlation};
  return true;
}

bool prof_gpu_capture_call(uint32_t correlation) {
  if (__atomic_load_n(&capture.bounded, __ATOMIC_ACQUIRE) == 0)
    return true;
  pthread_mutex_lock(&capture.lock);
  bool on = is_on();
  if (on && !capture.in_window)
    on = add_window(correlation);
  if (on) {
    struct window *last = &capture.windows[capture.count - 1];
    last->first = correlation < last->first ? correlation : last->first;
    last->last = correlation > last->last ? correlation : last->last;
  }
  capture.in_window = on;
  pthread_mutex_unlock(&capture.lock);
  return on;
}

bool prof_gpu_capture_keeps(uint32_t correlation) {
  if (__atomic_load_n(&capture.bounded, __ATOMIC_ACQUIRE) == 0)
    return true;
  bool keeps = false;
  pthread_mutex_lock(&capture.lock);
  for (size_t i = capture.count; i > 0 && !keeps; i--) /* mostly the last one */
    keeps = correlation >= capture.windows[i - 1].first && correlation <= capture.windows[i - 1].last;
  pthread_mutex_unlock(&capture.lock);
  return keeps;
}

void prof_gpu_capture_profiler(bool start, uint32_t correlation) {
  pthread_mutex_lock(&capture.lock);
  if (!start && !capture.bounded && add_window(0)) { /* all calls so far are kept */
    capture.windows[0].last = correlation;
    __atomic_store_n(&capture.bounded, 1, __ATOMIC_RELEASE);
  }
  capture.api_is_on = start;
  capture.in_window = false;
  pthread_mutex_unlock(&capture.lock);
}

bool prof_gpu_capture_range_begins(const char *name) {
  if (capture.range[0] == 0 || strcmp(name, capture.range) != 0)
    return false;
  pthread_mutex_lock(&capture.lock);
  capture.open_ranges++;
  pthread_mutex_unlock(&capture.lock);
  return true;
}

void prof_gpu_capture_range_ends(void) {
  pthread_mutex_lock(&capture.lock);
  capture.open_ranges--;
  pthread_mutex_unlock(&capture.lock);
}
