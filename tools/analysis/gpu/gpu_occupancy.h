/*
 * tools/analysis/gpu/gpu_occupancy.h - how many warps of a kernel fit on a multiprocessor at once, by NVIDIA's
 * published rules (CUDA C++ Programming Guide, "Compute Capabilities").
 *
 * In: the device's limits and a launch.  Assumes that blocks may get all of the multiprocessor's shared memory.
 * test/gpu compares it with CUDA's own calculator where that is installed.
 */
#ifndef PROF_ANALYSIS_GPU_OCCUPANCY_H
#define PROF_ANALYSIS_GPU_OCCUPANCY_H

#include <stdint.h>

enum prof_gpu_limit {
  PROF_GPU_LIMIT_NONE = 0,
  PROF_GPU_LIMIT_WARPS,
  PROF_GPU_LIMIT_BLOCKS,
  PROF_GPU_LIMIT_REGISTERS,
  PROF_GPU_LIMIT_SHARED
};

struct prof_gpu_occupancy_limits {
  uint32_t capability;                                                     /* 100 * major + minor number */
  uint32_t warp_threads, max_warps, max_blocks, max_shared, max_registers; /* of a multiprocessor */
};

struct prof_gpu_occupancy {
  double share;              /* of max_warps; 0: not known, or the launch is impossible */
  enum prof_gpu_limit limit; /* what prevents further blocks */
};

struct prof_gpu_occupancy prof_gpu_occupancy_of(const struct prof_gpu_occupancy_limits *, uint64_t block_threads,
                                                uint64_t registers, uint64_t shared_bytes);

#endif
