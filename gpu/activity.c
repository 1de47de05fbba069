/*
 * gpu/activity.c - see activity.h.
 *
 * Buffers come from a pool of mapped memory that only grows.  They return to it once their records are converted, in
 * the thread that the library uses for its callback.
 *
 * Lengths of records: in a buffer filled with one kind's number each offset looks like a record of that kind.  So the
 * distance from the first record that the library finds to the second is the length.
 */
#include "activity.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "convert.h"
#include "keep.h"
#include "stream.h"

#define BUFFER_BYTES ((size_t)2 << 20)
#define POOL_LIMIT 1000 /* device buffers; CUPTI's default of 250 ran out, with invalid times */
enum { PROBE_BYTES = 4096 };

static const struct prof_gpu_library *library;
static const struct prof_gpu_conversion *by_kind[ABI_ACTIVITY_COUNT];
static size_t strides[ABI_ACTIVITY_COUNT];

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *pool; /* first free buffer; each begins with the address of the next */

static void request(uint8_t **buffer, size_t *bytes, size_t *most_records) {
  pthread_mutex_lock(&pool_lock);
  uint8_t *given = pool;
  if (given != NULL)
    memcpy(&pool, given, sizeof pool);
  pthread_mutex_unlock(&pool_lock);
  if (given == NULL) {
    given = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    given = given == MAP_FAILED ? NULL : given;
  }
  *buffer = given;
  *bytes = given != NULL ? BUFFER_BYTES : 0;
  *most_records = 0;
}

static void put_back(uint8_t *buffer) {
  pthread_mutex_lock(&pool_lock);
  memcpy(buffer, &pool, sizeof pool);
  pool = buffer;
  pthread_mutex_unlock(&pool_lock);
}

static void complete(void *context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid_bytes) {
  void *record = NULL;
  size_t dropped = 0;
  (void)bytes;
  if (!prof_gpu_stream_is_open())
    return; /* a forked child, or after the end */
  prof_gpu_clock_look(library);
  prof_gpu_keep_buffer(library, buffer, valid_bytes);
  while (valid_bytes > 0 && library->cuptiActivityGetNextRecord(buffer, valid_bytes, &record) == ABI_SUCCESS) {
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    if (kind < ABI_ACTIVITY_COUNT && by_kind[kind] != NULL)
      by_kind[kind]->convert(record, strides[kind]);
    else
      prof_gpu_stream_count(PROF_GPU_UNKNOWN, 1);
  }
  if (library->cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == ABI_SUCCESS && dropped > 0)
    prof_gpu_stream_count(PROF_GPU_DROPPED, dropped);
  if (buffer != NULL)
    put_back(buffer);
}

/* Measured bytes of this library's records of a kind; 0: it doesn't know the kind.  Needs no driver. */
static size_t stride_of(const struct prof_gpu_library *from, int kind) {
  static _Alignas(8) uint8_t buffer[PROBE_BYTES];
  void *record = NULL;
  for (size_t i = 0; i < sizeof buffer; i += sizeof kind)
    memcpy(buffer + i, &kind, sizeof kind);
  if (from->cuptiActivityGetNextRecord(buffer, sizeof buffer, &record) != ABI_SUCCESS || record != buffer ||
      from->cuptiActivityGetNextRecord(buffer, sizeof buffer, &record) != ABI_SUCCESS)
    return 0;
  return (size_t)((uint8_t *)record - buffer);
}

int prof_gpu_activity_begin(const struct prof_gpu_library *from, bool whole_graphs) {
  int first_fault = ABI_SUCCESS;
  size_t limit = POOL_LIMIT, limit_bytes = sizeof limit;
  library = from;
  if (from->cuptiActivitySetAttribute != NULL)
    from->cuptiActivitySetAttribute(ABI_DEVICE_BUFFER_POOL_LIMIT, &limit_bytes, &limit);
  int result = from->cuptiActivityRegisterCallbacks(request, complete);
  if (result != ABI_SUCCESS)
    return result;
  for (const struct prof_gpu_conversion *conversion = prof_gpu_conversions; conversion->kind != 0; conversion++) {
    if (conversion->only_whole && !whole_graphs)
      continue;
    size_t stride = stride_of(from, conversion->kind);
    result = stride >= conversion->least ? from->cuptiActivityEnable(conversion->kind) : ABI_NOT_COMPATIBLE;
    if (result == ABI_SUCCESS) {
      strides[conversion->kind] = stride;
      by_kind[conversion->kind] = conversion;
      prof_gpu_keep_stride(conversion->kind, stride);
    } else if (conversion->is_wanted_by_all && first_fault == ABI_SUCCESS) {
      first_fault = result;
    }
  }
  return first_fault;
}

int prof_gpu_activity_flush(bool forced) {
  return library->cuptiActivityFlushAll(forced ? ABI_FLUSH_FORCED : ABI_FLUSH_FINISHED);
}
