/*
 * gpu/convert.c - see convert.h.
 *
 * Reads a record at the offsets of cupti_abi.h; fields of later releases only if the record is long enough.
 */
#include "convert.h"

#include <string.h>

#include "capture.h"
#include "clock.h"
#include "stream.h"

static uint64_t get(const uint8_t *record, size_t offset, size_t bytes) {
  uint64_t value = 0;
  memcpy(&value, record + offset, bytes);
  return value;
}

static uint8_t byte_at(const uint8_t *record, size_t offset) {
  return record[offset];
}
static uint16_t u16_at(const uint8_t *record, size_t offset) {
  return (uint16_t)get(record, offset, 2);
}
static uint32_t u32_at(const uint8_t *record, size_t offset) {
  return (uint32_t)get(record, offset, 4);
}
static uint64_t u64_at(const uint8_t *record, size_t offset) {
  return get(record, offset, 8);
}
static uint64_t later_u64(const uint8_t *record, size_t bytes, size_t offset) {
  return bytes >= offset + 8 ? u64_at(record, offset) : 0;
}
static uint32_t later_u32(const uint8_t *record, size_t bytes, size_t offset) {
  return bytes >= offset + 4 ? u32_at(record, offset) : 0;
}
static const char *text_at(const uint8_t *record, size_t offset) {
  return (const char *)(uintptr_t)u64_at(record, offset);
}

/* Sets both times; counts a record without times. */
static void set_times(const uint8_t *record, size_t start, size_t end, uint64_t *to_start, uint64_t *to_end) {
  *to_start = prof_gpu_clock_ticks(u64_at(record, start));
  *to_end = prof_gpu_clock_ticks(u64_at(record, end));
  if (*to_start == 0 || *to_end == 0) {
    *to_start = *to_end = 0;
    prof_gpu_stream_count(PROF_GPU_UNTIMED, 1);
  }
}

static void convert_kernel(const uint8_t *record, size_t bytes) {
  if (!prof_gpu_capture_keeps(u32_at(record, ABI_KERNEL_CORRELATION)))
    return;
  struct prof_gpu_kernel kernel = {
      .queued = prof_gpu_clock_ticks(u64_at(record, ABI_KERNEL_QUEUED)),
      .submitted = prof_gpu_clock_ticks(u64_at(record, ABI_KERNEL_SUBMITTED)),
      .graph_node = later_u64(record, bytes, ABI_KERNEL_GRAPH_NODE),
      .correlation = u32_at(record, ABI_KERNEL_CORRELATION),
      .device = u32_at(record, ABI_KERNEL_DEVICE),
      .context = u32_at(record, ABI_KERNEL_CONTEXT),
      .stream = u32_at(record, ABI_KERNEL_STREAM),
      .graph = later_u32(record, bytes, ABI_KERNEL_GRAPH),
      .registers = u16_at(record, ABI_KERNEL_REGISTERS),
      .static_shared = u32_at(record, ABI_KERNEL_STATIC_SHARED),
      .dynamic_shared = u32_at(record, ABI_KERNEL_DYNAMIC_SHARED),
      .local_bytes = u32_at(record, ABI_KERNEL_LOCAL),
  };
  for (size_t i = 0; i < 3; i++) {
    kernel.grid[i] = u32_at(record, ABI_KERNEL_GRID + 4 * i);
    kernel.block[i] = u32_at(record, ABI_KERNEL_BLOCK + 4 * i);
  }
  set_times(record, ABI_KERNEL_START, ABI_KERNEL_END, &kernel.start, &kernel.end);
  prof_gpu_stream_record(PROF_GPU_KERNEL, &kernel, sizeof kernel, text_at(record, ABI_KERNEL_NAME), &kernel.name);
}

static void send(enum prof_gpu_record record, struct prof_gpu_activity *activity) {
  if (record != PROF_GPU_OVERHEAD && !prof_gpu_capture_keeps(activity->correlation))
    return;
  prof_gpu_stream_record(record, activity, sizeof *activity, NULL, NULL);
}

