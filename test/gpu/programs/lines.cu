// Kernels whose GPU program is sampled by libcupti's double: lines.c launches them by name, test_lines.py compiles this.
#include "lines.cuh"

__device__ __noinline__ float polynomial(float x) {
  for (int i = 0; i < 10; i++)
    x = x * x + 1.0f;
  return x;
}

template <typename T> __global__ void scale(T *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = root(values[i]) + polynomial(values[i]);
}

extern "C" __global__ void plain(int *values) {
  __shared__ int sums[32];
  sums[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] += sums[31 - threadIdx.x];
}

template __global__ void scale<float>(float *, int);
