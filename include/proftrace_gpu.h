/*
 * proftrace_gpu.h - libproftrace: the GPU's work in a recording.  Format: docs/trace-format-gpu.md.
 *
 * Part of proftrace.h, which includes it.  The same rules: immutable after opening, pointers live until
 * prof_trace_close, names are bytes of other people's programs.  Memory grows with chunk headers and names, not with
 * records.
 */
#ifndef PROFTRACE_GPU_H
#define PROFTRACE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_trace;

enum prof_gpu_record {
  PROF_GPU_KERNEL = 1,
  PROF_GPU_COPY = 2,
  PROF_GPU_SET = 3,
  PROF_GPU_WAIT = 4,
  PROF_GPU_OVERHEAD = 5,
  PROF_GPU_GRAPH_RUN = 6,
  PROF_GPU_MEMORY = 7,
  PROF_GPU_CALL = 8,
  PROF_GPU_DEVICE = 9,
  PROF_GPU_CONTEXT = 10,
  PROF_GPU_RANGE = 11,
  PROF_GPU_NAMED = 12,
  PROF_GPU_FRAME = 13,
  PROF_GPU_METRICS = 14,
  PROF_GPU_SAMPLE = 15,
  PROF_GPU_NODE = 16,
};
#define PROF_GPU_RECORD_COUNT 17 /* size of a table by record */

enum prof_gpu_column {
  PROF_GPU_START = 1, /* ticks */
  PROF_GPU_DURATION = 2,
  PROF_GPU_CORRELATION = 3,
  PROF_GPU_DEVICE_ID = 4,
  PROF_GPU_CONTEXT_ID = 5,
  PROF_GPU_STREAM = 6,
  PROF_GPU_NAME = 7, /* for prof_trace_gpu_text */
  PROF_GPU_THREAD = 8,
  PROF_GPU_FUNCTION = 9,
  PROF_GPU_GRID_X = 10,
  PROF_GPU_GRID_Y = 11,
  PROF_GPU_GRID_Z = 12,
  PROF_GPU_BLOCK_X = 13,
  PROF_GPU_BLOCK_Y = 14,
  PROF_GPU_BLOCK_Z = 15,
  PROF_GPU_REGISTERS = 16,
  PROF_GPU_STATIC_SHARED = 17,
  PROF_GPU_DYNAMIC_SHARED = 18,
  PROF_GPU_LOCAL_BYTES = 19,
  PROF_GPU_GRAPH = 20,
  PROF_GPU_GRAPH_NODE = 21,
  PROF_GPU_BYTES = 22,
  PROF_GPU_KIND = 23,
  PROF_GPU_FROM = 24,
  PROF_GPU_TO = 25,
  PROF_GPU_FLAGS = 26,
  PROF_GPU_VALUE = 27,
  PROF_GPU_ADDRESS = 28,
  PROF_GPU_RESULT = 29,
  PROF_GPU_QUEUED = 30,
  PROF_GPU_SUBMITTED = 31,
  PROF_GPU_PEER = 32,
  PROF_GPU_MULTIPROCESSORS = 33,
  PROF_GPU_WARP_THREADS = 34,
  PROF_GPU_MAX_WARPS = 35,
  PROF_GPU_MAX_BLOCKS = 36,
  PROF_GPU_MAX_SHARED = 37,
  PROF_GPU_MAX_REGISTERS = 38,
  PROF_GPU_MEMORY_BYTES = 39,
  PROF_GPU_MEMORY_RATE = 40,
  PROF_GPU_CLOCK_RATE = 41,
  PROF_GPU_CAPABILITY = 42,
  PROF_GPU_DOMAIN = 43, /* for prof_trace_gpu_text */
  PROF_GPU_THING = 44,
  PROF_GPU_PARENT = 45,
  PROF_GPU_STACK = 46,
  PROF_GPU_UTILIZATION = 47,
  PROF_GPU_MEMORY_UTILIZATION = 48,
  PROF_GPU_POWER = 49,
  PROF_GPU_ENERGY = 50,
  PROF_GPU_CUBIN_ID = 51,
  PROF_GPU_COUNT = 52,
  PROF_GPU_ORIGIN = 53,
};
#define PROF_GPU_COLUMN_COUNT 54

