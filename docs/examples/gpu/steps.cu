// docs/examples/gpu/steps.cu - a small training loop: makes batches, copies them, and works on each in many small pieces.
//
// Slow on purpose; -DPINNED, -DWHOLE and -DAHEAD fix one fault each (docs/tutorial/2-gpu.md).
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { STEPS = 20, FLOATS = 1 << 18, PIECES = 64 };

__global__ void scale(float *data, int count, float factor) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count)
    data[at] *= factor;
}

static float *take_memory() {
  float *memory = nullptr;
#ifdef PINNED
  cudaMallocHost((void **)&memory, FLOATS * sizeof(float));
#else
  memory = (float *)std::malloc(FLOATS * sizeof(float));
#endif
  return memory;
}

__attribute__((noinline)) static void make_batch(float *batch, unsigned seed) {
  for (int i = 0; i < FLOATS; i++) {
    seed = seed * 1664525u + 1013904223u;
    batch[i] = (float)(seed >> 8) / (1 << 24);
  }
}

__attribute__((noinline)) static void work_on(float *device) {
#ifdef WHOLE
  scale<<<FLOATS / 256, 256>>>(device, FLOATS, 0.5f);
#else
  for (int piece = 0; piece < PIECES; piece++)
    scale<<<FLOATS / PIECES / 256, 256>>>(device + piece * (FLOATS / PIECES), FLOATS / PIECES, 0.5f);
#endif
}

__attribute__((noinline)) static void step(float *device, float *batch, float *next, unsigned number) {
  cudaMemcpyAsync(device, batch, FLOATS * sizeof(float), cudaMemcpyHostToDevice, 0);
  work_on(device);
#ifdef AHEAD
  make_batch(next, number + 1); // while the GPU works
  cudaDeviceSynchronize();
#else
  cudaDeviceSynchronize();
  make_batch(next, number + 1);
#endif
}

int main() {
  float *device = nullptr, *batch = take_memory(), *next = take_memory();
  cudaMalloc((void **)&device, FLOATS * sizeof(float));
  make_batch(batch, 0);
  for (unsigned number = 0; number < STEPS; number++) {
    step(device, batch, next, number);
    float *other = batch;
    batch = next;
    next = other;
  }
  std::printf("%d steps\n", STEPS);
  return 0;
}
