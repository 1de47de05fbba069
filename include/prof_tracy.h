/*
 * prof_tracy.h - for programs that are marked for Tracy: records what its macros name, as zones, frames, counters,
 * values and marks of prof.h.  Nothing of Tracy is needed or linked.
 *
 * Include it before tracy/Tracy.hpp and tracy/TracyC.h, whose contents are skipped then: -include prof_tracy.h on the
 * compiler's command line is enough.  C and C++.  What becomes of each macro: prof-tracy(3).
 *
 * Names of frames, plots and messages have to be string literals; with PROF_TRACY_ONLY_ZONES these macros do nothing.
 */
#ifndef PROF_TRACY_H
#define PROF_TRACY_H

#include "prof.h"

/* Their headers' guards. */
#ifndef __TRACYHPP__
#define __TRACYHPP__
#endif
#ifndef __TRACYC_HPP__
#define __TRACYC_HPP__
#endif

#if PROF_HAS_ZONES
/* The zone that began at this line ends; it may be in another block. */
PROF_NO_PROBE __attribute__((always_inline)) static __inline__ void prof_tracy_end_(const unsigned long *line) {
  PROF_ASM_(PROF_SLED_("0x1022", "0", "") : : "a"(*line));
}
#define PROF_TRACY_BEGIN_(name) PROF_ASM_(PROF_SLED_("0x1001", "%c0", PROF_ZONE_FACT_) : : "i"(name), "i"(__FILE__))
#define PROF_TRACY_LINE_(name)                                                                                         \
  __extension__({                                                                                                      \
    PROF_TRACY_BEGIN_(name);                                                                                           \
    (unsigned long)__LINE__;                                                                                           \
  })
#define PROF_TRACY_ZONE_(variable, name)                                                                               \
  const unsigned long variable __attribute__((unused, cleanup(prof_tracy_end_))) = PROF_TRACY_LINE_(name)
#define PROF_TRACY_SCOPED_(name) PROF_TRACY_ZONE_(PROF_JOIN_(prof_tracy_, __COUNTER__), name)
typedef unsigned long TracyCZoneCtx;
#define TracyCZoneEnd(context) prof_tracy_end_(&(context))
#else
#define PROF_TRACY_ZONE_(variable, name) const int variable __attribute__((unused)) = 0
#define PROF_TRACY_SCOPED_(name)
#define PROF_TRACY_LINE_(name) 0
typedef unsigned long TracyCZoneCtx;
#define TracyCZoneEnd(context) ((void)(context))
#endif

/* ---- zones ---- */

#define ZoneScoped PROF_TRACY_SCOPED_(__FUNCTION__)
#define ZoneScopedC(color) PROF_TRACY_SCOPED_(__FUNCTION__)
#define ZoneScopedS(depth) PROF_TRACY_SCOPED_(__FUNCTION__)
#define ZoneScopedCS(color, depth) PROF_TRACY_SCOPED_(__FUNCTION__)
#define ZoneScopedN(name) PROF_TRACY_SCOPED_("" name "")
#define ZoneScopedNC(name, color) PROF_TRACY_SCOPED_("" name "")
#define ZoneScopedNS(name, depth) PROF_TRACY_SCOPED_("" name "")
#define ZoneScopedNCS(name, color, depth) PROF_TRACY_SCOPED_("" name "")
#define ZoneNamed(variable, active) PROF_TRACY_ZONE_(variable, __FUNCTION__)
#define ZoneNamedC(variable, color, active) PROF_TRACY_ZONE_(variable, __FUNCTION__)
#define ZoneNamedS(variable, depth, active) PROF_TRACY_ZONE_(variable, __FUNCTION__)
#define ZoneNamedN(variable, name, active) PROF_TRACY_ZONE_(variable, "" name "")
#define ZoneNamedNC(variable, name, color, active) PROF_TRACY_ZONE_(variable, "" name "")
#define ZoneNamedNS(variable, name, depth, active) PROF_TRACY_ZONE_(variable, "" name "")
#define ZoneTransient(variable, active) PROF_TRACY_ZONE_(variable, __FUNCTION__)
#define ZoneTransientN(variable, name, active) PROF_TRACY_ZONE_(variable, __FUNCTION__)
#define ZoneValue(value) PROF_VALUE("value", value)
#define ZoneValueV(variable, value) PROF_VALUE("value", value)

