/*
 * gpu/sampling_abi.h - cupti_abi.h's second part: samples of places in kernels, GPU programs, graphs.
 *
 * Numbers and layouts: cupti_pcsampling.h and cupti_callbacks.h of CUDA 13.0; test/gpu/abi_check.c compares them with
 * the installed headers.  Structures begin with their size, which tells the library their fields.
 */
#ifndef PROF_GPU_SAMPLING_ABI_H
#define PROF_GPU_SAMPLING_ABI_H

#include <stddef.h>
#include <stdint.h>

enum abi_resource_id {
  ABI_CONTEXT_CREATED = 1,
  ABI_CONTEXT_DESTROY_STARTING = 2,
  ABI_MODULE_LOADED = 6,
  ABI_MODULE_UNLOAD_STARTING = 7,
  ABI_GRAPH_NODE_CREATED = 13,
  ABI_GRAPH_NODE_CLONED = 20,
};

struct abi_resource { /* data of a callback of the resource domain */
  void *context, *handle;
  void *descriptor; /* struct abi_module, struct abi_graph */
};

struct abi_module {
  uint32_t id;
  size_t bytes;
  const char *cubin; /* valid during the callback */
};

struct abi_graph {
  void *graph, *original_graph, *node, *original_node;
  int node_type;
  void *dependency, *executable;
};

struct abi_cubin_sum {
  size_t size, cubin_bytes;
  const void *cubin;
  uint64_t sum;
};

/* ---- samples ---- */

struct abi_reason {
  uint32_t reason, samples;
};

struct abi_sampled_place {
  size_t size;
  uint64_t cubin, offset;
  uint32_t function_index, pad;
  char *function;
  size_t reason_count;
  struct abi_reason *reasons;
  uint32_t correlation; /* since CUPTI 12 */
} __attribute__((packed, aligned(8)));

struct abi_sampled_data {
  size_t size, most_places;
  uint64_t samples, dropped;
  size_t places, remaining;
  uint64_t range;
  struct abi_sampled_place *items;
  uint64_t foreign;
  uint8_t buffer_full;
} __attribute__((packed, aligned(8)));

enum abi_sampling_attribute {
  ABI_SAMPLING_PERIOD = 1, /* a sample every 2^n cycles of each multiprocessor */
  ABI_SAMPLING_MODE = 5,
  ABI_SAMPLING_DATA_BUFFER = 8,
};
enum { ABI_SAMPLING_CONTINUOUS = 1 }; /* kernels run concurrently */

struct abi_sampling_setting {
  int attribute, status;
  union {
    uint64_t data[3];
    uint32_t number;
    void *buffer;
  };
};

/* All structures below begin alike; `reserved` is NULL. */
struct abi_sampling_settings {
  size_t size;
  void *reserved, *context;
  size_t count;
  struct abi_sampling_setting *items;
};
struct abi_sampling_switch { /* on and off */
  size_t size;
  void *reserved, *context;
};
struct abi_sampling_get {
  size_t size;
  void *reserved, *context;
  struct abi_sampled_data *data;
};
struct abi_reason_count {
  size_t size;
  void *reserved, *context;
  size_t *count;
};
struct abi_reason_names {
  size_t size;
  void *reserved, *context;
  size_t count;
  uint32_t *numbers;
  char **names; /* ABI_REASON_BYTES each */
};
enum { ABI_REASON_BYTES = 128 };

#define ABI_SAMPLING_FUNCTIONS(F)                                                                                      \
  F(cuptiPCSamplingEnable, 1, (struct abi_sampling_switch *))                                                          \
  F(cuptiPCSamplingDisable, 1, (struct abi_sampling_switch *))                                                         \
  F(cuptiPCSamplingSetConfigurationAttribute, 1, (struct abi_sampling_settings *))                                     \
  F(cuptiPCSamplingGetConfigurationAttribute, 1, (struct abi_sampling_settings *))                                     \
  F(cuptiPCSamplingGetData, 1, (struct abi_sampling_get *))                                                            \
  F(cuptiPCSamplingGetNumStallReasons, 1, (struct abi_reason_count *))                                                 \
  F(cuptiPCSamplingGetStallReasons, 1, (struct abi_reason_names *))                                                    \
  F(cuptiGetCubinCrc, 1, (struct abi_cubin_sum *))                                                                     \
  F(cuptiGetGraphNodeId, 1, (void *node, uint64_t *number))

#endif
