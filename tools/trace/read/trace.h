/*
 * tools/trace/read/trace.h - an opened trace, for the files of this folder.  Others use include/proftrace.h.
 *
 * prof_trace_open builds it.  Afterwards only the two counters marked below change.
 */
#ifndef PROF_TRACE_TRACE_H
#define PROF_TRACE_TRACE_H

#include "base/arena.h"
#include "base/index_map.h"
#include "base/vec.h"
#include "clock.h"
#include "proftrace.h"
#include "proftrace_pmu.h"
#include "proftrace_readings.h"
#include "trace/chunk_kinds.h"
#include "trace/format.h"

struct prof_setting {
  const char *key, *value;
  size_t bytes;
};

struct prof_gpu_text { /* sorted by source and number after all were taken */
  uint32_t source, number;
  const char *name;
};

struct prof_trace_map { /* sorted by process, begin and time */
  struct prof_map map;
  uint64_t reach; /* furthest end of this process's maps up to this one */
};

struct prof_trace_light {
  struct prof_light_slice slice;
  uint32_t thread; /* index */
};

struct prof_trace_readings { /* a vector; of one series */
  struct prof_reading *items;
  size_t count, capacity;
};

struct prof_trace {
  int fd;
  const uint8_t *memory;   /* the file's bytes; NULL: `fd` has them */
  struct prof_arena arena; /* names, settings */
  const char *path;
  struct prof_trace_info info;
  uint64_t first_chunk; /* offset */
  uint8_t id[16];       /* of the recording's session */
  struct prof_clock clock;
  bool has_clock;
  struct {
    uint64_t ticks, monotonic_ns;
  } last_clock;
  bool was_locked;      /* by its writer, before the file's size was read */
  uint64_t tail_bytes;  /* part of bytes_skipped: at the file's end */
  uint64_t lacks_bytes; /* missing bytes of the last chunk, if it has a header */
  struct prof_chunk_kinds kinds;
  PROF_VEC(struct prof_setting) settings;
  PROF_VEC(struct prof_module) modules;
  PROF_VEC(uint32_t) module_sites; /* first site of each module in `sites` */
  PROF_VEC(struct prof_function) functions;
  PROF_VEC(struct prof_site_info) sites;
  PROF_VEC(struct prof_loop) loops;
  PROF_VEC(struct prof_point) points;
  PROF_VEC(struct prof_process) processes;
  PROF_VEC(struct prof_thread_info) threads;
  PROF_VEC(struct prof_load) loads;       /* in file order */
  PROF_VEC(uint32_t) loads_by_site;       /* indices, by first_site */
  PROF_VEC(struct prof_site_info) called; /* of SITES chunks */
  PROF_VEC(const char *) notes;
  PROF_VEC(struct prof_file_name) files;
  PROF_VEC(struct prof_control_event) controls;
  PROF_VEC(struct prof_slice) slices;
  PROF_VEC(struct prof_count_block) counts;
  PROF_VEC(uint32_t) counts_sites; /* of each: the first site of its load */
  PROF_VEC(struct prof_chunk_ref) chunks;
  uint32_t *thread_chunks;
  struct prof_index_map module_index, process_index, thread_index, gpu_source_index;
  struct prof_index_map called_functions; /* numbers of SITES to functions */
  struct prof_index_map named_zones;      /* functions with FUNCTION_NAMED, by a hash of module and name */
  struct prof_index_map called_sites;     /* sites to `called` */
  PROF_VEC(struct prof_gpu_source) gpu_sources;
  PROF_VEC(struct prof_gpu_text) gpu_texts;
  PROF_VEC(struct prof_gpu_chunk_ref) gpu_chunks;
  PROF_VEC(struct prof_gpu_cubin_ref) gpu_cubins;
  PROF_VEC(struct prof_map) maps; /* in file order */
  PROF_VEC(struct prof_trace_map) maps_by_begin;
  PROF_VEC(struct prof_sample_chunk_ref) sample_chunks;
  PROF_VEC(struct prof_trace_light) light;        /* in file order; later sorted by thread and time */
  PROF_VEC(struct prof_light_slice) light_slices; /* sorted the same way */
  PROF_VEC(size_t) light_first;                   /* first one of each thread, and the end */
  struct prof_sampler sampler;
  bool has_sampler;
  PROF_VEC(struct prof_state_change) states; /* by time */
  PROF_VEC(struct prof_rate_change) rates;   /* likewise */
  PROF_VEC(struct prof_path) paths;
  PROF_VEC(struct prof_window_chunk_ref) window_chunks;
  struct prof_part part;
  bool has_part;
  const uint8_t *summary; /* payload of SUMMARY, in the arena; NULL: there is none */
  size_t summary_bytes;
  const uint8_t *measures; /* likewise of MEASURES */
  size_t measures_bytes;
  const uint8_t *tracks; /* likewise of TRACKS */
  size_t tracks_bytes;
  const uint8_t *pmu_sums; /* likewise of PMU_SUMS */
  size_t pmu_sums_bytes;
  PROF_VEC(struct prof_part_thread) part_threads;
  PROF_VEC(struct prof_reading_series) reading_series;
  PROF_VEC(struct prof_trace_readings) reading_values; /* of each */
  PROF_VEC(struct prof_pmu) pmus;
  PROF_VEC(struct prof_pmu_chunk_ref) pmu_chunks;
  PROF_VEC(uint64_t) packs;  /* offsets of PACK chunks */
  struct prof_damage damage; /* chunks_damaged and first_offset: changed with atomics by prof_chunk_load */
};

