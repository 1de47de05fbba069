/*
 * tools/analysis/gpu/gpu_occupancy.c - see gpu_occupancy.h.
 *
 * Warps get registers in units, from the register file of the quarter (or half) of the multiprocessor that runs the
 * warp.  Blocks get shared memory in units; the system uses some of it.
 */
#include "analysis/gpu/gpu_occupancy.h"

#include <stddef.h>

enum { REGISTER_UNIT = 256, MOST_REGISTERS = 255, MOST_PARTS = 4 };

static const struct rule {
  uint32_t capability; /* from this one to the next row's */
  uint32_t parts;      /* of a multiprocessor */
  uint32_t shared_unit, shared_reserved;
} rules[] = {
    {300, 4, 256, 0},
    {600, 2, 256, 0},
    {601, 4, 256, 0},
    {800, 4, 128, 1024},
};

static const struct rule *rule_of(uint32_t capability) {
  const struct rule *found = NULL;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].capability <= capability)
      found = &rules[i];
  return found;
}

static uint64_t round_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

static uint64_t of_parts(const struct prof_gpu_occupancy_limits *limits, uint32_t parts, uint64_t warps,
                         uint64_t registers) {
  uint64_t of_a_warp = round_up(registers * limits->warp_threads, REGISTER_UNIT);
  /* A block must fit if all parts had as many of its warps as the fullest one. */
  if (registers > MOST_REGISTERS || of_a_warp * round_up(warps, parts) > limits->max_registers)
    return 0;
  return limits->max_registers / parts / of_a_warp * parts / warps;
}

/* The number of blocks that the registers suffice for.  What can't run on 6.1 can't run on 6.0 either. */
static uint64_t by_registers(const struct prof_gpu_occupancy_limits *limits, const struct rule *rule, uint64_t warps,
                             uint64_t registers) {
  if (registers == 0)
    return UINT64_MAX;
  return of_parts(limits, MOST_PARTS, warps, registers) == 0 ? 0 : of_parts(limits, rule->parts, warps, registers);
}

struct prof_gpu_occupancy prof_gpu_occupancy_of(const struct prof_gpu_occupancy_limits *limits, uint64_t block_threads,
                                                uint64_t registers, uint64_t shared_bytes) {
  const struct rule *rule = rule_of(limits->capability);
  struct prof_gpu_occupancy result = {0};
  if (rule == NULL || limits->warp_threads == 0 || limits->max_warps == 0 || block_threads == 0 ||
      block_threads > 1u << 20 || shared_bytes > UINT32_MAX)
    return result;
  uint64_t warps = (block_threads + limits->warp_threads - 1) / limits->warp_threads;
  uint64_t shared = round_up(shared_bytes + rule->shared_reserved, rule->shared_unit);
  const struct {
    uint64_t blocks;
    enum prof_gpu_limit limit;
  } all[] = {
      {limits->max_warps / warps, PROF_GPU_LIMIT_WARPS},
      {limits->max_blocks, PROF_GPU_LIMIT_BLOCKS},
      {by_registers(limits, rule, warps, registers), PROF_GPU_LIMIT_REGISTERS},
      {shared > 0 ? limits->max_shared / shared : UINT64_MAX, PROF_GPU_LIMIT_SHARED},
  };
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].blocks < least) {
      least = all[i].blocks;
      result.limit = all[i].limit;
    }
  result.share = (double)(least * warps) / (double)limits->max_warps;
  return result;
}
