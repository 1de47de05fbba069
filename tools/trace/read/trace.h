/*
 * tools/trace/read/trace.h - an opened trace, for the files of this folder.  Others use include/proftrace.h.
 *
 * prof_trace_open builds it.  Then only the two counters that are marked so change.
 */
#ifndef PROF_TRACE_TRACE_H
#define PROF_TRACE_TRACE_H

#include "base/arena.h"
#include "base/index_map.h"
#include "base/vec.h"
#include "clock.h"
#include "proftrace.h"
#include "trace/chunk_kinds.h"
#include "trace/format.h"

struct prof_setting {
  const char *key, *value;
  size_t bytes;
};

struct prof_gpu_text { /* sorted by source and number once all are there */
  uint32_t source, number;
  const char *name;
};

struct prof_trace_map { /* sorted by process, begin and time */
  struct prof_map map;
  uint64_t reach; /* furthest end of this process's maps up to here */
};

struct prof_trace_light {
  struct prof_light_slice slice;
  uint32_t thread; /* index */
};

struct prof_trace {
  int fd;
  struct prof_arena arena; /* names, settings */
  const char *path;
  struct prof_trace_info info;
  struct prof_clock clock;
  bool has_clock;
  struct {
    uint64_t ticks, monotonic_ns;
  } last_clock;
  uint64_t tail_bytes;  /* of bytes_skipped: at the file's end */
  uint64_t lacks_bytes; /* of the chunk that the file ends in, if its header is there */
  struct prof_chunk_kinds kinds;
  PROF_VEC(struct prof_setting) settings;
  PROF_VEC(struct prof_module) modules;
  PROF_VEC(uint32_t) module_sites; /* first site of each module in `sites` */
  PROF_VEC(struct prof_function) functions;
  PROF_VEC(struct prof_site_info) sites;
  PROF_VEC(struct prof_loop) loops;
  PROF_VEC(struct prof_process) processes;
  PROF_VEC(struct prof_thread_info) threads;
  PROF_VEC(struct prof_load) loads;       /* in file order */
  PROF_VEC(uint32_t) loads_by_site;       /* indices, by first_site */
  PROF_VEC(struct prof_site_info) called; /* of SITES chunks */
  PROF_VEC(const char *) notes;
  PROF_VEC(struct prof_slice) slices;
  PROF_VEC(struct prof_count_block) counts;
  PROF_VEC(uint32_t) counts_sites; /* of each: the first site of its load */
  PROF_VEC(struct prof_chunk_ref) chunks;
  uint32_t *thread_chunks;
  struct prof_index_map module_index, process_index, thread_index, gpu_source_index;
  struct prof_index_map called_functions; /* numbers of SITES to functions */
  struct prof_index_map called_sites;     /* sites to `called` */
  PROF_VEC(struct prof_gpu_source) gpu_sources;
  PROF_VEC(struct prof_gpu_text) gpu_texts;
  PROF_VEC(struct prof_gpu_chunk_ref) gpu_chunks;
  PROF_VEC(struct prof_gpu_cubin_ref) gpu_cubins;
  PROF_VEC(struct prof_map) maps; /* in file order */
  PROF_VEC(struct prof_trace_map) maps_by_begin;
  PROF_VEC(struct prof_sample_chunk_ref) sample_chunks;
  PROF_VEC(struct prof_trace_light) light;        /* in file order, then by thread and time */
  PROF_VEC(struct prof_light_slice) light_slices; /* likewise sorted */
  PROF_VEC(size_t) light_first;                   /* of each thread, and one more */
  struct prof_sampler sampler;
  bool has_sampler;
  PROF_VEC(uint64_t) packs;  /* offsets of PACK chunks */
  struct prof_damage damage; /* chunks_damaged and first_offset: changed with atomics by prof_chunk_load */
};

/* The function of the API that gives a vector of the trace. */
#define PROF_TRACE_GIVE(function, type, field)                                                                         \
  const type *function(const prof_trace *trace, size_t *count) {                                                       \
    if (count)                                                                                                         \
      *count = trace->field.count;                                                                                     \
    return trace->field.items;                                                                                         \
  }

/* ---- scan.c: the chunks of the file ---- */

/* Reads the file header: damage that can be passed over is noted, the rest is refused. */
prof_status prof_trace_header(struct prof_trace *, struct prof_diag *, uint64_t *first_chunk);
/* Visits every readable chunk from `offset` on; notes what it passed over. */
prof_status prof_trace_scan(struct prof_trace *, uint64_t offset, struct prof_diag *);
/* One chunk header; false: no whole, right header there. */
bool prof_trace_chunk_header(const struct prof_trace *, uint64_t offset, struct prof_format_chunk *);
/* Exactly `bytes` at offset; false: the file is shorter, or the system refused. */
bool prof_trace_read(const struct prof_trace *, uint64_t offset, void *to, size_t bytes);
void prof_trace_note_damage(struct prof_trace *, uint64_t offset); /* one more damaged chunk */

