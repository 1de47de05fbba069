/*
 * test/gpu/occupancy_check.c - our occupancy against the calculator in CUDA's headers (cuda_occupancy.h), for every
 * capability that both know and a net of block sizes, registers and shared memory.  Compiled where the header is.
 */
#include <stdio.h>

#include "analysis/gpu/gpu_occupancy.h"
#include "cuda_occupancy.h"

/* Limits as in the CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static const struct device {
  int major, minor, warps, blocks, shared_kib, shared_of_a_block_kib;
} devices[] = {
    {5, 0, 64, 32, 64, 48},  {5, 2, 64, 32, 96, 48},   {6, 0, 64, 32, 64, 48},    {6, 1, 64, 32, 96, 48},
    {7, 0, 64, 32, 96, 96},  {7, 5, 32, 16, 64, 64},   {8, 0, 64, 32, 164, 163},  {8, 6, 48, 16, 100, 99},
    {8, 9, 48, 24, 100, 99}, {9, 0, 64, 32, 228, 227}, {10, 0, 64, 32, 228, 227}, {12, 0, 48, 24, 100, 99},
};
enum { REGISTERS = 65536, WARP = 32 };

/* Blocks by CUDA's calculator; -1: it doesn't answer. */
static int by_cuda(const struct device *device, int threads, int registers, size_t shared) {
  struct cudaOccDeviceProp properties = {
      .computeMajor = device->major,
      .computeMinor = device->minor,
      .maxThreadsPerBlock = 1024,
      .maxThreadsPerMultiprocessor = device->warps * WARP,
      .regsPerBlock = REGISTERS,
      .regsPerMultiprocessor = REGISTERS,
      .warpSize = WARP,
      .sharedMemPerBlock = 49152,
      .sharedMemPerMultiprocessor = (size_t)device->shared_kib * 1024,
      .numSms = 100,
      .sharedMemPerBlockOptin = (size_t)device->shared_of_a_block_kib * 1024,
      .reservedSharedMemPerBlock = device->major >= 8 ? 1024 : 0,
  };
  struct cudaOccFuncAttributes function = {.maxThreadsPerBlock = 1024,
                                           .numRegs = registers,
                                           .partitionedGCConfig = PARTITIONED_GC_OFF,
                                           .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                           .maxDynamicSharedSizeBytes = shared};
  struct cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_NONE, .carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
  struct cudaOccResult result;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &function, &state, threads, shared) !=
      CUDA_OCC_SUCCESS)
    return -1;
  return result.activeBlocksPerMultiprocessor;
}

int main(void) {
  unsigned compared = 0, different = 0;
  for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
    const struct device *device = &devices[d];
    const struct prof_gpu_occupancy_limits limits = {
        .capability = (uint32_t)(100 * device->major + device->minor),
        .warp_threads = WARP,
        .max_warps = (uint32_t)device->warps,
        .max_blocks = (uint32_t)device->blocks,
        .max_shared = (uint32_t)device->shared_kib * 1024,
        .max_registers = REGISTERS,
    };
    for (int threads = 1; threads <= 1024; threads += 31)
      for (int registers = 0; registers <= 256; registers += 3)
        for (size_t shared = 0; shared <= (size_t)device->shared_of_a_block_kib * 1024; shared += 2500) {
          int blocks = by_cuda(device, threads, registers, shared), warps = (threads + WARP - 1) / WARP;
          if (blocks < 0)
            continue;
          double wanted = (double)(blocks * warps) / device->warps;
          double got = prof_gpu_occupancy_of(&limits, (uint64_t)threads, (uint64_t)registers, shared).share;
          compared++;
          if (got == wanted)
            continue;
          if (different++ < 10)
            printf("%d.%d: %d threads, %d registers, %zu bytes shared: %g, CUDA says %g\n", device->major,
                   device->minor, threads, registers, shared, got, wanted);
        }
  }
  printf("%u launches compared, %u different\n", compared, different);
  return compared < 100000 || different > 0;
}
