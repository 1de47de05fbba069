/*
 * gpu/keep.h - writes CUPTI's data unchanged to a file, to replay it without a GPU (test/gpu).
 *
 * $PROF_GPU_KEEP_BUFFERS is a folder that gets PID.buffers: entries one after another, each a struct prof_keep_head and
 * `bytes` bytes (a multiple of 8) by its kind.  Numbers have the machine's byte order.  The format is internal and may
 * change.  Threads: any; does nothing unless the variable is set.
 */
#ifndef PROF_GPU_KEEP_H
#define PROF_GPU_KEEP_H

#include "library.h"

struct prof_keep_head {
  uint32_t kind, bytes;
};

enum prof_keep_kind {
  PROF_KEEP_START = 1,  /* u32 library version, u32 1: times of records are those of calls */
  PROF_KEEP_STRIDE = 2, /* u32 kind of record, u32 its bytes */
  PROF_KEEP_CALL = 3,   /* struct prof_keep_call, then at ABI_ENTER the function's name NUL */
  PROF_KEEP_TEXT = 4,   /* u64 address, then the text NUL that records point to; before their buffer */
  PROF_KEEP_BUFFER = 5, /* u64 bytes, then records */
};

struct prof_keep_call {
  uint32_t domain, id, site, correlation, thread, reserved;
  uint64_t time; /* ticks */
};

void prof_gpu_keep_begin(uint32_t library_version, bool own_clock);
void prof_gpu_keep_stride(int kind, size_t bytes);
void prof_gpu_keep_call(int domain, uint32_t id, const struct abi_callback_data *);
void prof_gpu_keep_buffer(const struct prof_gpu_library *, uint8_t *buffer, size_t valid_bytes);

#endif