/* ---- progress.c: is the file still being written? ---- */

void prof_trace_settle_progress(struct prof_trace *); /* once all chunks were seen and time is known */

/* ---- tables.c: everything but events ---- */

/* Takes a table chunk's payload.  PROF_CORRUPT: its structure is wrong, nothing of it was taken. */
prof_status prof_trace_take_table(struct prof_trace *, const struct prof_format_chunk *, const uint8_t *payload);
/* The thread or process of a number, made if it isn't known; PROF_NONE: no memory. */
uint32_t prof_trace_thread(struct prof_trace *, uint32_t number);
uint32_t prof_trace_process(struct prof_trace *, uint32_t number);

/* A text of a payload as a C string, which an embedded NUL ends; NULL: no memory, or the reader is bad. */
struct prof_byte_reader;
const char *prof_trace_take_text(struct prof_arena *, struct prof_byte_reader *);

/* ---- loop_tables.c: the loops of a module, as those above ---- */

prof_status prof_trace_take_loops(struct prof_trace *, struct prof_byte_reader *);

/* ---- gpu_tables.c: the chunks of GPU collectors, as those above ---- */

prof_status prof_trace_take_gpu_source(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_gpu_text(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_gpu_status(struct prof_trace *, struct prof_byte_reader *);
/* Notes where a GPU_RECORDS chunk stands. */
prof_status prof_trace_take_gpu_records(struct prof_trace *, uint64_t offset, const struct prof_format_chunk *);
/* Notes where a GPU_CUBIN chunk with this payload stands. */
prof_status prof_trace_take_gpu_cubin(struct prof_trace *, uint64_t offset, const uint8_t *payload, size_t bytes);
void prof_trace_gpu_index(struct prof_trace *); /* once all chunks were seen */
void prof_trace_gpu_fini(struct prof_trace *);

/* ---- sample_tables.c: maps, the sampler, samples and switches ---- */

prof_status prof_trace_take_map(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_sampler(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_light(struct prof_trace *, struct prof_byte_reader *);
bool prof_trace_index_light(struct prof_trace *);    /* as prof_trace_index_maps */
void prof_trace_settle_sampler(struct prof_trace *); /* likewise */
/* Notes where a SAMPLES or SWITCHES chunk stands. */
prof_status prof_trace_take_samples(struct prof_trace *, uint64_t offset, const struct prof_format_chunk *);
bool prof_trace_index_maps(struct prof_trace *); /* once all chunks were seen; false: no memory */
void prof_trace_samples_fini(struct prof_trace *);
/* ---- pack_tables.c ---- */

/* Notes where a PACK chunk stands. */
prof_status prof_trace_take_pack(struct prof_trace *, uint64_t offset);

/* ---- unpack.c: payloads ---- */

struct prof_unpacker { /* buffers; a zeroed one is empty */
  void *context;       /* ZSTD_DCtx */
  uint8_t *packed, *raw;
  size_t packed_capacity, raw_capacity;
};
/* Reads, checks and unpacks; 64 zero bytes follow the payload.  *payload lives until the next call. */
prof_status prof_unpack(struct prof_unpacker *, const struct prof_trace *, uint64_t offset,
                        const struct prof_format_chunk *, struct prof_diag *, const uint8_t **payload);
/* The same of the chunk at `offset`, whose header was right when the trace was opened; *head is filled in. */
prof_status prof_unpack_at(struct prof_unpacker *, const struct prof_trace *, uint64_t offset,
                           struct prof_format_chunk *head, struct prof_diag *, const uint8_t **payload);
/* Fills the diagnostic of a chunk whose bytes make no sense.  status: PROF_CORRUPT, or PROF_NO_MEMORY. */
prof_status prof_unpack_wrong(const struct prof_trace *, uint64_t offset, prof_status, struct prof_diag *,
                              const char *what);
/* Reads and checks only. */
prof_status prof_unpack_check(struct prof_unpacker *, const struct prof_trace *, uint64_t offset,
                              const struct prof_format_chunk *, struct prof_diag *);
void prof_unpacker_fini(struct prof_unpacker *);
#define PROF_UNPACK_PADDING 64

/* ---- index.c: order of chunks, runs, loads ---- */
prof_status prof_trace_index(struct prof_trace *, struct prof_diag *);

#endif
