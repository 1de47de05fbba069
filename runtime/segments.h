/* segments.h - free segments of the shared region. */
#ifndef PROF_RUNTIME_SEGMENTS_H
#define PROF_RUNTIME_SEGMENTS_H

#include "state.h"

/* A free segment, mapped, if the thread may have one more; else 0. */
uint32_t prof_segment_take(const struct prof_thread *);
/* Does the thread hold as many as it may? */
bool prof_segment_is_capped(const struct prof_thread *);

#endif
