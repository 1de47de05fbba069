/*
 * prof.h - controls the profiler from a program: recording on and off, and which functions have probes.
 *
 * Nothing to link.  Built without the plugin, or run without a recording, the functions do nothing and return 0.  They
 * may be called from any thread, at any time, also from a signal handler; errno is kept.
 */
#ifndef PROF_H
#define PROF_H

#include <stdint.h>

/*
 * On a function: instruments it although it is small; -fplugin-arg-prof-probe=annotated instruments only such
 * functions.  The plugin doesn't let it be inlined, so that each call is seen, unless it is always_inline; a call then
 * costs about a nanosecond while nothing is recorded.  No effect without the plugin.
 */
#if defined(__has_attribute)
#if __has_attribute(prof_probe)
#define PROF_PROBE __attribute__((prof_probe))
#endif
#endif
#if !defined(PROF_PROBE) && defined(__clang__) /* without a plugin it has no effect */
#define PROF_PROBE __attribute__((annotate("prof_probe")))
#endif
#ifndef PROF_PROBE
#define PROF_PROBE
#endif

/* On a function: never instrument it. */
#if defined(__GNUC__)
#define PROF_NO_PROBE __attribute__((no_instrument_function))
#else
#define PROF_NO_PROBE
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct prof_public_hooks { /* filled by the runtime, one per program or library; not for direct use */
  uint64_t wire_version;
  int (*control)(int operation);
};
/* Weak and undefined without the plugin.  Not declared hidden: gold gives such a symbol a wrong address in a PIE. */
extern struct prof_public_hooks __prof_hooks_v1 __attribute__((weak));

PROF_NO_PROBE static inline int prof_control_(int operation) {
  struct prof_public_hooks *hooks = &__prof_hooks_v1;
  return hooks && hooks->wire_version == 1 ? hooks->control(operation) : 0;
}

/*
 * Stops recording in the whole process: probes become nops again.  Open calls of all threads are recorded as left at
 * this time.  Returns 0.
 */
PROF_NO_PROBE static inline int prof_stop(void) {
  return prof_control_(0);
}

/* Resumes recording after prof_stop.  Returns 1, or 0 if nothing can be recorded or --delay and the like forbid it.
 * Calls that are still open go on, without the time between; calls entered meanwhile are unknown. */
PROF_NO_PROBE static inline int prof_start(void) {
  return prof_control_(1);
}

/*
 * 1 while events are recorded; 0 when stopped, out of bounds (--delay, --duration, --capture-range), without plugin,
 * without a recorder, or after its size limit.
 */
PROF_NO_PROBE static inline int prof_is_recording(void) {
  return prof_control_(2);
}

#ifdef __cplusplus
}
#endif

#endif
