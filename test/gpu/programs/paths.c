/*
 * test/gpu/programs/paths.c - kernels and copies from several host paths; prints how many of each.  paths [STEPS
 * [abort]]
 *
 *    main > load > cudaMemcpy, cudaMemset       main > step > scale > kernel scale       main > step > add > kernel add
 *    main > finish > cudaMemcpyAsync            main > replayed > graph of kernels, built in main > built
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../double/cuda.h"
#include "delivered.h"

#define OWN __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory") /* behind a call: it is no tail call, so its caller is on the stack */

static char scale_stub, add_stub;
static const struct dim3 block = {256, 1, 1};
static void *device, *host;
static cudaStream_t side;
static volatile unsigned wide = 20; /* no constant: add stays one function */
enum { BYTES = 4096 };

OWN static void scale(unsigned blocks) {
  cudaLaunchKernel(&scale_stub, (struct dim3){blocks, 1, 1}, block, NULL, 0, NULL);
  STAY;
}

OWN static void add(unsigned blocks) {
  cudaLaunchKernel(&add_stub, (struct dim3){blocks, 2, 1}, block, NULL, 1024, side);
  STAY;
}

OWN static void step(unsigned i) {
  scale(10 + i % 2);
  add(wide);
  add(wide);
  STAY;
}

OWN static void load(void) {
  cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice);
  cudaMemset(device, 7, BYTES / 2);
  STAY;
}

OWN static void finish(void) {
  cudaMemcpyAsync(host, device, BYTES / 4, cudaMemcpyDeviceToHost, side);
  cudaStreamSynchronize(side);
  STAY;
}

OWN static cudaGraphExec_t built(void) {
  cudaGraphExec_t graph = gpu_double_graph(3, "_Z4nodePi");
  gpu_double_instantiate(graph);
  return graph;
}

OWN static void replayed(cudaGraphExec_t graph) {
  cudaGraphLaunch(graph, side);
  STAY;
}

int main(int count, char **arguments) {
  unsigned steps = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 10;
  gpu_double_kernel(&scale_stub, "_Z5scalePff");
  gpu_double_kernel(&add_stub, "_Z3addIfEvPT_S1_");
  cudaStreamCreate(&side);
  cudaMalloc(&device, BYTES);
  cudaMallocHost(&host, BYTES);
  memset(host, 0, BYTES);
  cudaGraphExec_t graph = built();
  load();
  for (unsigned i = 0; i < steps; i++)
    step(i);
  for (unsigned i = 0; i < 5; i++)
    replayed(graph);
  finish();
  cudaDeviceSynchronize();
  if (count > 2 && strcmp(arguments[2], "abort") == 0) {
    wait_until_delivered();
    abort();
  }
  printf("%u kernels, 1 set, 2 copies\n", 3 * steps + 15);
  return 0;
}
