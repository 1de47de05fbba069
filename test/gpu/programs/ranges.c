/*
 * test/gpu/programs/ranges.c - NVTX ranges around launches, and cudaProfilerStart and Stop.  ranges
 * [api|open|abort|names]
 *
 *    with `open` or `abort`, step and whole never end; the program does, later.  `names`: things have names.
 *
 *    whole (started, ended) > step 1..4 (pushed) > i kernels, inner > 1 copy;  with `api` only step 2 and 3 are
 * profiled
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../double/cuda.h"
#include "../double/nvtx.h"
#include "delivered.h"

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

/* Ranges that never end, in this thread and of the process. */
static int stay_open(int aborts) {
  nvtxRangePushA("step");
  cudaLaunchKernel(&stub, (struct dim3){1, 1, 1}, (struct dim3){32, 1, 1}, NULL, 0, NULL);
  wait_until_delivered();
  if (aborts)
    abort();
  puts("open");
  return 0;
}

#ifndef REAL_NVTX
static void name_things(void) {
  cudaStream_t side;
  cudaStreamCreate(&side);
  cudaLaunchKernel(&stub, (struct dim3){1, 1, 1}, (struct dim3){32, 1, 1}, NULL, 0, side);
  nvtxNameOsThreadA((uint32_t)gettid(), "the \"loader\"");
  nvtxNameCudaDeviceA(0, "trainer");
  nvtxNameCudaStreamA(side, "side <1>");
}
#endif

int main(int count, char **arguments) {
  int by_api = count > 1 && strcmp(arguments[1], "api") == 0;
  uint64_t whole = nvtxRangeStartA("whole");
  gpu_double_kernel(&stub, "_Z5emptyv");
  if (count > 1 && (strcmp(arguments[1], "open") == 0 || strcmp(arguments[1], "abort") == 0))
    return stay_open(strcmp(arguments[1], "abort") == 0);
#ifndef REAL_NVTX
  if (count > 1 && strcmp(arguments[1], "names") == 0)
    name_things();
#endif
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
