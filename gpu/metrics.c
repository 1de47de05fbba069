/*
 * gpu/metrics.c - see metrics.h.
 *
 * Reads all devices of the machine.  NVML numbers them in the order of the bus; CUDA's numbers may differ.
 */
#include "metrics.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "clock.h"
#include "nvml_abi.h"
#include "stream.h"

enum { DEVICES = 64 };

static struct {
#define MEMBER(name, parameters) int(*name) parameters;
  NVML_FUNCTIONS(MEMBER)
#undef MEMBER
  void *devices[DEVICES];
  unsigned count;
} nvml;

/* *count: number of devices, set when NVML is ready. */
static const char *load(unsigned *count) {
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    return "libnvidia-ml.so.1 was not found (it comes with the driver)";
#define RESOLVE(name, parameters)                                                                                      \
  nvml.name = (int(*) parameters)dlsym(library, #name);                                                                \
  if (nvml.name == NULL)                                                                                               \
    return "libnvidia-ml.so.1 has no " #name;
  NVML_FUNCTIONS(RESOLVE)
#undef RESOLVE
  if (nvml.nvmlInit_v2() != 0 || nvml.nvmlDeviceGetCount_v2(count) != 0)
    return "NVML does not start";
  *count = *count < DEVICES ? *count : DEVICES;
  for (unsigned i = 0; i < *count; i++)
    if (nvml.nvmlDeviceGetHandleByIndex_v2(i, &nvml.devices[i]) != 0)
      nvml.devices[i] = NULL;
  return NULL;
}

void prof_gpu_metrics_begin(void) {
  if (!(prof_gpu_stream_control()->flags & PROF_CONTROL_GPU_METRICS))
    return;
  unsigned count = 0;
  const char *fault = load(&count);
  if (fault == NULL)
    __atomic_store_n(&nvml.count, count, __ATOMIC_RELEASE); /* the collector's own thread may read it */
  else
    prof_gpu_stream_note("GPU metrics are not recorded: %s", fault);
}

/* Figures that a device lacks are 0. */
void prof_gpu_metrics_read(void) {
  unsigned count = prof_gpu_capture_now().is_on ? __atomic_load_n(&nvml.count, __ATOMIC_ACQUIRE) : 0;
  for (unsigned i = 0; i < count; i++) {
    struct nvml_utilization used = {0};
    struct nvml_memory memory = {0};
    unsigned milliwatts = 0;
    unsigned long long millijoules = 0;
    if (nvml.devices[i] == NULL || nvml.nvmlDeviceGetUtilizationRates(nvml.devices[i], &used) != 0)
      continue;
    if (nvml.nvmlDeviceGetMemoryInfo(nvml.devices[i], &memory) != 0)
      memory.used = 0;
    if (nvml.nvmlDeviceGetPowerUsage(nvml.devices[i], &milliwatts) != 0)
      milliwatts = 0;
    if (nvml.nvmlDeviceGetTotalEnergyConsumption(nvml.devices[i], &millijoules) != 0)
      millijoules = 0;
    uint64_t now = prof_gpu_clock_now();
    struct prof_gpu_metrics message = {.start = now,
                                       .end = now,
                                       .memory_bytes = memory.used,
                                       .energy = millijoules,
                                       .device = i,
                                       .utilization = used.gpu,
                                       .memory_utilization = used.memory,
                                       .power = milliwatts};
    prof_gpu_stream_record(PROF_GPU_METRICS, &message, sizeof message, NULL, NULL);
  }
}