/* Defines the API's function that returns a vector of the trace. */
#define PROF_TRACE_GIVE(function, type, field)                                                                         \
  const type *function(const prof_trace *trace, size_t *count) {                                                       \
    if (count)                                                                                                         \
      *count = trace->field.count;                                                                                     \
    return trace->field.items;                                                                                         \
  }

/* ---- scan.c: the chunks of the file ---- */

/* Reads the file header: notes damage that can be skipped, else fails. */
prof_status prof_trace_header(struct prof_trace *, struct prof_diag *, uint64_t *first_chunk);
/* Takes every readable chunk from `offset` on; notes what it skipped. */
prof_status prof_trace_scan(struct prof_trace *, uint64_t offset, struct prof_diag *);
/* Reads one chunk header; false: no complete, valid header there. */
bool prof_trace_chunk_header(const struct prof_trace *, uint64_t offset, struct prof_format_chunk *);
/* Reads exactly `bytes` at offset; false: the file is shorter, or an error of the system. */
bool prof_trace_read(const struct prof_trace *, uint64_t offset, void *to, size_t bytes);
/* The next valid chunk header at or after `offset`; the file's size: none. */
#define PROF_TRACE_RESYNC_BYTES ((size_t)256 << 10) /* of a buffer for it */
uint64_t prof_trace_resync(const struct prof_trace *, uint64_t offset, uint8_t *buffer, size_t buffer_bytes);
/* From its header to the next one's. */
static inline uint64_t prof_trace_chunk_bytes(const struct prof_format_chunk *head) {
  return sizeof *head + head->packed_bytes + (-(uint64_t)head->packed_bytes & (PROF_FORMAT_ALIGNMENT - 1));
}
void prof_trace_note_damage(struct prof_trace *, uint64_t offset); /* counts a damaged chunk */

/* ---- progress.c: is the file still being written? ---- */

void prof_trace_settle_progress(struct prof_trace *); /* after all chunks were taken and time is known */

/* ---- tables.c: everything but events ---- */

/* Takes a table chunk's payload.  PROF_CORRUPT: it is malformed, nothing of it was taken. */
prof_status prof_trace_take_table(struct prof_trace *, const struct prof_format_chunk *, const uint8_t *payload);
/* Index of the thread or process with a number, made if needed; PROF_NONE: no memory. */
uint32_t prof_trace_thread(struct prof_trace *, uint32_t number);
uint32_t prof_trace_process(struct prof_trace *, uint32_t number);

/* A text of a payload as a C string, up to an embedded NUL; NULL: no memory, or the reader is bad. */
struct prof_byte_reader;
const char *prof_trace_take_text(struct prof_arena *, struct prof_byte_reader *);

/* ---- loop_tables.c: the loops of a module ---- */

prof_status prof_trace_take_loops(struct prof_trace *, struct prof_byte_reader *);

/* ---- point_tables.c: what the program of a module reports ---- */

