/*
 * tools/record/gpu/gpu_batch.h - collects the messages of one GPU collector into chunks of the trace.
 *
 * In: checked messages (wire/gpu.h).  Out: GPU_ chunks of the writer, which keeps its first error.  Used by gpu_stream.
 */
#ifndef PROF_RECORD_GPU_BATCH_H
#define PROF_RECORD_GPU_BATCH_H

#include "base/vec.h"
#include "gpu.h"
#include "record/gpu/gpu_symbols.h"
#include "trace/write/write_gpu.h"

struct prof_gpu_columns {
  uint64_t *values; /* PROF_GPU_COLUMN_COUNT columns of PROF_FORMAT_GPU_CHUNK_RECORDS each; NULL: none yet */
  uint32_t count;
};

struct prof_gpu_waiting_text {
  uint32_t text;
  char *name;
};

struct prof_gpu_parts {
  uint8_t *bytes; /* NULL: none */
  uint64_t cubin, total_bytes, have_bytes;
};

#define PROF_GPU_OWN_TEXTS 0x80000000u

struct prof_gpu_batch {
  prof_writer *writer;
  uint32_t source;
  struct prof_gpu_columns records[PROF_GPU_RECORD_COUNT];
  PROF_VEC(struct prof_gpu_waiting_text) texts;
  PROF_VEC(struct prof_gpu_waiting_text) named; /* all of them: any later frame may refer to them */
  struct prof_gpu_symbols symbols;
  struct prof_gpu_parts cubin; /* the program being assembled */
  uint32_t own_texts;          /* number of texts made here, from PROF_GPU_OWN_TEXTS on */
  uint64_t figures[PROF_GPU_FIGURE_COUNT], written[PROF_GPU_FIGURE_COUNT];
  uint64_t added[PROF_GPU_RECORD_COUNT]; /* records so far */
};

void prof_gpu_batch_init(struct prof_gpu_batch *, prof_writer *, uint32_t source);

/* Takes a message of record kind, of `bytes` bytes; false: an unknown record, or it is too short. */
bool prof_gpu_batch_record(struct prof_gpu_batch *, uint32_t record, const void *message, uint32_t bytes);
void prof_gpu_batch_text(struct prof_gpu_batch *, uint32_t text, const char *name);
void prof_gpu_batch_figures(struct prof_gpu_batch *, const struct prof_gpu_figures *);

/* Takes a part of a GPU program; `bytes` of the whole message.  False: it is malformed. */
bool prof_gpu_batch_cubin(struct prof_gpu_batch *, const struct prof_gpu_cubin_message *, uint32_t bytes);

/* Estimated size of the waiting data in the file, rather too large. */
uint64_t prof_gpu_batch_waiting_bytes(const struct prof_gpu_batch *);

/* Writes all waiting data. */
void prof_gpu_batch_flush(struct prof_gpu_batch *);
void prof_gpu_batch_fini(struct prof_gpu_batch *); /* drops waiting data */

#endif
