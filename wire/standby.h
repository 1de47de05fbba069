/*
 * wire/standby.h - how a recorder reaches a program that runs already, and was started with PROF_STANDBY=1 or prepared
 * later (late.h).
 *
 * The runtime of such a program has one thread more, of the name PROF_STANDBY_THREAD, which sleeps.  The recorder sends
 * it PROF_STANDBY_SIGNAL (rt_tgsigqueueinfo, SI_QUEUE) with a value of prof_standby_value: its region is
 * /proc/RECORDER/fd/DESCRIPTOR.  The kernel lets only the same user and root send it.  No other thread takes the
 * signal: it is one that the C library keeps for itself and sends to single threads.
 *
 * The thread maps the region, switches the sites on, and stores the `answer` in prof_control.  All processes that are
 * forked meanwhile have such a thread too.  They count in `attached`.
 *
 * The end: the recorder sets `detach` and wakes those who wait for it.  Each thread switches the sites off, waits until
 * its process has left the slow path, writes PROCESS_END, takes 1 from `attached`, and gives the memory back.  The
 * process that was asked stores LEFT.  They do the same when the recorder has closed the recording or has died.
 * Processes that end meanwhile stay in `attached`.
 */
#ifndef PROF_WIRE_STANDBY_H
#define PROF_WIRE_STANDBY_H

#include <stdint.h>

#define PROF_STANDBY_THREAD "prof-standby"
#define PROF_STANDBY_SIGNAL 33

enum prof_standby_answer {
  PROF_STANDBY_NONE = 0,
  PROF_STANDBY_ATTACHED = 1,
  PROF_STANDBY_BUSY = 2,   /* another recorder has it, or had it a moment ago */
  PROF_STANDBY_CLOCK = 3,  /* an earlier recording had the other clock (prof_control.clock) */
  PROF_STANDBY_MEMORY = 4, /* no memory */
  PROF_STANDBY_LEFT = 5,   /* it had joined, and has left */
};

static inline uint64_t prof_standby_value(int32_t recorder, int32_t descriptor) {
  return (uint64_t)(uint32_t)recorder << 32 | (uint32_t)descriptor;
}

#endif
