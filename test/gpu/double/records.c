/*
 * test/gpu/double/records.c - see records.h.
 *
 * The GPU's work is over as soon as it is asked for, on a model clock: each stream begins LAG after the call or when
 * its last piece of work has ended; a kernel lasts 1000 units and 10 per block in x, a copy 1 per byte, a set 500, a
 * wait 200.  So tests know every duration.  Faults:
 *
 *    GPU_DOUBLE_DROP=N          every Nth record of kernels is dropped, and counted
 *    GPU_DOUBLE_ZERO=N          every Nth has no times
 *    GPU_DOUBLE_UNMATCHED=N     every Nth has a correlation number that no call had
 *    GPU_DOUBLE_EARLY=N         every Nth begins 100,000 units before its call
 *    GPU_DOUBLE_ORDER=reverse   a buffer's kernels stand in it last first
 *    GPU_DOUBLE_KERNEL_BYTES=N  length of a kernel's record (216), as older releases have it: 144, 160, 208
 *    GPU_DOUBLE_STRANGER=1      records of a kind that nobody asked for
 */
#define _GNU_SOURCE
#include "records.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LAG = 3000, STREAMS = 4096, MOST_BYTES = 256, STRANGER = 37, STRANGER_BYTES = 24 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static abi_buffer_requested *requested;
static abi_buffer_completed *completed;
static uint8_t kinds[ABI_ACTIVITY_COUNT];
static uint8_t *buffer;
static size_t buffer_bytes, used;
static size_t dropped;
static uint64_t stream_free[STREAMS];
static unsigned kernels;
static uint32_t context = 1;

static size_t length_of(int kind) {
  static const size_t lengths[ABI_ACTIVITY_COUNT] = {
      [ABI_MEMCPY] = 96,           [ABI_MEMSET] = 88,      [ABI_DEVICE] = 184, [ABI_CONTEXT] = 32,
      [ABI_OVERHEAD] = 56,         [ABI_MEMCPY_PEER] = 96, [ABI_MEMORY] = 128, [ABI_SYNCHRONIZATION] = 56,
      [STRANGER] = STRANGER_BYTES, [ABI_GRAPH_TRACE] = 56,
  };
  if (kind > 0 && kind < ABI_ACTIVITY_COUNT && double_replay_length(kind) > 0)
    return double_replay_length(kind);
  if (kind == ABI_CONCURRENT_KERNEL)
    return double_knob("KERNEL_BYTES") != NULL ? double_knob_number("KERNEL_BYTES") : 216;
  return kind > 0 && kind < ABI_ACTIVITY_COUNT ? lengths[kind] : 0;
}

/* ---- buffers ---- */

int cuptiActivityRegisterCallbacks(abi_buffer_requested *request, abi_buffer_completed *complete) {
  requested = request;
  completed = complete;
  return ABI_SUCCESS;
}

int cuptiActivityGetNextRecord(uint8_t *from, size_t valid_bytes, void **record) {
  uint32_t kind;
  uint8_t *at = from;
  if (*record != NULL) {
    memcpy(&kind, *record, sizeof kind);
    at = (uint8_t *)*record + length_of((int)kind);
  }
  if (at >= from + valid_bytes)
    return ABI_NO_MORE_RECORDS;
  memcpy(&kind, at, sizeof kind);
  if (length_of((int)kind) == 0)
    return 21;
  *record = at;
  return ABI_SUCCESS;
}

int cuptiActivityGetNumDroppedRecords(void *of, uint32_t stream, size_t *count) {
  (void)of, (void)stream;
  *count = __atomic_exchange_n(&dropped, 0, __ATOMIC_RELAXED);
  return ABI_SUCCESS;
}

/* Kernels only, and only if there is nothing else between: enough for order to be lost. */
static void reverse(uint8_t *bytes, size_t total) {
  size_t length = length_of(ABI_CONCURRENT_KERNEL);
  uint8_t kept[MOST_BYTES];
  for (size_t low = 0, high = total; low + length < high; low += length) {
    uint32_t first, last;
    high -= length;
    memcpy(&first, bytes + low, sizeof first);
    memcpy(&last, bytes + high, sizeof last);
    if (first != ABI_CONCURRENT_KERNEL || last != ABI_CONCURRENT_KERNEL)
      return;
    memcpy(kept, bytes + low, length);
    memcpy(bytes + low, bytes + high, length);
    memcpy(bytes + high, kept, length);
  }
}

/* The lock is held, and let go while the collector reads. */
static void deliver(void) {
  uint8_t *full = buffer;
  size_t total = used;
  if (full == NULL)
    return;
  buffer = NULL;
  used = 0;
  if (double_knob("ORDER") != NULL)
    reverse(full, total);
  pthread_mutex_unlock(&lock);
  completed(NULL, 0, full, buffer_bytes, total);
  pthread_mutex_lock(&lock);
}

