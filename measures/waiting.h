/*
 * waiting.h - bodies of wrappers around what threads wait for.
 *
 * Each is a macro, for PROF_CALLER is the wrapper's own return address.
 */
#ifndef PROF_MEASURES_WAITING_H
#define PROF_MEASURES_WAITING_H

#include "wrapped.h"

static inline void put(enum prof_measure_operation operation, enum prof_measure_lock kind, const volatile void *lock,
                       const void *caller) {
  prof_measure.put(operation, caller, kind, (uintptr_t)lock);
}

/* What is never held. */
#define WAIT(kind, what, call)                                                                                         \
  put(PROF_MEASURE_WAITS, kind, what, PROF_CALLER);                                                                    \
  __auto_type result = call;                                                                                           \
  put(PROF_MEASURE_GOES_ON, kind, what, PROF_CALLER);                                                                  \
  return result
/* Likewise: what has no address of its own is told apart by the place of the call. */
#define WAIT_HERE(kind, call) WAIT(kind, PROF_CALLER, call)

#endif
