/*
 * tools/command/progress.c - a line on stderr while something takes longer than a second.
 */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NS 1000000000L
#define NEXT_NS 250000000L

static void draw(const struct prof_progress *progress, double seconds) {
  uint64_t done = atomic_load_explicit(&progress->done, memory_order_relaxed);
  if (progress->total && done <= progress->total)
    fprintf(stderr, "\r\x1b[Kprof: %s: %.0f%%, %.0f s", progress->what, 100 * (double)done / (double)progress->total,
            seconds);
  else
    fprintf(stderr, "\r\x1b[Kprof: %s: %.0f s", progress->what, seconds);
  fflush(stderr);
}

static void *work(void *argument) {
  struct prof_progress *progress = argument;
  struct timespec start, until;
  clock_gettime(CLOCK_MONOTONIC, &start);
  until = start;
  bool drawn = false;
  pthread_mutex_lock(&progress->lock);
  for (long wait_ns = FIRST_NS; !progress->stop; wait_ns = NEXT_NS) {
    until.tv_nsec += wait_ns;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    while (!progress->stop && !pthread_cond_timedwait(&progress->wake, &progress->lock, &until))
      ;
    if (progress->stop)
      break;
    draw(progress, (double)(until.tv_sec - start.tv_sec) + (double)(until.tv_nsec - start.tv_nsec) / 1e9);
    drawn = true;
  }
  pthread_mutex_unlock(&progress->lock);
  if (drawn)
    fputs("\r\x1b[K", stderr);
  return NULL;
}

void prof_progress_begin(struct prof_progress *progress, const char *what, uint64_t total) {
  progress->what = what;
  progress->total = total;
  progress->running = progress->stop = false;
  atomic_init(&progress->done, 0);
  if (!isatty(STDERR_FILENO))
    return;
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&progress->wake, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_mutex_init(&progress->lock, NULL);
  progress->running = !pthread_create(&progress->thread, NULL, work, progress);
  if (!progress->running) {
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
  }
}

void prof_progress_end(struct prof_progress *progress) {
  if (!progress->running)
    return;
  pthread_mutex_lock(&progress->lock);
  progress->stop = true;
  pthread_cond_signal(&progress->wake);
  pthread_mutex_unlock(&progress->lock);
  pthread_join(progress->thread, NULL);
  pthread_cond_destroy(&progress->wake);
  pthread_mutex_destroy(&progress->lock);
  progress->running = false;
}