void double_records_flush(void) {
  pthread_mutex_lock(&lock);
  deliver();
  pthread_mutex_unlock(&lock);
}

void double_records_forget(void) {
  pthread_mutex_lock(&lock);
  memset(kinds, 0, sizeof kinds);
  pthread_mutex_unlock(&lock);
}

void double_records_reset(void) {
  pthread_mutex_lock(&lock);
  deliver();
  context++;
  memset(stream_free, 0, sizeof stream_free);
  pthread_mutex_unlock(&lock);
}

/* A record of `kind` with room for all its fields; the lock is held.  NULL: nobody wants it. */
static uint8_t *append(int kind) {
  size_t length = length_of(kind), most_records;
  if (kind != STRANGER && !kinds[kind])
    return NULL;
  if (buffer != NULL && used + length > buffer_bytes)
    deliver();
  if (buffer == NULL)
    requested(&buffer, &buffer_bytes, &most_records);
  if (buffer == NULL) {
    dropped++;
    return NULL;
  }
  uint8_t *record = buffer + used;
  used += length;
  memset(record, 0, length);
  memcpy(record, &(uint32_t){(uint32_t)kind}, 4);
  return record;
}

static void put(uint8_t *record, size_t offset, uint64_t value, size_t bytes) {
  memcpy(record + offset, &value, bytes);
}

/* ---- the GPU ---- */

static uint64_t begin_work(uint32_t stream, uint64_t lasts) {
  uint64_t start = double_now() + LAG, *is_free = &stream_free[stream % STREAMS];
  if (start < *is_free)
    start = *is_free;
  *is_free = start + lasts;
  return start;
}

static int every(const char *knob) {
  unsigned number = double_knob_number(knob);
  return number > 0 && kernels % number == 0;
}

static void put_kernel(uint32_t correlation, const struct double_work *work) {
  uint64_t lasts = 1000 + 10 * (uint64_t)work->grid[0], start = begin_work(work->stream, lasts);
  size_t length = length_of(ABI_CONCURRENT_KERNEL);
  kernels++;
  double_places_ran(work->name);
  if (every("DROP")) {
    dropped++;
    return;
  }
  uint8_t *record = append(ABI_CONCURRENT_KERNEL);
  if (record == NULL)
    return;
  if (every("EARLY"))
    start = double_call_began() - 100000;
  put(record, ABI_KERNEL_START, every("ZERO") ? 0 : start, 8);
  put(record, ABI_KERNEL_END, every("ZERO") ? 0 : start + lasts, 8);
  put(record, ABI_KERNEL_REGISTERS, 32, 2);
  put(record, ABI_KERNEL_CONTEXT, context, 4);
  put(record, ABI_KERNEL_STREAM, work->stream, 4);
  for (size_t i = 0; i < 3; i++) {
    put(record, ABI_KERNEL_GRID + 4 * i, work->grid[i], 4);
    put(record, ABI_KERNEL_BLOCK + 4 * i, work->block[i], 4);
  }
  put(record, ABI_KERNEL_STATIC_SHARED, 128, 4);
  put(record, ABI_KERNEL_DYNAMIC_SHARED, work->shared, 4);
  put(record, ABI_KERNEL_CORRELATION, every("UNMATCHED") ? 0x7fffffff - kernels : correlation, 4);
  put(record, ABI_KERNEL_NAME, (uintptr_t)work->name, 8);
  if (length >= ABI_KERNEL_GRAPH + 4) {
    put(record, ABI_KERNEL_GRAPH_NODE, work->node, 8);
    put(record, ABI_KERNEL_GRAPH, work->graph, 4);
  }
}

static void put_transfer(uint32_t correlation, const struct double_work *work) {
  uint64_t lasts = work->kind == ABI_MEMCPY ? work->bytes : 500, start = begin_work(work->stream, lasts);
  uint8_t *record = append(work->kind);
  if (record == NULL)
    return;
  put(record, ABI_MEMCPY_BYTES, work->bytes, 8);
  put(record, ABI_MEMCPY_START, start, 8);
  put(record, ABI_MEMCPY_END, start + lasts, 8);
  put(record, ABI_MEMCPY_CONTEXT, context, 4);
  put(record, ABI_MEMCPY_STREAM, work->stream, 4);
  put(record, ABI_MEMCPY_CORRELATION, correlation, 4);
  if (work->kind == ABI_MEMCPY) {
    put(record, ABI_MEMCPY_KIND, work->copy_kind, 1);
    put(record, ABI_MEMCPY_FROM, work->from, 1);
    put(record, ABI_MEMCPY_TO, work->to, 1);
    put(record, ABI_MEMCPY_FLAGS, (unsigned)work->is_async, 1);
  } else {
    put(record, ABI_MEMSET_VALUE, work->value, 4);
    put(record, ABI_MEMSET_MEMORY, work->to, 2);
  }
}