#define TracyCZone(context, active) TracyCZoneCtx context = PROF_TRACY_LINE_(__FUNCTION__)
#define TracyCZoneC(context, color, active) TracyCZone(context, active)
#define TracyCZoneS(context, depth, active) TracyCZone(context, active)
#define TracyCZoneN(context, name, active) TracyCZoneCtx context = PROF_TRACY_LINE_("" name "")
#define TracyCZoneNC(context, name, color, active) TracyCZoneN(context, name, active)
#define TracyCZoneNS(context, name, depth, active) TracyCZoneN(context, name, active)
#define TracyCZoneValue(context, value) PROF_VALUE("value", value)

/* ---- frames, plots, messages ---- */

#define FrameMark PROF_FRAME("Frame")
#define TracyCFrameMark PROF_FRAME("Frame");
#ifndef PROF_TRACY_ONLY_ZONES
#define FrameMarkNamed(name) PROF_FRAME(name)
#define TracyPlot(name, value) PROF_COUNTER(name, value, "")
#define TracyMessageL(text) PROF_MARK(text)
#define TracyMessageLC(text, color) PROF_MARK(text)
#define TracyCFrameMarkNamed(name) PROF_FRAME(name);
#define TracyCPlot(name, value) PROF_COUNTER(name, value, "");
#define TracyCPlotI(name, value) PROF_COUNTER(name, value, "");
#define TracyCPlotF(name, value) PROF_COUNTER(name, value, "");
#define TracyCMessageL(text) PROF_MARK(text);
#define TracyCMessageLC(text, color) PROF_MARK(text);
#else
#define FrameMarkNamed(name)
#define TracyPlot(name, value)
#define TracyMessageL(text)
#define TracyMessageLC(text, color)
#define TracyCFrameMarkNamed(name)
#define TracyCPlot(name, value)
#define TracyCPlotI(name, value)
#define TracyCPlotF(name, value)
#define TracyCMessageL(text)
#define TracyCMessageLC(text, color)
#endif

/* ---- threads, the recording ---- */

#define TracyIsConnected prof_is_recording()
#define TracyCIsConnected prof_is_recording()
#define TracyCSetThreadName(name) prof_thread_name(name);
#ifdef __cplusplus
namespace tracy {
PROF_NO_PROBE static __inline__ void SetThreadName(const char *name) {
  prof_thread_name(name);
}
} // namespace tracy
#define tracySetThreadName(name) tracy::SetThreadName(name)
#endif

/* ---- what has no counterpart: texts and colours of zones, memory and locks (prof record --memory, --locks) ---- */

#define ZoneText(text, size)
#define ZoneTextV(variable, text, size)
#define ZoneTextF(...)
#define ZoneTextVF(variable, ...)
#define ZoneName(text, size)
#define ZoneNameV(variable, text, size)
#define ZoneNameF(...)
#define ZoneNameVF(variable, ...)
#define ZoneColor(color)
#define ZoneColorV(variable, color)
#define ZoneIsActive (prof_is_recording() != 0)
#define ZoneIsActiveV(variable) (prof_is_recording() != 0)
#define FrameMarkStart(name)
#define FrameMarkEnd(name)
#define FrameImage(image, width, height, offset, flip)
#define TracyPlotConfig(name, type, step, fill, color)
#define TracyMessage(text, size)
#define TracyMessageC(text, size, color)
#define TracyAppInfo(text, size)
#define TracyNoop
#define TracyAlloc(pointer, size)
#define TracyFree(pointer)
#define TracyAllocN(pointer, size, name)
#define TracyFreeN(pointer, name)
#define TracySecureAlloc(pointer, size)
#define TracySecureFree(pointer)
#define TracyAllocS(pointer, size, depth)
#define TracyFreeS(pointer, depth)
#define TracyFiberEnter(fiber)
#define TracyFiberLeave
#define TracySetProgramName(name)
#define TracyLockable(type, variable) type variable
#define TracyLockableN(type, variable, description) type variable
#define TracySharedLockable(type, variable) type variable
#define TracySharedLockableN(type, variable, description) type variable
#define LockableBase(type) type
#define SharedLockableBase(type) type
#define LockMark(variable) ((void)(variable))
#define LockableName(variable, text, size)
#define TracyCZoneText(context, text, size)
#define TracyCZoneName(context, text, size)
#define TracyCZoneColor(context, color)
#define TracyCFrameMarkStart(name)
#define TracyCFrameMarkEnd(name)
#define TracyCAlloc(pointer, size)
#define TracyCFree(pointer)
#define TracyCAllocN(pointer, size, name)
#define TracyCFreeN(pointer, name)
#define TracyCMessage(text, size)
#define TracyCMessageC(text, size, color)
#define TracyCAppInfo(text, size)

#endif
