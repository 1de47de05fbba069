/*
 * gpu/cupti_abi.h - our declarations of the used part of CUPTI's binary interface.
 *
 * CUPTI's headers may not be redistributed and differ between releases; its records keep their layout and grow at the
 * end.  So a field is an offset, read only if the library's record is long enough (activity.c measures that at start).
 * All of this holds for versions 11.8 to 13.0; test/gpu/abi_check.c compares it with the installed headers.  Numbers:
 * cupti_activity.h, cupti_callbacks.h, cupti_result.h of CUDA 13.0.
 */
#ifndef PROF_GPU_CUPTI_ABI_H
#define PROF_GPU_CUPTI_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "sampling_abi.h"

enum abi_result {
  ABI_SUCCESS = 0,
  ABI_OUT_OF_MEMORY = 8,
  ABI_NO_MORE_RECORDS = 12,     /* CUPTI_ERROR_MAX_LIMIT_REACHED */
  ABI_NOT_COMPATIBLE = 14,      /* the driver is older than the library */
  ABI_SECOND_SUBSCRIBER = 39,   /* another profiler is attached */
  ABI_INSUFFICIENT_RIGHTS = 35, /* only the administrator may use performance counters */
  ABI_UNKNOWN = 999,            /* no driver, or one that is too old */
};

enum abi_activity {
  ABI_MEMCPY = 1,
  ABI_MEMSET = 2,
  ABI_DEVICE = 8,
  ABI_CONTEXT = 9,
  ABI_CONCURRENT_KERNEL = 10, /* not KERNEL (3), which runs kernels one after another */
  ABI_OVERHEAD = 17,
  ABI_MEMCPY_PEER = 22,
  ABI_SYNCHRONIZATION = 38,
  ABI_MEMORY = 49,
  ABI_GRAPH_TRACE = 51,
  ABI_ACTIVITY_COUNT = 52,
};

enum abi_domain { ABI_DRIVER_API = 1, ABI_RUNTIME_API = 2, ABI_RESOURCES = 3 };
enum abi_site { ABI_ENTER = 0, ABI_EXIT = 1 };
enum abi_attribute { ABI_DEVICE_BUFFER_POOL_LIMIT = 2 };
struct abi_subscriber { /* of cuptiSubscribe_v2, CUPTI 13 */
  size_t struct_size;
  const char *name;
  char *other; /* gets the name of the attached profiler */
  size_t other_bytes;
};
enum { ABI_SUBSCRIBER_NAME_BYTES = 64 };

enum abi_flush { ABI_FLUSH_FINISHED = 0, ABI_FLUSH_FORCED = 1 };

/* Data of a callback of an API domain. */
struct abi_callback_data {
  uint32_t site;
  const char *function_name;
  const void *parameters;
  const int *return_value; /* at ABI_EXIT; CUresult and cudaError_t are ints */
  const char *symbol_name;
  void *context;
  uint32_t context_uid;
  uint64_t *correlation_data;
  uint32_t correlation;
};

/* ---- offsets in activity records; all begin with their kind, 4 bytes ---- */

enum abi_kernel {                           /* Kernel4 and later; the graph's from Kernel5 */
                  ABI_KERNEL_REGISTERS = 6, /* 2 bytes */
                  ABI_KERNEL_START = 16,
                  ABI_KERNEL_END = 24,
                  ABI_KERNEL_DEVICE = 40,
                  ABI_KERNEL_CONTEXT = 44,
                  ABI_KERNEL_STREAM = 48,
                  ABI_KERNEL_GRID = 52,  /* 3 of 4 bytes */
                  ABI_KERNEL_BLOCK = 64, /* 3 of 4 bytes */
                  ABI_KERNEL_STATIC_SHARED = 76,
                  ABI_KERNEL_DYNAMIC_SHARED = 80,
                  ABI_KERNEL_LOCAL = 84,
                  ABI_KERNEL_CORRELATION = 92,
                  ABI_KERNEL_NAME = 104,
                  ABI_KERNEL_QUEUED = 120,
                  ABI_KERNEL_SUBMITTED = 128,
                  ABI_KERNEL_LEAST = 144,
                  ABI_KERNEL_GRAPH_NODE = 144,
                  ABI_KERNEL_GRAPH = 156,
};

enum abi_memcpy {
  ABI_MEMCPY_KIND = 4, /* 1 byte, as the next three */
  ABI_MEMCPY_FROM = 5,
  ABI_MEMCPY_TO = 6,
  ABI_MEMCPY_FLAGS = 7,
  ABI_MEMCPY_BYTES = 8,
  ABI_MEMCPY_START = 16,
  ABI_MEMCPY_END = 24,
  ABI_MEMCPY_DEVICE = 32,
  ABI_MEMCPY_CONTEXT = 36,
  ABI_MEMCPY_STREAM = 40,
  ABI_MEMCPY_CORRELATION = 44,
  ABI_MEMCPY_LEAST = 64,
  ABI_MEMCPY_GRAPH_NODE = 64,
  ABI_MEMCPY_GRAPH = 72,
};

enum abi_peer { /* MemcpyPtoP: the first fields as in Memcpy, up to the stream */
                ABI_PEER_TO_DEVICE = 52,
                ABI_PEER_CORRELATION = 60,
                ABI_PEER_LEAST = 72,
                ABI_PEER_GRAPH_NODE = 72,
                ABI_PEER_GRAPH = 80,
};

