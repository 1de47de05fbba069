/*
 * tools/estimate/time_kind.h - the parts of a time, and the kind of time that a view is about.
 *
 * A thread runs, waits (until something happens), or is preempted: it could run, but the kernel runs another one.
 *
 *     running + waiting + preempted = a node's time         (of a node, a function, a thread, all threads)
 *     that + probe overhead         = time as measured      (of a thread, all threads)
 *
 * Both hold exactly, in ticks, and in nanoseconds by prof_time_split.  Preempted time is part of the elapsed time only.
 * Without scheduler switches in the recording all of a time counts as running; then views show elapsed time.
 */
#ifndef PROF_ESTIMATE_TIME_KIND_H
#define PROF_ESTIMATE_TIME_KIND_H

#include <stdint.h>

#include "prof_study.h"
#include "proftrace.h"

struct prof_off_ticks { /* of a time: the thread did not run */
  uint64_t waiting, preempted;
};

static inline void prof_off_add(struct prof_off_ticks *to, const struct prof_off_ticks *from) {
  to->waiting += from->waiting;
  to->preempted += from->preempted;
}

/* The part of that kind of an elapsed time; off is a part of the time. */
static inline uint64_t prof_time_part(enum prof_time_kind kind, uint64_t ticks, const struct prof_off_ticks *off) {
  const uint64_t parts[PROF_TIME_KINDS] = {ticks - off->waiting - off->preempted, off->waiting, ticks};
  return parts[kind];
}

/* elapsed is that of the ticks, and the others add up to it. */
static inline struct prof_time_ns prof_time_split(const prof_trace *trace, uint64_t ticks,
                                                  const struct prof_off_ticks *off) {
  struct prof_time_ns out = {.elapsed = prof_trace_ns(trace, ticks), .waiting = prof_trace_ns(trace, off->waiting)};
  uint64_t off_ns = prof_trace_ns(trace, off->waiting + off->preempted);
  out.preempted = off_ns - out.waiting;
  out.running = out.elapsed - off_ns;
  return out;
}

/* The part of that kind. */
static inline uint64_t prof_time_ns_of(enum prof_time_kind kind, const struct prof_time_ns *time) {
  const uint64_t parts[PROF_TIME_KINDS] = {time->running, time->waiting, time->elapsed};
  return parts[kind];
}

#endif
