/*
 * gpu/cubins.c - see cubins.h.
 *
 * A framework loads hundreds of megabytes of GPU programs and runs few of them: only programs with samples are written.
 * A copy is freed once written; a program that is loaded again has the same checksum.
 */
#include "cubins.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "stream.h"

#define MOST_BYTES ((size_t)1 << 30) /* of all copies together */

struct cubin {
  uint64_t sum;
  uint8_t *bytes; /* NULL: written, or no memory */
  size_t byte_count;
  bool is_said; /* written, or counted as lost */
};

static struct {
  pthread_mutex_t lock;
  struct cubin *items;
  size_t count, capacity, kept_bytes;
} cubins = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The lock is held.  NULL: no memory. */
static struct cubin *find(uint64_t sum) {
  for (size_t i = cubins.count; i > 0; i--)
    if (cubins.items[i - 1].sum == sum)
      return &cubins.items[i - 1];
  void *items = cubins.items;
  if (!prof_gpu_grow(&items, &cubins.capacity, cubins.count, sizeof *cubins.items))
    return NULL;
  cubins.items = items;
  cubins.items[cubins.count] = (struct cubin){.sum = sum};
  return &cubins.items[cubins.count++];
}

void prof_gpu_cubins_keep(const struct prof_gpu_library *library, const void *bytes, size_t byte_count) {
  struct abi_cubin_sum sum = {.size = sizeof sum, .cubin_bytes = byte_count, .cubin = bytes};
  if (bytes == NULL || byte_count == 0 || library->cuptiGetCubinCrc == NULL ||
      library->cuptiGetCubinCrc(&sum) != ABI_SUCCESS)
    return;
  pthread_mutex_lock(&cubins.lock);
  struct cubin *cubin = find(sum.sum);
  if (cubin != NULL && cubin->bytes == NULL && !cubin->is_said && byte_count <= PROF_GPU_CUBIN_LIMIT &&
      byte_count <= MOST_BYTES - cubins.kept_bytes && (cubin->bytes = malloc(byte_count)) != NULL) {
    memcpy(cubin->bytes, bytes, byte_count);
    cubin->byte_count = byte_count;
    cubins.kept_bytes += byte_count;
  }
  pthread_mutex_unlock(&cubins.lock);
}

void prof_gpu_cubins_need(uint64_t sum) {
  pthread_mutex_lock(&cubins.lock);
  struct cubin *cubin = find(sum);
  if (cubin == NULL || (!cubin->is_said && cubin->bytes == NULL))
    prof_gpu_stream_count(PROF_GPU_CUBINS_LOST, 1);
  else if (!cubin->is_said && !prof_gpu_stream_cubin(sum, cubin->bytes, cubin->byte_count))
    prof_gpu_stream_count(PROF_GPU_CUBINS_LOST, 1);
  if (cubin != NULL) {
    cubin->is_said = true;
    free(cubin->bytes);
    cubin->bytes = NULL;
    cubins.kept_bytes -= cubin->byte_count;
    cubin->byte_count = 0;
  }
  pthread_mutex_unlock(&cubins.lock);
}
