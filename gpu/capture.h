/*
 * gpu/capture.h - which part of what the GPU does is recorded: between cudaProfilerStart and Stop, in an NVTX range,
 * after a delay, for a time; the runtime is told of the first two.
 *
 * Calls are asked whether they begin while recording is on; records are kept if their call was.  Threads: any.
 */
#ifndef PROF_GPU_CAPTURE_H
#define PROF_GPU_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"

/* What the recorder asks for; before anything is recorded. */
void prof_gpu_capture_begin(const struct prof_control *);

/* An outermost API call begins with this number: shall it be recorded? */
bool prof_gpu_capture_call(uint32_t correlation);

/* Whether records of this call are kept. */
bool prof_gpu_capture_keeps(uint32_t correlation);

/* The program called cudaProfilerStart, or Stop, by the call of this number. */
void prof_gpu_capture_profiler(bool start, uint32_t correlation);

/* What happened between two moments is recorded if recording was on at one of them, or in between. */
struct prof_gpu_moment {
  bool is_on;
  uint64_t begun; /* grows when it is switched on */
};
struct prof_gpu_moment prof_gpu_capture_now(void);
static inline bool prof_gpu_capture_overlaps(struct prof_gpu_moment from, struct prof_gpu_moment to) {
  return from.is_on || to.is_on || from.begun != to.begun;
}

/* A range begins; true: it is one of those that are asked for, and its end must be said. */
bool prof_gpu_capture_range_begins(const char *name);
void prof_gpu_capture_range_ends(void);

#endif