struct transfer { /* offsets that differ between copies and sets */
  uint16_t correlation, graph_node, graph;
};
static const struct transfer of_memcpy = {ABI_MEMCPY_CORRELATION, ABI_MEMCPY_GRAPH_NODE, ABI_MEMCPY_GRAPH};
static const struct transfer of_peer = {ABI_PEER_CORRELATION, ABI_PEER_GRAPH_NODE, ABI_PEER_GRAPH};
static const struct transfer of_memset = {ABI_MEMSET_CORRELATION, ABI_MEMSET_GRAPH_NODE, ABI_MEMSET_GRAPH};

static struct prof_gpu_activity transfer(const uint8_t *record, size_t bytes, const struct transfer *at) {
  struct prof_gpu_activity activity = {
      .bytes = u64_at(record, ABI_MEMCPY_BYTES),
      .device = u32_at(record, ABI_MEMCPY_DEVICE),
      .context = u32_at(record, ABI_MEMCPY_CONTEXT),
      .stream = u32_at(record, ABI_MEMCPY_STREAM),
      .correlation = u32_at(record, at->correlation),
      .graph_node = later_u64(record, bytes, at->graph_node),
      .graph = later_u32(record, bytes, at->graph),
  };
  set_times(record, ABI_MEMCPY_START, ABI_MEMCPY_END, &activity.start, &activity.end);
  return activity;
}

static struct prof_gpu_activity copy(const uint8_t *record, size_t bytes, const struct transfer *at) {
  struct prof_gpu_activity copy = transfer(record, bytes, at);
  copy.kind = byte_at(record, ABI_MEMCPY_KIND);
  copy.from = byte_at(record, ABI_MEMCPY_FROM);
  copy.to = byte_at(record, ABI_MEMCPY_TO);
  copy.flags = byte_at(record, ABI_MEMCPY_FLAGS) & 1;
  return copy;
}

static void convert_memcpy(const uint8_t *record, size_t bytes) {
  struct prof_gpu_activity one = copy(record, bytes, &of_memcpy);
  send(PROF_GPU_COPY, &one);
}

static void convert_peer(const uint8_t *record, size_t bytes) {
  struct prof_gpu_activity one = copy(record, bytes, &of_peer);
  one.peer = u32_at(record, ABI_PEER_TO_DEVICE);
  send(PROF_GPU_COPY, &one);
}

static void convert_memset(const uint8_t *record, size_t bytes) {
  struct prof_gpu_activity set = transfer(record, bytes, &of_memset);
  set.value = u32_at(record, ABI_MEMSET_VALUE);
  set.flags = u16_at(record, ABI_MEMSET_FLAGS) & 1;
  set.to = u16_at(record, ABI_MEMSET_MEMORY);
  send(PROF_GPU_SET, &set);
}

static void convert_synchronization(const uint8_t *record, size_t bytes) {
  (void)bytes;
  struct prof_gpu_activity wait = {
      .kind = u32_at(record, ABI_SYNC_TYPE),
      .correlation = u32_at(record, ABI_SYNC_CORRELATION),
      .context = u32_at(record, ABI_SYNC_CONTEXT),
      .stream = u32_at(record, ABI_SYNC_STREAM),
  };
  set_times(record, ABI_SYNC_START, ABI_SYNC_END, &wait.start, &wait.end);
  send(PROF_GPU_WAIT, &wait);
}

static void convert_overhead(const uint8_t *record, size_t bytes) {
  struct prof_gpu_activity overhead = {
      .kind = u32_at(record, ABI_OVERHEAD_KIND),
      .correlation = later_u32(record, bytes, ABI_OVERHEAD_CORRELATION),
  };
  set_times(record, ABI_OVERHEAD_START, ABI_OVERHEAD_END, &overhead.start, &overhead.end);
  send(PROF_GPU_OVERHEAD, &overhead);
}

static void convert_graph(const uint8_t *record, size_t bytes) {
  (void)bytes;
  struct prof_gpu_activity run = {
      .correlation = u32_at(record, ABI_GRAPH_CORRELATION),
      .device = u32_at(record, ABI_GRAPH_DEVICE),
      .graph = u32_at(record, ABI_GRAPH_ID),
      .context = u32_at(record, ABI_GRAPH_CONTEXT),
      .stream = u32_at(record, ABI_GRAPH_STREAM),
  };
  set_times(record, ABI_GRAPH_START, ABI_GRAPH_END, &run.start, &run.end);
  send(PROF_GPU_GRAPH_RUN, &run);
}

