/*
 * gpu/nvml_abi.h - our declarations of the used part of NVML's binary interface (NVML API reference, "Device Queries").
 */
#ifndef PROF_GPU_NVML_ABI_H
#define PROF_GPU_NVML_ABI_H

#include <stdint.h>

struct nvml_utilization { /* percent of the driver's last sampling period */
  unsigned gpu, memory;
};
struct nvml_memory {
  unsigned long long total, free, used; /* bytes */
};

/* name, parameters; all return 0 for success */
#define NVML_FUNCTIONS(F)                                                                                              \
  F(nvmlInit_v2, (void))                                                                                               \
  F(nvmlDeviceGetCount_v2, (unsigned *))                                                                               \
  F(nvmlDeviceGetHandleByIndex_v2, (unsigned, void **))                                                                \
  F(nvmlDeviceGetUtilizationRates, (void *, struct nvml_utilization *))                                                \
  F(nvmlDeviceGetMemoryInfo, (void *, struct nvml_memory *))                                                           \
  F(nvmlDeviceGetPowerUsage, (void *, unsigned *milliwatts))                                                           \
  F(nvmlDeviceGetTotalEnergyConsumption, (void *, unsigned long long *millijoules))

#endif
