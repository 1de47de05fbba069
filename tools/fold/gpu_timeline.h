/*
 * tools/fold/gpu_timeline.h - what the GPUs did, in the order of time.
 *
 * Job: records of kernels, copies, sets, whole graphs and waits -> arrays sorted by device and time, streams and
 * devices numbered.  In: an opened trace and its joined calls, which must outlive it.  Immutable once built.  Memory:
 * 40 bytes for each of them.
 *
 * A device is one of a source's: two processes on the same GPU have a device each.  Records without a time are not
 * here.
 */
#ifndef PROF_FOLD_GPU_TIMELINE_H
#define PROF_FOLD_GPU_TIMELINE_H

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/gpu_join.h"

enum prof_gpu_class {
  PROF_GPU_COMPUTE = 0, /* kernels, whole graphs */
  PROF_GPU_TRANSFER,    /* copies, sets */
  PROF_GPU_EXCHANGE,    /* kernels of a communication library (NCCL) */
};
#define PROF_GPU_CLASSES 3

struct prof_gpu_span {
  uint64_t start, end; /* ticks */
  uint32_t call;       /* index of the join's calls; PROF_NONE */
  uint32_t lane;       /* index */
  uint32_t name;       /* kernels: index of kernel_names; graphs: their number; else: prof_gpu_copy_sort */
  uint32_t at;         /* of its chunk, see `chunk` */
  uint32_t chunk;      /* index among prof_trace_gpu_chunks */
  uint8_t record;      /* enum prof_gpu_record */
  uint8_t class;       /* enum prof_gpu_class */
  bool is_synchronous; /* a copy whose call returned after it */
};

struct prof_gpu_lane { /* a stream */
  uint32_t device;     /* index */
  uint32_t source, context, stream;
};

struct prof_gpu_device_info {
  uint32_t source, device;
  size_t first, count; /* of its spans */
  const char *name;    /* "" unknown, and all that follows 0 */
  uint32_t capability, multiprocessors, warp_threads, max_warps, max_blocks, max_shared, max_registers;
  uint64_t memory_bytes;
};

struct prof_gpu_pause { /* a thread waited for the GPU */
  uint64_t start, end;
  uint32_t call, source, context, stream; /* stream: UINT32_MAX: all */
};

struct prof_gpu_kernel_text {  /* of a source, that is a kernel's name */
  uint32_t source, text, name; /* name: index of kernel_names */
};

struct prof_gpu_timeline {
  PROF_VEC(struct prof_gpu_span) spans; /* by device, then start, then end */
  PROF_VEC(struct prof_gpu_lane) lanes;
  PROF_VEC(struct prof_gpu_device_info) devices;
  PROF_VEC(struct prof_gpu_pause) pauses;             /* by start */
  PROF_VEC(const char *) kernel_names;                /* linkage names, each once */
  uint64_t damaged;                                   /* chunks that could not be read */
  PROF_VEC(struct prof_gpu_kernel_text) kernel_texts; /* its own, as is the next */
  struct prof_index_map known_texts;
};

prof_status prof_gpu_timeline_load(const prof_trace *, const struct prof_gpu_join *,
                                   struct prof_gpu_timeline *out) PROF_MUST_CHECK; /* PROF_NO_MEMORY */
void prof_gpu_timeline_fini(struct prof_gpu_timeline *);                           /* a zeroed one is fine */

/* The index of a kernel's name, the same for all sources; PROF_NONE: no kernel has it. */
uint32_t prof_gpu_timeline_kernel(const struct prof_gpu_timeline *, uint32_t source, uint64_t text);

/* The index of a device of a source; PROF_NONE: nothing is known of it. */
uint32_t prof_gpu_timeline_device(const struct prof_gpu_timeline *, uint32_t source, uint64_t device);

/* A sort of copy as a number: its kind and the host's memory; and its parts in words. */
#define PROF_GPU_SET_SORT 1000u
uint32_t prof_gpu_copy_sort(uint64_t kind, uint64_t from, uint64_t to);
const char *prof_gpu_copy_kind(uint32_t sort);   /* "host to device", "set" */
const char *prof_gpu_copy_memory(uint32_t sort); /* "pageable"; "" when no host memory is part of it */

/* A kind of memory (column TO) in a word: "device"; "" not known. */
const char *prof_gpu_memory_word(uint64_t kind);

#endif
