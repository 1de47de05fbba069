/*
 * test/gpu/programs/ranges.c - NVTX ranges around launches, and cudaProfilerStart and Stop.  ranges [api]
 *
 *    whole (started, ended) > step 1..4 (pushed) > i kernels, inner > 1 copy;  with `api` only step 2 and 3 are
 * profiled
 */
#include <stdio.h>
#include <string.h>

#include "../double/cuda.h"
#include "../double/nvtx.h"

#define STAY __asm__ volatile("" ::: "memory")
enum { STEPS = 4, BYTES = 4096 };

static char stub;
static void *device, *host;

__attribute__((noinline)) static void step(unsigned kernels) {
  nvtxRangePushA("step");
  for (unsigned i = 0; i < kernels; i++)
    cudaLaunchKernel(&stub, (struct dim3){1, 1, 1}, (struct dim3){32, 1, 1}, NULL, 0, NULL);
  nvtxRangePushA("inner");
  cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice);
  nvtxRangePop();
  nvtxRangePop();
  STAY;
}

int main(int count, char **arguments) {
  int by_api = count > 1 && strcmp(arguments[1], "api") == 0;
  uint64_t whole = nvtxRangeStartA("whole");
  gpu_double_kernel(&stub, "_Z5emptyv");
  cudaMalloc(&device, BYTES);
  cudaMallocHost(&host, BYTES);
  memset(host, 0, BYTES);
  for (unsigned i = 1; i <= STEPS; i++) {
    if (by_api && i == 2)
      cudaProfilerStart();
    step(i);
    if (by_api && i == 3)
      cudaProfilerStop();
  }
  nvtxRangeEnd(whole);
  cudaDeviceSynchronize();
  printf("%d steps\n", STEPS);
  return 0;
}
