// test/gpu/suite/library.cu - a kernel in a library that suite.cu loads and unloads.
#include <cuda_runtime.h>

__global__ void in_library(int *out) { *out = 1; }

extern "C" int run_kernel() {
  int *out;
  if (cudaMalloc(&out, sizeof *out) != cudaSuccess)
    return 1;
  in_library<<<1, 1>>>(out);
  int result = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(out);
  return result;
}
