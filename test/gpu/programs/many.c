/*
 * test/gpu/programs/many.c - threads that launch kernels, each from a function of its own.  many THREADS LAUNCHES
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../double/cuda.h"

#define STAY __asm__ volatile("" ::: "memory")

static char stub;
static unsigned launches;

#define WORKER(name)                                                                                                   \
  __attribute__((noinline)) static void name(cudaStream_t stream) {                                                    \
    cudaLaunchKernel(&stub, (struct dim3){1, 1, 1}, (struct dim3){32, 1, 1}, NULL, 0, stream);                         \
    STAY;                                                                                                              \
  }
WORKER(even)
WORKER(odd)

static void *work(void *number) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (unsigned i = 0; i < launches; i++)
    ((size_t)number % 2 ? odd : even)(stream);
  return NULL;
}

int main(int count, char **arguments) {
  unsigned threads = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 1;
  pthread_t ids[64];
  launches = count > 2 ? (unsigned)strtoul(arguments[2], NULL, 10) : 1000;
  gpu_double_kernel(&stub, "_Z5emptyv");
  for (size_t i = 0; i < threads && i < 64; i++)
    pthread_create(&ids[i], NULL, work, (void *)i);
  for (size_t i = 0; i < threads && i < 64; i++)
    pthread_join(ids[i], NULL);
  printf("%u kernels\n", threads * launches);
  return 0;
}
