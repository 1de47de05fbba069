/*
 * test/gpu/programs/copies.c - copies to the GPU: from pageable memory, or with the word `pinned` from pinned memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../double/cuda.h"

enum { COPIES = 400, BYTES = 65536 };

__attribute__((noinline)) static void send(void *device, const void *host) {
  for (int i = 0; i < COPIES; i++)
    cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, NULL);
}

int main(int count, char **arguments) {
  (void)arguments;
  void *device, *host = NULL;
  cudaMalloc(&device, BYTES);
  if (count > 1)
    cudaMallocHost(&host, BYTES);
  else
    host = malloc(BYTES);
  if (!host)
    return 1;
  memset(host, 1, BYTES);
  send(device, host);
  cudaDeviceSynchronize();
  puts("sent");
  return 0;
}
