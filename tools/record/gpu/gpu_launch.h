/*
 * tools/record/gpu/gpu_launch.h - loads the GPU collector into a program, by environment variables of the CUDA driver.
 */
#ifndef PROF_RECORD_GPU_LAUNCH_H
#define PROF_RECORD_GPU_LAUNCH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum prof_gpu_mode {
  PROF_GPU_AUTO = 0, /* record if the program uses CUDA; no message if it doesn't */
  PROF_GPU_ON = 1,   /* the same; with a message if it doesn't */
  PROF_GPU_OFF = 2,
};

struct prof_gpu_options {
  enum prof_gpu_mode mode;
  bool whole_graphs; /* a record per run of a graph, not per node */
  bool metrics;      /* read NVML, too */
  bool lines;        /* sample places in kernels */
};

/* Path of the collector, beside the runtime or in the build tree; false: not found. */
bool prof_gpu_launch_find(const char *runtime, char out[PATH_MAX]);

/* In the child: sets variables for the driver and the collector, except those that the user set; false: no memory. */
bool prof_gpu_launch_environment(const struct prof_gpu_options *, const char *collector);

/* PROF_CONTROL_GPU_ flags that pass the options to the collector. */
uint32_t prof_gpu_launch_flags(const struct prof_gpu_options *);

/* Why no GPU activity was recorded; NULL: no message is needed, because the program doesn't use CUDA (PROF_GPU_AUTO),
 * or GPU recording is off.  program: its path. */
const char *prof_gpu_launch_why_not(const struct prof_gpu_options *, const char *program, const char *collector);

#endif