prof_status prof_trace_take_points(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_named(struct prof_trace *, struct prof_byte_reader *);

/* ---- reading_tables.c: readings of the machine and of processes ---- */

prof_status prof_trace_take_readings(struct prof_trace *, struct prof_byte_reader *);
void prof_trace_settle_readings(struct prof_trace *); /* after all chunks were taken */
void prof_trace_free_readings(struct prof_trace *);

/* ---- pmu_tables.c: hardware counters ---- */

prof_status prof_trace_take_pmus(struct prof_trace *, struct prof_byte_reader *);
/* Keeps the offset of a PMU_SAMPLES chunk. */
prof_status prof_trace_take_pmu_samples(struct prof_trace *, uint64_t offset, const struct prof_format_chunk *);
void prof_trace_free_pmus(struct prof_trace *);

/* ---- gpu_tables.c: the chunks of GPU collectors ---- */

prof_status prof_trace_take_gpu_source(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_gpu_text(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_gpu_status(struct prof_trace *, struct prof_byte_reader *);
/* Keeps the offset of a GPU_RECORDS chunk. */
prof_status prof_trace_take_gpu_records(struct prof_trace *, uint64_t offset, const struct prof_format_chunk *);
/* Keeps the offset of a GPU_CUBIN chunk with this payload. */
prof_status prof_trace_take_gpu_cubin(struct prof_trace *, uint64_t offset, const uint8_t *payload, size_t bytes);
void prof_trace_gpu_index(struct prof_trace *); /* after all chunks were taken */
void prof_trace_gpu_fini(struct prof_trace *);

/* ---- sample_tables.c: maps, the sampler, samples and switches ---- */

prof_status prof_trace_take_map(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_sampler(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_light(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_rates(struct prof_trace *, struct prof_byte_reader *);
void prof_trace_index_rates(struct prof_trace *);    /* after all chunks were taken */
bool prof_trace_index_light(struct prof_trace *);    /* as prof_trace_index_maps */
void prof_trace_settle_sampler(struct prof_trace *); /* likewise */
/* Keeps the offset of a SAMPLES or SWITCHES chunk. */
prof_status prof_trace_take_samples(struct prof_trace *, uint64_t offset, const struct prof_format_chunk *);
bool prof_trace_index_maps(struct prof_trace *); /* after all chunks were taken; false: no memory */
void prof_trace_samples_fini(struct prof_trace *);

/* ---- burst_tables.c: states, paths, windows ---- */

prof_status prof_trace_take_states(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_paths(struct prof_trace *, struct prof_byte_reader *);
/* Keeps the offset of a WINDOWS chunk. */
prof_status prof_trace_take_windows(struct prof_trace *, uint64_t offset, const struct prof_format_chunk *);
void prof_trace_index_states(struct prof_trace *); /* after all chunks were taken */
void prof_trace_bursts_fini(struct prof_trace *);

/* ---- part_tables.c: of what this is a part ---- */

prof_status prof_trace_take_part(struct prof_trace *, struct prof_byte_reader *);
void prof_trace_settle_part(struct prof_trace *); /* after all chunks were taken: figures of threads */

/* ---- summary_tables.c: what was folded, in place of events ---- */

prof_status prof_trace_take_summary(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_measures(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_tracks(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_take_pmu_sums(struct prof_trace *, struct prof_byte_reader *);
prof_status prof_trace_settle_summary(struct prof_trace *); /* after all chunks were taken: figures of threads */

/* ---- pack_tables.c ---- */

/* Keeps the offset of a PACK chunk. */
prof_status prof_trace_take_pack(struct prof_trace *, uint64_t offset);

/* ---- unpack.c: payloads ---- */

struct prof_unpacker { /* buffers; all zero: empty */
  void *context;       /* ZSTD_DCtx */
  uint8_t *packed, *raw;
  size_t packed_capacity, raw_capacity;
};
/* Reads, checks and unpacks; 64 zero bytes follow the payload.  *payload lives until the next call. */
prof_status prof_unpack(struct prof_unpacker *, const struct prof_trace *, uint64_t offset,
                        const struct prof_format_chunk *, struct prof_diag *, const uint8_t **payload);
/* The same of a part: at least the first `wanted` bytes, or all; *got says how many there are. */
prof_status prof_unpack_begin(struct prof_unpacker *, const struct prof_trace *, uint64_t offset,
                              const struct prof_format_chunk *, size_t wanted, struct prof_diag *,
                              const uint8_t **payload, size_t *got);
/* The same for the chunk at `offset`, whose header was valid when the trace was opened; fills in *head. */
prof_status prof_unpack_at(struct prof_unpacker *, const struct prof_trace *, uint64_t offset,
                           struct prof_format_chunk *head, struct prof_diag *, const uint8_t **payload);
/* Reports a malformed chunk in the diagnostic.  status: PROF_CORRUPT, or PROF_NO_MEMORY. */
prof_status prof_unpack_wrong(const struct prof_trace *, uint64_t offset, prof_status, struct prof_diag *,
                              const char *what);
/* Reads and checks, without unpacking. */
prof_status prof_unpack_check(struct prof_unpacker *, const struct prof_trace *, uint64_t offset,
                              const struct prof_format_chunk *, struct prof_diag *);
void prof_unpacker_fini(struct prof_unpacker *);
#define PROF_UNPACK_PADDING 64

/* ---- index.c: order of chunks, runs, loads ---- */
prof_status prof_trace_index(struct prof_trace *, struct prof_diag *);

#endif
