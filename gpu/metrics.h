/*
 * gpu/metrics.h - reads utilisation, memory, power and energy of the devices from NVML.
 *
 * Used by the collector's own thread only.
 */
#ifndef PROF_GPU_METRICS_H
#define PROF_GPU_METRICS_H

/* Loads NVML with --gpu-metrics; reports a fault once. */
void prof_gpu_metrics_begin(void);

/* Reads the devices and writes a record for each; does nothing if NVML isn't loaded. */
void prof_gpu_metrics_read(void);

#endif
