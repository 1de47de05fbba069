/*
 * test/gpu/programs/replay.c - plays $GPU_DOUBLE_REPLAY, what a collector kept, into libcupti's double.
 */
#include <stdio.h>

#include "../double/cuda.h"

int main(void) {
  cuInit(0);
  gpu_double_replay();
  puts("played");
  return 0;
}