#define PROF_GPU_CALL_NESTED 1u    /* PROF_GPU_FLAGS of a call */
#define PROF_GPU_RANGE_OPEN 1u     /* ... of a range */
#define PROF_GPU_WAIT_OF_STREAM 2u /* PROF_GPU_KIND of a wait: a stream waits for an event; the host goes on */

/* PROF_GPU_KIND of a name */
#define PROF_GPU_NAMED_THREAD 1u
#define PROF_GPU_NAMED_DEVICE 2u
#define PROF_GPU_NAMED_STREAM 3u
#define PROF_GPU_NAMED_REASON 4u /* of samples */

enum prof_gpu_figure { /* of GPU_STATUS */
                       PROF_GPU_DROPPED = 1,
                       PROF_GPU_UNTIMED = 2,
                       PROF_GPU_UNKNOWN = 3,
                       PROF_GPU_LOST_CALLS = 4,
                       PROF_GPU_LOST_RECORDS = 5,
                       PROF_GPU_HUNG = 6,
                       PROF_GPU_CLOCK_BRACKET = 7, /* ticks */
                       PROF_GPU_STALLED = 8,       /* ticks */
                       PROF_GPU_SAMPLES_ALL = 9,
                       PROF_GPU_SAMPLES_DROPPED = 10,
                       PROF_GPU_SAMPLES_FOREIGN = 11,
                       PROF_GPU_SAMPLES_FULL = 12,
                       PROF_GPU_CUBINS_LOST = 13,
                       PROF_GPU_SAMPLE_CYCLES = 14,
};
#define PROF_GPU_FIGURE_COUNT 15

struct prof_gpu_source { /* the collector of one process */
  uint32_t number;
  uint32_t process; /* index; PROF_NONE unknown */
  uint32_t pid;
  uint32_t library_version, driver_version; /* 0: not known */
  bool own_clock;                           /* times are of the recording's clock, not converted */
  uint64_t start_ticks;
  const char *library;                     /* path */
  uint64_t figures[PROF_GPU_FIGURE_COUNT]; /* by enum prof_gpu_figure */
};
const struct prof_gpu_source *prof_trace_gpu_sources(const struct prof_trace *, size_t *count);

/* A name of a source (index) by its number; "": none. */
const char *prof_trace_gpu_text(const struct prof_trace *, uint32_t source, uint64_t text);

struct prof_gpu_chunk_ref { /* in file order */
  uint64_t offset;
  uint64_t first_time, last_time; /* ticks; of records with a time */
  uint32_t source;                /* index */
  uint32_t record;                /* enum prof_gpu_record, or a later one */
  uint32_t count;
};
const struct prof_gpu_chunk_ref *prof_trace_gpu_chunks(const struct prof_trace *, size_t *count);

struct prof_gpu_cubin_ref { /* a GPU program with samples, in file order */
  uint64_t offset;          /* of its chunk */
  uint64_t cubin;           /* PROF_GPU_CUBIN_ID */
  uint32_t source;          /* index */
};
const struct prof_gpu_cubin_ref *prof_trace_gpu_cubins(const struct prof_trace *, size_t *count);

/* Its bytes, to be freed by the caller.  PROF_CORRUPT, PROF_NO_MEMORY. */
prof_status prof_gpu_cubin_load(const struct prof_trace *, size_t cubin, struct prof_diag *, uint8_t **bytes,
                                size_t *byte_count) PROF_MUST_CHECK;

/* One unpacked chunk.  Reused by the next load into the same object; one object per reading thread. */
struct prof_gpu_chunk {
  uint32_t source, record, count;
  const uint64_t *columns[PROF_GPU_COLUMN_COUNT]; /* by enum prof_gpu_column, `count` values each; never NULL */
  void *storage;
};
prof_status prof_gpu_chunk_load(const struct prof_trace *, size_t chunk, struct prof_diag *,
                                struct prof_gpu_chunk *) PROF_MUST_CHECK;
void prof_gpu_chunk_free(struct prof_gpu_chunk *); /* a zeroed object is fine */

#ifdef __cplusplus
}
#endif
#endif
