/*
 * prof.h - what a program may say to the profiler: recording on and off, and which functions to probe.
 *
 * Nothing to link.  Built without the plugin, or run without a recording, the functions do nothing and return 0.
 * They may be called from any thread, at any time, also from a signal handler; errno is kept.
 */
#ifndef PROF_H
#define PROF_H

#include <stdint.h>

/*
 * On a function: probe it although it is small, or with -fplugin-arg-prof-probe=annotated only such functions.
 * The plugin doesn't let it be inlined, so that each call is seen, unless it is always_inline; a call costs about a
 * nanosecond then while nothing is recorded.  Vanishes without the plugin.
 */
#if defined(__has_attribute)
#if __has_attribute(prof_probe)
#define PROF_PROBE __attribute__((prof_probe))
#endif
#endif
#if !defined(PROF_PROBE) && defined(__clang__) /* without a plugin it says nothing to anybody */
#define PROF_PROBE __attribute__((annotate("prof_probe")))
#endif
#ifndef PROF_PROBE
#define PROF_PROBE
#endif

/* On a function: never probe it. */
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
 * Stops recording in the whole process: probes become nops again.  Calls that are open in any thread are recorded as
 * left at this time.  Returns 0.
 */
PROF_NO_PROBE static inline int prof_stop(void) {
  return prof_control_(0);
}

/* Goes on recording after prof_stop.  Returns 1, or 0 when nothing can be recorded or --delay and the like forbid it.
 * Calls that were open and still are go on, without the time between; a call that was entered meanwhile isn't known. */
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
