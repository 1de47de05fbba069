/*
 * wire/gpu.h - what the GPU collector of a process writes into the shared region.
 *
 * The CUDA driver loads the collector (gpu/), in instrumented and other programs.  The collector takes one thread
 * record with content PROF_THREAD_GPU (wire/control.h) for its process.  `tid` is that of its own thread; `process` is
 * 0: the recorder finds the process by its pid, or makes one.  Segments then hold messages instead of events:
 *
 *    0                     64
 *    +---------------------+-------------+----------------+---------+---------- - - ---------+
 *    | struct prof_segment | message     | message        | message | zeros                  |
 *    +---------------------+-------------+----------------+---------+---------- - - ---------+
 *
 * A message begins at a multiple of 8 and lies in one segment.  It is complete once its `kind` is not 0: the writer
 * stores that last, with release.  The collector writes messages under one lock, so the first kind of 0 is the end so
 * far; if the segment's `next` is set, it is the segment's end.  The recorder zeroes what it has read before it returns
 * a segment.  Stored messages survive the death of the process.
 *
 * A TEXT comes before the first record that names it.  START comes first and identifies the collector.
 */
#ifndef PROF_WIRE_GPU_H
#define PROF_WIRE_GPU_H

#include <stdint.h>

struct prof_gpu_head {
  uint32_t kind;  /* enum prof_gpu_message; 0: not finished */
  uint32_t bytes; /* of the whole message, a multiple of 8 */
};

enum prof_gpu_message {
  PROF_GPU_MESSAGE_START = 1,
  PROF_GPU_MESSAGE_TEXT = 2,
  PROF_GPU_MESSAGE_NOTE = 3, /* head, then text NUL: something the user should read */
  PROF_GPU_MESSAGE_FIGURES = 4,
  PROF_GPU_MESSAGE_CUBIN = 5,
  PROF_GPU_MESSAGE_RECORD = 16, /* and more: 16 + number of the record (include/proftrace_gpu.h) */
};

#define PROF_GPU_TEXT_LIMIT 32768u /* bytes of one text, its NUL included; longer names are cut */

struct prof_gpu_start {
  struct prof_gpu_head head;
  uint32_t library_version, driver_version; /* 0: not known */
  uint32_t flags;                           /* PROF_GPU_START_ */
  uint32_t reserved;
  uint64_t start; /* ticks */
  /* then: path of the library NUL; "" without one */
};
#define PROF_GPU_START_OWN_CLOCK 0x1u  /* records have ticks from a callback, not converted times */
#define PROF_GPU_START_OTHER_PIDS 0x2u /* not in the recorder's pid namespace */

struct prof_gpu_text_message {
  struct prof_gpu_head head;
  uint32_t text; /* number, from 1 */
  uint32_t reserved;
  /* then: the text NUL */
};

struct prof_gpu_figures {
  struct prof_gpu_head head;
  uint64_t values[15]; /* by enum prof_gpu_figure; they only grow */
};

struct prof_gpu_cubin_message { /* a part of a GPU program; the parts of a program come in order, without others between
                                 */
  struct prof_gpu_head head;
  uint64_t cubin, total_bytes, offset;
  uint32_t part_bytes, reserved;
  /* then: the part */
};
#define PROF_GPU_CUBIN_PART 32768u          /* bytes of a part, at most */
#define PROF_GPU_CUBIN_LIMIT (255ull << 20) /* of a program */

/* ---- records: fields as in the trace format's columns; times in ticks, 0 and 0: not known ---- */

struct prof_gpu_kernel {
  struct prof_gpu_head head;
  uint64_t start, end, queued, submitted, graph_node;
  uint32_t correlation, device, context, stream, graph, name;
  uint32_t grid[3], block[3];
  uint32_t registers, static_shared, dynamic_shared, local_bytes;
};

