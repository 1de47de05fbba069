// test/gpu/programs/kernel.cu - a CUDA program: two kernels from two functions.
#include <cstdio>

template <typename T> __global__ void fill(T *out, T value) { out[threadIdx.x] = value; }
namespace {
__global__ void twice(float *out) { out[threadIdx.x] *= 2; }
}

__attribute__((noinline)) static void launch_fill(float *out) {
  fill<<<4, 64>>>(out, 1.0f);
  asm volatile("" ::: "memory");
}
__attribute__((noinline)) static void launch_twice(float *out) {
  twice<<<dim3(2, 3), 32>>>(out);
  asm volatile("" ::: "memory");
}

int main() {
  float *out = nullptr;
  cudaMalloc(&out, 256);
  for (int i = 0; i < 5; i++)
    launch_fill(out);
  launch_twice(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  std::puts("6 kernels");
  return 0;
}
