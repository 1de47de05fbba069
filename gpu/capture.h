/*
 * gpu/capture.h - decides which part of the GPU's work is recorded: between cudaProfilerStart and Stop, in an NVTX
 * range, after a delay, for a time.  Reports the first two to the runtime.
 *
 * A call is recorded if it begins while recording is on; a record is kept if its call was recorded.  Threads: any.
 */
#ifndef PROF_GPU_CAPTURE_H
#define PROF_GPU_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"

/* Reads the recorder's bounds.  Call it before anything is recorded. */
void prof_gpu_capture_begin(const struct prof_control *);

/* An outermost API call begins with this number.  Is it recorded? */
bool prof_gpu_capture_call(uint32_t correlation);

/* Are records of this call kept? */
bool prof_gpu_capture_keeps(uint32_t correlation);

/* The program called cudaProfilerStart, or Stop, in the call with this number. */
void prof_gpu_capture_profiler(bool start, uint32_t correlation);

/* Work between two moments is recorded if recording was on at one of them or in between. */
struct prof_gpu_moment {
  bool is_on;
  uint64_t begun; /* grows when it is switched on */
};
struct prof_gpu_moment prof_gpu_capture_now(void);
static inline bool prof_gpu_capture_overlaps(struct prof_gpu_moment from, struct prof_gpu_moment to) {
  return from.is_on || to.is_on || from.begun != to.begun;
}

/* A range begins; true: --capture-range names it, and its end must be reported. */
bool prof_gpu_capture_range_begins(const char *name);
void prof_gpu_capture_range_ends(void);

#endif
