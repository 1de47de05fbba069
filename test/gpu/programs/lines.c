/*
 * test/gpu/programs/lines.c - launches the kernels of lines.cu by name: lines STEPS
 */
#include <stdio.h>
#include <stdlib.h>

#include "../double/cuda.h"

#define OWN __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory")

static char scale_stub, plain_stub;
static const struct dim3 one = {1, 1, 1}, block = {32, 1, 1};

OWN static void step(void) {
  cudaLaunchKernel(&scale_stub, one, block, NULL, 0, NULL);
  cudaLaunchKernel(&plain_stub, one, block, NULL, 0, NULL);
  STAY;
}

int main(int count, char **arguments) {
  int steps = count > 1 ? atoi(arguments[1]) : 1;
  gpu_double_kernel(&scale_stub, "_Z5scaleIfEvPT_i");
  gpu_double_kernel(&plain_stub, "plain");
  for (int i = 0; i < steps; i++)
    step();
  cudaDeviceSynchronize();
  printf("%d steps\n", steps);
  return 0;
}
