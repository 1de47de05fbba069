/*
 * gpu/metrics.h - NVML: utilisation, memory, power and energy of the devices, read now and then.
 *
 * Used by the collector's own thread only.
 */
#ifndef PROF_GPU_METRICS_H
#define PROF_GPU_METRICS_H

/* Loads NVML if it is wanted (--gpu-metrics); what goes wrong is said once. */
void prof_gpu_metrics_begin(void);

/* Reads and writes a record per device; nothing when it wasn't begun. */
void prof_gpu_metrics_read(void);

#endif
