/*
 * tools/analysis/gpu/gpu_energy.h - the energy that the machine's GPUs used, from NVML's readings.
 *
 * In: an opened trace (--gpu-metrics).  In a part of a recording: a step between two readings belongs to the part that
 * it ends in.  NVML's counter of energy counts; where a device has none, power times time.  Readings of a device that
 * are less than a second apart, first to last, tell nothing: the counter moves a few times a second.
 */
#ifndef PROF_ANALYSIS_GPU_ENERGY_H
#define PROF_ANALYSIS_GPU_ENERGY_H

#include <stdbool.h>

#include "prof_status.h"
#include "proftrace.h"

struct prof_gpu_energy {
  double joules;   /* of the devices below; 0: not known */
  size_t devices;  /* whose energy is known */
  size_t unknown;  /* that were read, and whose energy isn't */
  size_t by_power; /* of `devices`: without a counter */
  bool has_gpus;   /* a process of the recording used a GPU */
};

/* PROF_NO_MEMORY. */
prof_status prof_gpu_energy_sum(const prof_trace *, struct prof_gpu_energy *out) PROF_MUST_CHECK;

#endif
