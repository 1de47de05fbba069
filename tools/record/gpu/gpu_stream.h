/*
 * tools/record/gpu/gpu_stream.h - reads what GPU collectors write into their segments (wire/gpu.h).
 *
 * In: thread records of content PROF_THREAD_GPU.  Out: GPU_ chunks, notes, emptied segments, figures for the user.  An
 * uninstrumented process has no PROCESS record and gets one.  Used by the pump only.
 */
#ifndef PROF_RECORD_GPU_STREAM_H
#define PROF_RECORD_GPU_STREAM_H

#include "record/gpu/gpu_batch.h"
#include "record/region/channel.h"
#include "record/tables/process_table.h"

struct prof_gpu_stream {
  uint32_t index;         /* of its thread record */
  uint32_t segment, byte; /* next to read */
  pid_t pid, tid;
  bool unknowable; /* of another pid namespace */
  bool broken;     /* the chain is invalid, or a message malformed: not read further */
  uint64_t flushed_ns;
  struct prof_gpu_batch batch;
};

struct prof_gpu_sums { /* for the user, sums over all collectors */
  uint32_t collectors;
  uint64_t kernels, copies, sets, calls;
  uint64_t dropped, untimed, lost;
  char first_note[512]; /* "": none */
};

struct prof_gpu_streams {
  PROF_VEC(struct prof_gpu_stream) open; /* one per process that uses a GPU */
  struct prof_processes *processes;
  struct prof_gpu_sums sums;
};

/* Reads the live or ended record `index`; returns the number of messages. */
uint64_t prof_gpu_streams_serve(struct prof_gpu_streams *, const struct prof_channel_source *, uint32_t index,
                                enum prof_channel_depth);
/* Estimated size in the file of the records that wait for their chunk. */
uint64_t prof_gpu_streams_waiting_bytes(const struct prof_gpu_streams *);
void prof_gpu_streams_flush(struct prof_gpu_streams *); /* writes those */
/* Closes streams whose processes are gone; writes chunks of data that has waited since before `before_ns`. */
void prof_gpu_streams_reap(struct prof_gpu_streams *, const struct prof_channel_source *, uint64_t before_ns);
/* Reads and writes everything left, and frees all memory. */
void prof_gpu_streams_finish(struct prof_gpu_streams *, const struct prof_channel_source *);

#endif