enum abi_memset {
  ABI_MEMSET_VALUE = 4,
  ABI_MEMSET_BYTES = 8,
  ABI_MEMSET_START = 16,
  ABI_MEMSET_END = 24,
  ABI_MEMSET_DEVICE = 32,
  ABI_MEMSET_CONTEXT = 36,
  ABI_MEMSET_STREAM = 40,
  ABI_MEMSET_CORRELATION = 44,
  ABI_MEMSET_FLAGS = 48,  /* 2 bytes */
  ABI_MEMSET_MEMORY = 50, /* 2 bytes */
  ABI_MEMSET_LEAST = 64,
  ABI_MEMSET_GRAPH_NODE = 64,
  ABI_MEMSET_GRAPH = 72,
};

enum abi_synchronization {
  ABI_SYNC_TYPE = 4,
  ABI_SYNC_START = 8,
  ABI_SYNC_END = 16,
  ABI_SYNC_CORRELATION = 24,
  ABI_SYNC_CONTEXT = 28,
  ABI_SYNC_STREAM = 32,
  ABI_SYNC_LEAST = 40,
};

enum abi_overhead {
  ABI_OVERHEAD_KIND = 4,
  ABI_OVERHEAD_START = 24,
  ABI_OVERHEAD_END = 32,
  ABI_OVERHEAD_LEAST = 40,
  ABI_OVERHEAD_CORRELATION = 40,
};

enum abi_graph_trace {
  ABI_GRAPH_CORRELATION = 4,
  ABI_GRAPH_START = 8,
  ABI_GRAPH_END = 16,
  ABI_GRAPH_DEVICE = 24,
  ABI_GRAPH_ID = 28,
  ABI_GRAPH_CONTEXT = 32,
  ABI_GRAPH_STREAM = 36,
  ABI_GRAPH_LEAST = 40,
};

enum abi_memory { /* Memory2 and later */
                  ABI_MEMORY_OPERATION = 4,
                  ABI_MEMORY_KIND = 8,
                  ABI_MEMORY_CORRELATION = 12,
                  ABI_MEMORY_ADDRESS = 16,
                  ABI_MEMORY_BYTES = 24,
                  ABI_MEMORY_TIME = 32,
                  ABI_MEMORY_DEVICE = 52,
                  ABI_MEMORY_CONTEXT = 56,
                  ABI_MEMORY_STREAM = 60,
                  ABI_MEMORY_LEAST = 80,
};

enum abi_device { /* Device2 and later */
                  ABI_DEVICE_MEMORY_RATE = 8,
                  ABI_DEVICE_MEMORY_BYTES = 16,
                  ABI_DEVICE_WARP_THREADS = 32,
                  ABI_DEVICE_CLOCK_RATE = 36,
                  ABI_DEVICE_MULTIPROCESSORS = 44,
                  ABI_DEVICE_MAX_WARPS = 52,
                  ABI_DEVICE_MAX_BLOCKS = 56,
                  ABI_DEVICE_MAX_SHARED = 60,
                  ABI_DEVICE_MAX_REGISTERS = 64,
                  ABI_DEVICE_MAJOR = 104,
                  ABI_DEVICE_MINOR = 108,
                  ABI_DEVICE_ID = 112,
                  ABI_DEVICE_NAME = 136,
                  ABI_DEVICE_LEAST = 144,
};

enum abi_context { ABI_CONTEXT_ID = 4, ABI_CONTEXT_DEVICE = 8, ABI_CONTEXT_LEAST = 16 };

/* ---- functions ---- */

typedef void abi_callback(void *user, int domain, uint32_t id, const void *data);
typedef void abi_buffer_requested(uint8_t **buffer, size_t *bytes, size_t *most_records);
typedef void abi_buffer_completed(void *context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid_bytes);
typedef uint64_t abi_timestamp(void);

/* name, is it optional, parameters; all return an abi_result */
#define ABI_FUNCTIONS(F)                                                                                               \
  F(cuptiGetVersion, 0, (uint32_t *))                                                                                  \
  F(cuptiSubscribe, 0, (void **subscriber, abi_callback *, void *user))                                                \
  F(cuptiEnableCallback, 0, (uint32_t enable, void *subscriber, int domain, uint32_t id))                              \
  F(cuptiActivityRegisterCallbacks, 0, (abi_buffer_requested *, abi_buffer_completed *))                               \
  F(cuptiActivityEnable, 0, (int kind))                                                                                \
  F(cuptiActivityFlushAll, 0, (uint32_t flag))                                                                         \
  F(cuptiActivityGetNextRecord, 0, (uint8_t * buffer, size_t valid_bytes, void **record))                              \
  F(cuptiActivityGetNumDroppedRecords, 0, (void *context, uint32_t stream, size_t *dropped))                           \
  F(cuptiGetTimestamp, 0, (uint64_t *))                                                                                \
  F(cuptiActivityRegisterTimestampCallback, 1, (abi_timestamp *))                                                      \
  F(cuptiActivitySetAttribute, 1, (int attribute, size_t *value_bytes, void *value))                                   \
  F(cuptiGetResultString, 1, (int result, const char **text))                                                          \
  F(cuptiUnsubscribe, 1, (void *subscriber))                                                                           \
  F(cuptiSubscribe_v2, 1, (void **subscriber, abi_callback *, void *user, struct abi_subscriber *))                    \
  F(cuptiGetStreamIdEx, 1, (void *context, void *stream, uint8_t per_thread, uint32_t *number))                        \
  ABI_SAMPLING_FUNCTIONS(F)

#endif