static void convert_memory(const uint8_t *record, size_t bytes) {
  (void)bytes;
  struct prof_gpu_activity memory = {
      .start = prof_gpu_clock_ticks(u64_at(record, ABI_MEMORY_TIME)),
      .bytes = u64_at(record, ABI_MEMORY_BYTES),
      .address = u64_at(record, ABI_MEMORY_ADDRESS),
      .kind = u32_at(record, ABI_MEMORY_OPERATION),
      .to = u32_at(record, ABI_MEMORY_KIND),
      .correlation = u32_at(record, ABI_MEMORY_CORRELATION),
      .device = u32_at(record, ABI_MEMORY_DEVICE),
      .context = u32_at(record, ABI_MEMORY_CONTEXT),
      .stream = u32_at(record, ABI_MEMORY_STREAM),
  };
  memory.end = memory.start;
  send(PROF_GPU_MEMORY, &memory);
}

static void convert_device(const uint8_t *record, size_t bytes) {
  (void)bytes;
  struct prof_gpu_device device = {
      .memory_bytes = u64_at(record, ABI_DEVICE_MEMORY_BYTES),
      .memory_rate = u64_at(record, ABI_DEVICE_MEMORY_RATE),
      .device = u32_at(record, ABI_DEVICE_ID),
      .capability = 100 * u32_at(record, ABI_DEVICE_MAJOR) + u32_at(record, ABI_DEVICE_MINOR),
      .multiprocessors = u32_at(record, ABI_DEVICE_MULTIPROCESSORS),
      .warp_threads = u32_at(record, ABI_DEVICE_WARP_THREADS),
      .max_warps = u32_at(record, ABI_DEVICE_MAX_WARPS),
      .max_blocks = u32_at(record, ABI_DEVICE_MAX_BLOCKS),
      .max_shared = u32_at(record, ABI_DEVICE_MAX_SHARED),
      .max_registers = u32_at(record, ABI_DEVICE_MAX_REGISTERS),
      .clock_rate = u32_at(record, ABI_DEVICE_CLOCK_RATE),
  };
  prof_gpu_stream_record(PROF_GPU_DEVICE, &device, sizeof device, text_at(record, ABI_DEVICE_NAME), &device.name);
}

static void convert_context(const uint8_t *record, size_t bytes) {
  (void)bytes;
  struct prof_gpu_context context = {.context = u32_at(record, ABI_CONTEXT_ID),
                                     .device = u32_at(record, ABI_CONTEXT_DEVICE)};
  prof_gpu_stream_record(PROF_GPU_CONTEXT, &context, sizeof context, NULL, NULL);
}

const struct prof_gpu_conversion prof_gpu_conversions[] = {
    {ABI_DEVICE, ABI_DEVICE_LEAST, .convert = convert_device},
    {ABI_CONTEXT, ABI_CONTEXT_LEAST, .convert = convert_context},
    {ABI_CONCURRENT_KERNEL, ABI_KERNEL_LEAST, .is_wanted_by_all = true, .convert = convert_kernel},
    {ABI_MEMCPY, ABI_MEMCPY_LEAST, .is_wanted_by_all = true, .convert = convert_memcpy},
    {ABI_MEMCPY_PEER, ABI_PEER_LEAST, .convert = convert_peer},
    {ABI_MEMSET, ABI_MEMSET_LEAST, .convert = convert_memset},
    {ABI_SYNCHRONIZATION, ABI_SYNC_LEAST, .convert = convert_synchronization},
    {ABI_OVERHEAD, ABI_OVERHEAD_LEAST, .convert = convert_overhead},
    {ABI_GRAPH_TRACE, ABI_GRAPH_LEAST, .only_whole = true, .convert = convert_graph},
    {ABI_MEMORY, ABI_MEMORY_LEAST, .convert = convert_memory},
    {0},
};
