/*
 * tools/trace/write/write_gpu.h - writes the chunks of GPU collectors: sources, names, records in columns, counts.
 *
 * Rules as in write.h: errors are sticky, pointers are borrowed for the call.
 */
#ifndef PROF_TRACE_WRITE_GPU_H
#define PROF_TRACE_WRITE_GPU_H

#include "proftrace_gpu.h"
#include "write.h"

struct prof_gpu_source_record {
  uint32_t source, process, pid, library_version, driver_version;
  uint32_t flags; /* PROF_FORMAT_GPU_SOURCE_ */
  uint64_t start_ticks;
  struct prof_span library;
};
struct prof_gpu_text_record {
  uint32_t text;
  struct prof_span name;
};

prof_status prof_writer_gpu_source(prof_writer *, const struct prof_gpu_source_record *);
prof_status prof_writer_gpu_texts(prof_writer *, uint32_t source, const struct prof_gpu_text_record *, uint32_t count);

/* A GPU program with samples, once per source and number. */
prof_status prof_writer_gpu_cubin(prof_writer *, uint32_t source, uint64_t cubin, const void *bytes,
                                  uint32_t byte_count);

/* Writes the figures that aren't 0. */
prof_status prof_writer_gpu_status(prof_writer *, uint32_t source, const uint64_t figures[PROF_GPU_FIGURE_COUNT]);

/* Writes a chunk of `count` records (1 to PROF_FORMAT_GPU_CHUNK_RECORDS).  columns: by enum prof_gpu_column; NULL: all
 * zero.  Omits columns of zeros. */
prof_status prof_writer_gpu_records(prof_writer *, uint32_t source, enum prof_gpu_record,
                                    const uint64_t *const columns[PROF_GPU_COLUMN_COUNT], uint32_t count);

#endif