static void put_wait(uint32_t correlation, const struct double_work *work) {
  uint64_t now = double_now();
  uint8_t *record = append(ABI_SYNCHRONIZATION);
  if (record == NULL)
    return;
  put(record, ABI_SYNC_TYPE, work->wait_kind, 4);
  put(record, ABI_SYNC_START, now, 8);
  put(record, ABI_SYNC_END, now + 200, 8);
  put(record, ABI_SYNC_CORRELATION, correlation, 4);
  put(record, ABI_SYNC_CONTEXT, context, 4);
  put(record, ABI_SYNC_STREAM, work->stream, 4);
}

static void put_memory(uint32_t correlation, const struct double_work *work) {
  uint8_t *record = append(ABI_MEMORY);
  if (record == NULL)
    return;
  put(record, ABI_MEMORY_OPERATION, work->is_release ? 2 : 1, 4);
  put(record, ABI_MEMORY_KIND, work->to, 4);
  put(record, ABI_MEMORY_CORRELATION, correlation, 4);
  put(record, ABI_MEMORY_ADDRESS, work->address, 8);
  put(record, ABI_MEMORY_BYTES, work->bytes, 8);
  put(record, ABI_MEMORY_TIME, double_now(), 8);
}

static void put_graph(uint32_t correlation, const struct double_work *work) {
  uint64_t start = begin_work(work->stream, 5000);
  uint8_t *record = append(ABI_GRAPH_TRACE);
  if (record == NULL)
    return;
  put(record, ABI_GRAPH_CORRELATION, correlation, 4);
  put(record, ABI_GRAPH_START, start, 8);
  put(record, ABI_GRAPH_END, start + 5000, 8);
  put(record, ABI_GRAPH_ID, work->graph, 4);
  put(record, ABI_GRAPH_CONTEXT, context, 4);
  put(record, ABI_GRAPH_STREAM, work->stream, 4);
}

void double_records_work(uint32_t correlation, const struct double_work *work) {
  /* As the real one: with a record per graph there is none per node. */
  if (work->node != 0 && kinds[ABI_GRAPH_TRACE])
    return;
  pthread_mutex_lock(&lock);
  if (double_knob("STRANGER") != NULL)
    append(STRANGER);
  if (work->kind == ABI_CONCURRENT_KERNEL)
    put_kernel(correlation, work);
  else if (work->kind == ABI_MEMCPY || work->kind == ABI_MEMSET)
    put_transfer(correlation, work);
  else if (work->kind == ABI_SYNCHRONIZATION)
    put_wait(correlation, work);
  else if (work->kind == ABI_MEMORY)
    put_memory(correlation, work);
  else if (work->kind == ABI_GRAPH_TRACE)
    put_graph(correlation, work);
  pthread_mutex_unlock(&lock);
}

void double_records_put(const uint8_t *record, size_t length) {
  uint32_t kind;
  memcpy(&kind, record, sizeof kind);
  pthread_mutex_lock(&lock);
  uint8_t *to = append((int)kind);
  if (to != NULL)
    memcpy(to, record, length);
  pthread_mutex_unlock(&lock);
}

int double_records_enable(int kind) {
  static const char name[] = "Double 9000";
  if (length_of(kind) == 0)
    return 21;
  pthread_mutex_lock(&lock);
  kinds[kind] = 1;
  if (kind == ABI_DEVICE && double_knob("REPLAY") == NULL) {
    uint8_t *record = append(ABI_DEVICE);
    put(record, ABI_DEVICE_MEMORY_RATE, 2000000000, 8);
    put(record, ABI_DEVICE_MEMORY_BYTES, 1ull << 36, 8);
    put(record, ABI_DEVICE_WARP_THREADS, 32, 4);
    put(record, ABI_DEVICE_CLOCK_RATE, 1500000, 4);
    put(record, ABI_DEVICE_MULTIPROCESSORS, 100, 4);
    put(record, ABI_DEVICE_MAX_WARPS, 64, 4);
    put(record, ABI_DEVICE_MAX_BLOCKS, 32, 4);
    put(record, ABI_DEVICE_MAX_SHARED, 233472, 4);
    put(record, ABI_DEVICE_MAX_REGISTERS, 65536, 4);
    put(record, ABI_DEVICE_MAJOR, 9, 4);
    put(record, ABI_DEVICE_NAME, (uintptr_t)name, 8);
  }
  pthread_mutex_unlock(&lock);
  return ABI_SUCCESS;
}
