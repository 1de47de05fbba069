/*
 * gpu/capture.c - see capture.h.
 *
 * Numbers of calls grow over all threads.  While recording is on, the numbers from the first call to the last one are a
 * window.  A record comes later; it is kept if its number is in a window.  Without bounds there is no window and no
 * lock: all records are kept.
 *
 * The runtime, if there is one, bounds the host's calls: it applies times by itself, and this file reports captures to
 * it, under the lock, so that begins and ends come in order.
 */
#include "capture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grow.h"
#include "stack.h"
#include "version.h"

struct window {
  uint32_t first, last;
};

static struct {
  pthread_mutex_t lock;
  uint32_t bounded; /* read without the lock; 0: all is kept */
  bool by_api, api_is_on;
  uint64_t begun;
  bool was_inside; /* as last reported to the runtime */
  char range[PROF_CONTROL_CAPTURE_BYTES];
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

void prof_gpu_capture_begin(const struct prof_control *control) {
  memcpy(capture.range, control->capture, sizeof capture.range - 1);
  if (strcmp(capture.range, PROF_CAPTURE_API) == 0) {
    capture.range[0] = 0;
    capture.by_api = true;
    capture.api_is_on = false;
  }
  capture.from_ns = control->from_ns;
  capture.until_ns = control->until_ns;
  capture.bounded = capture.by_api || capture.range[0] != 0 || capture.from_ns != 0 || capture.until_ns != 0;
  capture.was_inside = !capture.by_api && capture.range[0] == 0;
}

/* The lock is held, here and below. */
static bool is_inside(void) {
  return capture.api_is_on && (capture.range[0] == 0 || capture.open_ranges > 0);
}

static bool is_on(void) {
  uint64_t now = capture.from_ns != 0 || capture.until_ns != 0 ? now_ns() : 0;
  return is_inside() && now >= capture.from_ns && (capture.until_ns == 0 || now < capture.until_ns);
}

struct prof_gpu_moment prof_gpu_capture_now(void) {
  if (__atomic_load_n(&capture.bounded, __ATOMIC_ACQUIRE) == 0)
    return (struct prof_gpu_moment){.is_on = true};
  pthread_mutex_lock(&capture.lock);
  struct prof_gpu_moment moment = {is_on(), capture.begun + (now_ns() >= capture.from_ns)};
  pthread_mutex_unlock(&capture.lock);
  return moment;
}

/* Reports to the runtime, if it is in this program.  It may be loaded later than the collector. */
static void tell_host(void) {
  bool inside = is_inside();
  if (inside == capture.was_inside)
    return;
  capture.was_inside = inside;
  capture.begun += is_on();
  void *runtime = prof_gpu_stack_runtime();
  void (*tell)(int) = NULL;
  if (runtime != NULL)
    *(void **)&tell = dlsym(runtime, PROF_CAPTURE_SYMBOL);
  if (tell != NULL)
    tell(inside);
  if (runtime != NULL)
    dlclose(runtime);
}

/* False: no memory. */
static bool add_window(uint32_t correlation) {
  void *windows = capture.windows;
  if (!prof_gpu_grow(&windows, &capture.capacity, capture.count, sizeof *capture.windows))
    return false;
  capture.windows = windows;
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
  tell_host();
  pthread_mutex_unlock(&capture.lock);
}

bool prof_gpu_capture_range_begins(const char *name) {
  if (capture.range[0] == 0 || strcmp(name, capture.range) != 0)
    return false;
  pthread_mutex_lock(&capture.lock);
  capture.open_ranges++;
  tell_host();
  pthread_mutex_unlock(&capture.lock);
  return true;
}

void prof_gpu_capture_range_ends(void) {
  pthread_mutex_lock(&capture.lock);
  capture.open_ranges--;
  tell_host();
  pthread_mutex_unlock(&capture.lock);
}
