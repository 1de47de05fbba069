/*
 * test/gpu/programs/memory.c - allocations on a GPU and of the host, with known figures.
 *
 *    memory [threads N | abort | wait]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../double/cuda.h"

enum { ROUNDS = 50, STEP_BYTES = 4096, HOST_BYTES = 1000, THREAD_BYTES = 512, MOST_THREADS = 16 };
#define OWN __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory") /* behind a call: it is no tail call */

OWN static void *weights(size_t bytes) {
  void *device;
  cudaMalloc(&device, bytes);
  STAY;
  return device;
}

OWN static void step(void) {
  void *device = weights(STEP_BYTES);
  cudaFree(device);
  STAY;
}

OWN static void *staging(void) {
  void *host;
  cudaMallocHost(&host, HOST_BYTES);
  STAY;
  return host;
}

OWN static void *staging_too(void) {
  void *host;
  cudaHostAlloc(&host, HOST_BYTES, 0);
  STAY;
  return host;
}

OWN static void *shared(void) {
  void *managed;
  cudaMallocManaged(&managed, 2 * HOST_BYTES, 1);
  STAY;
  return managed;
}

/* What a thread has it keeps, but for the first half. */
OWN static void *grow(void *unused) {
  void *blocks[ROUNDS];
  for (int i = 0; i < ROUNDS; i++)
    blocks[i] = weights(THREAD_BYTES);
  for (int i = 0; i < ROUNDS / 2; i++)
    cudaFree(blocks[i]);
  return unused;
}

static void threads(int count) {
  pthread_t all[MOST_THREADS];
  for (int i = 0; i < count; i++)
    pthread_create(&all[i], NULL, grow, NULL);
  for (int i = 0; i < count; i++)
    pthread_join(all[i], NULL);
}

int main(int count, char **arguments) {
  const char *word = count > 1 ? arguments[1] : "";
  void *kept = weights(100000), *host = staging(), *other = staging_too(), *managed = shared(), *plain = malloc(12345);
  if (!plain)
    return 1;
  memset(plain, 1, 12345);
  __asm__ volatile("" ::"r"(plain) : "memory"); /* it is needed */
  if (strcmp(word, "threads") == 0)
    threads(atoi(arguments[2]));
  for (int i = 0; i < ROUNDS; i++)
    step();
  if (strcmp(word, "abort") == 0) {
    usleep(300000); /* the collector flushes meanwhile */
    abort();
  }
  if (strcmp(word, "wait") == 0)
    usleep(1500000);
  cudaFreeHost(host);
  cudaFreeHost(other);
  free(plain);
  printf("%d\n", kept != NULL && managed != NULL);
  return 0;
}