struct prof_gpu_activity { /* every other record with begin and end; fields that it lacks are 0 */
  struct prof_gpu_head head;
  uint64_t start, end, bytes, address, graph_node;
  uint32_t correlation, device, context, stream, graph;
  uint32_t kind, from, to, flags, peer, value;
  uint32_t reserved;
};

struct prof_gpu_call {
  struct prof_gpu_head head;
  uint64_t start, end;
  uint32_t correlation, thread, name, function, result, flags;
  uint32_t stack, reserved; /* stack: a frame, see below; 0: none */
};

struct prof_gpu_device {
  struct prof_gpu_head head;
  uint64_t memory_bytes, memory_rate;
  uint32_t device, name, capability, multiprocessors, warp_threads;
  uint32_t max_warps, max_blocks, max_shared, max_registers, clock_rate;
};

struct prof_gpu_context {
  struct prof_gpu_head head;
  uint32_t context, device;
};

struct prof_gpu_range { /* of NVTX */
  struct prof_gpu_head head;
  uint64_t start, end;
  uint32_t thread, name, domain, kind, thing, flags;
};

struct prof_gpu_frame { /* of a stack of uninstrumented code; before the first call that names it */
  struct prof_gpu_head head;
  uint64_t offset;              /* in the file */
  uint32_t thing, parent, name; /* number from 1; the caller's, 0: none; name: the file's */
  uint32_t is_range;            /* 1: of NVTX, and this is its name */
};

struct prof_gpu_metrics { /* of NVML */
  struct prof_gpu_head head;
  uint64_t start, end, memory_bytes, energy;               /* energy: millijoules since the driver began */
  uint32_t device, utilization, memory_utilization, power; /* by NVML's number; percent; percent; milliwatts */
};

struct prof_gpu_sample {
  struct prof_gpu_head head;
  uint64_t start, end, cubin, address;
  uint32_t context, name, kind, count;
};

struct prof_gpu_node {
  struct prof_gpu_head head;
  uint64_t start, graph_node, origin;
  uint32_t correlation, reserved;
};

struct prof_gpu_name {
  struct prof_gpu_head head;
  uint64_t thing;
  uint32_t kind, name;
};

_Static_assert(sizeof(struct prof_gpu_start) == 32 && sizeof(struct prof_gpu_text_message) == 16 &&
                   sizeof(struct prof_gpu_figures) == 128 && sizeof(struct prof_gpu_kernel) == 112 &&
                   sizeof(struct prof_gpu_activity) == 96 && sizeof(struct prof_gpu_call) == 56 &&
                   sizeof(struct prof_gpu_device) == 64 && sizeof(struct prof_gpu_context) == 16 &&
                   sizeof(struct prof_gpu_range) == 48 && sizeof(struct prof_gpu_name) == 24 &&
                   sizeof(struct prof_gpu_frame) == 32 && sizeof(struct prof_gpu_metrics) == 56 &&
                   sizeof(struct prof_gpu_cubin_message) == 40 && sizeof(struct prof_gpu_sample) == 56 &&
                   sizeof(struct prof_gpu_node) == 40,
               "messages have no padding");

/* Environment of a recorded program; set by prof record unless they are there. */
#define PROF_ENV_INJECTION "CUDA_INJECTION64_PATH"   /* the CUDA driver's: a library that it loads in cuInit */
#define PROF_ENV_NVTX "NVTX_INJECTION64_PATH"        /* NVTX's: a library that it loads at its first call */
#define PROF_ENV_CUPTI "PROF_CUPTI"                  /* path of libcupti: this one and no other */
#define PROF_ENV_GPU_FLUSH "PROF_GPU_FLUSH_MS"       /* limit of the last flush at exit; default 5000 */
#define PROF_ENV_GPU_BUFFERS "PROF_GPU_KEEP_BUFFERS" /* a folder for the library's buffers, for tests */
#define PROF_GPU_FILE "libprof-gpu.so"

#endif
