/*
 * tools/base/stop.h - lets who waits for long work end it.
 *
 * The work asks from time to time, from any of its threads, and then returns PROF_STOPPED.
 */
#ifndef PROF_BASE_STOP_H
#define PROF_BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>

struct prof_stop {
  bool (*wanted)(void *context); /* quick; from several threads at once */
  void *context;
};

/* NULL: nobody ends it. */
static inline bool prof_stop_wanted(const struct prof_stop *stop) {
  return stop != NULL && stop->wanted(stop->context);
}

#endif
