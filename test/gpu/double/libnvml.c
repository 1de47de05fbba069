/*
 * test/gpu/double/libnvml.c - a double of libnvidia-ml.so.1: one device whose figures grow with each reading.
 *
 *    GPU_DOUBLE_NVML=N   nvmlInit_v2 returns N
 */
#include <stdint.h>
#include <stdlib.h>

#include "nvml_abi.h"

int nvmlInit_v2(void);
int nvmlDeviceGetCount_v2(unsigned *);
int nvmlDeviceGetHandleByIndex_v2(unsigned, void **);
int nvmlDeviceGetUtilizationRates(void *, struct nvml_utilization *);
int nvmlDeviceGetMemoryInfo(void *, struct nvml_memory *);
int nvmlDeviceGetPowerUsage(void *, unsigned *);
int nvmlDeviceGetTotalEnergyConsumption(void *, unsigned long long *);

static unsigned readings;

int nvmlInit_v2(void) {
  const char *result = getenv("GPU_DOUBLE_NVML");
  return result != NULL ? atoi(result) : 0;
}
int nvmlDeviceGetCount_v2(unsigned *count) {
  *count = 1;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
  *device = &readings;
  return index == 0 ? 0 : 2;
}
int nvmlDeviceGetUtilizationRates(void *device, struct nvml_utilization *out) {
  (void)device;
  readings++;
  *out = (struct nvml_utilization){readings % 2 ? 40 : 80, 10};
  return 0;
}
int nvmlDeviceGetMemoryInfo(void *device, struct nvml_memory *out) {
  (void)device;
  *out = (struct nvml_memory){1ull << 36, (1ull << 36) - 1000 * readings, 1000 * readings};
  return 0;
}
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts) {
  (void)device;
  *milliwatts = 250000;
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
  (void)device;
  *millijoules = 5000000ull + 25000ull * readings;
  return 0;
}
