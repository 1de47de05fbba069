/*
 * tools/trace/format.h - docs/trace-format.md as C: the bytes of a trace file.
 *
 * The structs have no padding and are little-endian; a test compares them with the tables of the spec.  Change the spec
 * first.  Included by the readers and writers in tools/trace only.
 */
#ifndef PROF_TRACE_FORMAT_H
#define PROF_TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proftrace.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the structs below are copied from and to the file as they are: this needs a little-endian machine"
#endif

#define PROF_FORMAT_MAGIC "\x89PRF\r\n\x1a\n"
#define PROF_FORMAT_MAJOR 1
#define PROF_FORMAT_MINOR 2
#define PROF_FORMAT_FEATURES 0ull /* bits that this reader knows */

struct prof_format_file { /* "File header" */
  uint8_t magic[8];
  uint16_t major;
  uint16_t minor;
  uint32_t header_bytes;
  uint64_t features;
  uint64_t start_realtime_ns;
  uint8_t id[16];
  uint8_t reserved0[12];
  uint32_t header_crc;
};
_Static_assert(sizeof(struct prof_format_file) == 64, "file header is 64 bytes");

#define PROF_FORMAT_CHUNK_MAGIC 0x314b4e4843465250ull /* "PRFCHNK1" */
#define PROF_FORMAT_ALIGNMENT 8
#define PROF_FORMAT_EVENTS_RAW_LIMIT ((uint32_t)16 << 20)
#define PROF_FORMAT_TABLE_RAW_LIMIT ((uint32_t)256 << 20)
#define PROF_FORMAT_PACKED_SLACK ((uint32_t)64 << 10) /* packed_bytes may exceed the limit of raw_bytes by this */

struct prof_format_chunk { /* "Chunk header" */
  uint64_t magic;
  uint16_t kind;  /* enum prof_format_kind */
  uint16_t codec; /* enum prof_format_codec */
  uint32_t thread;
  uint32_t sequence;
  uint32_t events;
  uint64_t first_time;
  uint64_t last_time;
  uint32_t packed_bytes;
  uint32_t raw_bytes;
  uint32_t payload_crc;
  uint32_t flags; /* PROF_FORMAT_CHUNK_ */
  uint32_t untimed;
  uint32_t header_crc;
};
_Static_assert(sizeof(struct prof_format_chunk) == 64, "chunk header is 64 bytes");

#define PROF_FORMAT_CHUNK_LAST 1u
#define PROF_FORMAT_CHUNK_RESUMED 2u

enum prof_format_codec { PROF_FORMAT_STORED = 0, PROF_FORMAT_ZSTD = 1 };

enum prof_format_kind {
  PROF_FORMAT_SETTINGS = 1,
  PROF_FORMAT_CLOCK = 2,
  PROF_FORMAT_PROCESS = 3,
  PROF_FORMAT_MODULE = 4,
  PROF_FORMAT_LOAD = 5,
  PROF_FORMAT_THREAD = 6,
  PROF_FORMAT_EVENTS = 7,
  PROF_FORMAT_END = 8,
  PROF_FORMAT_NOTE = 9,
  PROF_FORMAT_SITES = 10,
  PROF_FORMAT_LOOPS = 11,
  PROF_FORMAT_MAP = 12,
  PROF_FORMAT_SAMPLER = 13,
  PROF_FORMAT_LIGHT = 14,
  PROF_FORMAT_SLICES = 15,
  PROF_FORMAT_SAMPLES = 16,
  PROF_FORMAT_SWITCHES = 17,
  PROF_FORMAT_PACK = 19,
  PROF_FORMAT_COUNTS = 18,
  PROF_FORMAT_FILE = 20,
  PROF_FORMAT_PMU = 21,
  PROF_FORMAT_PMU_SAMPLES = 22,
  PROF_FORMAT_MEASURES = 23,
  PROF_FORMAT_GPU_SOURCE = 32,
  PROF_FORMAT_GPU_TEXT = 33,
  PROF_FORMAT_GPU_RECORDS = 34,
  PROF_FORMAT_GPU_STATUS = 35,
  PROF_FORMAT_GPU_CUBIN = 36,
  PROF_FORMAT_STATES = 48,
  PROF_FORMAT_WINDOWS = 49,
  PROF_FORMAT_PATHS = 50,
  PROF_FORMAT_PART = 51,
  PROF_FORMAT_POINTS = 52,
  PROF_FORMAT_RATES = 53,
  PROF_FORMAT_CONTROL = 54,
  PROF_FORMAT_READINGS = 55,
  PROF_FORMAT_SUMMARY = 56,
  PROF_FORMAT_NAMED = 57,
  PROF_FORMAT_TRACKS = 58,
  PROF_FORMAT_PMU_SUMS = 59,
};

#define PROF_FORMAT_KINDS 64u /* kinds are below; END counts these */

enum prof_format_pack { /* parts of PACK */
                        PROF_FORMAT_PACK_LINES = 1,
                        PROF_FORMAT_PACK_SOURCE = 2,
};

#define PROF_FORMAT_CLOCK_INVARIANT 1u
#define PROF_FORMAT_CLOCK_COMPARED 2u
enum prof_format_clock { PROF_FORMAT_CLOCK_TSC = 1, PROF_FORMAT_CLOCK_OS = 2 };
#define PROF_FORMAT_READINGS_SUM 1u
#define PROF_FORMAT_READINGS_SERIES 64u /* of one chunk */
#define PROF_FORMAT_PROCESS_FORKED 1u
#define PROF_FORMAT_PMU_COUNTERS 256u /* in one chunk */
#define PROF_FORMAT_THREAD_ENDED 1u

struct prof_format_events { /* "EVENTS: the payload after unpacking" */
  uint32_t event_count;
  uint32_t edge_count;
  uint32_t frame_count;
  uint32_t frames_omitted;
  uint64_t base_time;
  uint64_t stalled_before;
  uint32_t edge_bytes;
  uint32_t frame_bytes;
  uint32_t op_bytes;
  uint32_t length_bytes;
  uint32_t delta_bytes;
  uint32_t side_bytes;
  uint32_t inversions;
  uint32_t table_bytes;
};
_Static_assert(sizeof(struct prof_format_events) == 64, "events header is 64 bytes");

#define PROF_FORMAT_FRAME_LIMIT 65536u
#define PROF_FORMAT_TABLE_LIMIT 255u     /* entries of the table column */
#define PROF_FORMAT_CODE_ESCAPE 255u     /* code of a delta that isn't in it */
#define PROF_FORMAT_CHUNK_EVENTS 131072u /* the encoder's chunks; a reader takes any number */

enum prof_format_op {
  PROF_FORMAT_OP_EXIT = 0,
  PROF_FORMAT_OP_LAST_EDGE = 253,
  PROF_FORMAT_OP_FAR_EDGE = 254,
  PROF_FORMAT_OP_SPECIAL = 255,
};

enum prof_format_special {
  PROF_FORMAT_EXIT_OUTER = 1,
  PROF_FORMAT_LANDED = 2,
  PROF_FORMAT_UNMATCHED = 3,
  PROF_FORMAT_STALL_BEGIN = 4,
  PROF_FORMAT_STALL_END = 5,
  PROF_FORMAT_GAP = 6,
  PROF_FORMAT_STOP = 7,
  PROF_FORMAT_TIME = 8,
  PROF_FORMAT_VALUE = 9,
  PROF_FORMAT_MEASURE = 10,
  PROF_FORMAT_EXIT_AROUND = 11,
};

/* The step of a special code, and which fields it has in the side column, in this order. */
struct prof_format_special_step {
  uint8_t op; /* enum prof_op */
  bool has_value, has_count, has_operands;
};

/* NULL: no such code. */
static inline const struct prof_format_special_step *prof_format_special_step(uint64_t code) {
  static const struct prof_format_special_step steps[] = {
      [PROF_FORMAT_EXIT_OUTER] = {PROF_OP_EXIT, false, true},
      [PROF_FORMAT_LANDED] = {PROF_OP_LANDED, false, true},
      [PROF_FORMAT_UNMATCHED] = {PROF_OP_UNMATCHED, true, false},
      [PROF_FORMAT_STALL_BEGIN] = {PROF_OP_STALL_BEGIN, false, false},
      [PROF_FORMAT_STALL_END] = {PROF_OP_STALL_END, false, false},
      [PROF_FORMAT_GAP] = {PROF_OP_GAP, false, true},
      [PROF_FORMAT_STOP] = {PROF_OP_STOP, false, false},
      [PROF_FORMAT_TIME] = {PROF_OP_NOTHING, false, true},
      [PROF_FORMAT_VALUE] = {PROF_OP_VALUE, true, true},
      [PROF_FORMAT_MEASURE] = {PROF_OP_MEASURE, true, true, true},
      [PROF_FORMAT_EXIT_AROUND] = {PROF_OP_EXIT_AROUND, false, true},
  };
  return code > 0 && code < sizeof steps / sizeof *steps ? &steps[code] : NULL;
}

struct prof_format_gpu_records { /* "GPU_RECORDS: the payload after unpacking"; then a prof_format_gpu_column each */
  uint32_t source;
  uint16_t record; /* enum prof_gpu_record, include/proftrace_gpu.h */
  uint16_t column_count;
  uint32_t record_count;
  uint32_t reserved0;
};
_Static_assert(sizeof(struct prof_format_gpu_records) == 16, "GPU records header is 16 bytes");

struct prof_format_gpu_column {
  uint16_t column; /* enum prof_gpu_column */
  uint16_t coding; /* enum prof_format_gpu_coding */
  uint32_t bytes;
};
_Static_assert(sizeof(struct prof_format_gpu_column) == 8, "GPU column header is 8 bytes");

enum prof_format_gpu_coding {
  PROF_FORMAT_GPU_SAME = 0,
  PROF_FORMAT_GPU_DIFFERENCE = 1,
  PROF_FORMAT_GPU_PLAIN = 2,
};

#define PROF_FORMAT_GPU_SOURCE_OWN_CLOCK 1u
#define PROF_FORMAT_GPU_CHUNK_RECORDS 16384u     /* the recorder's chunks; a reader takes up to the limit */
#define PROF_FORMAT_GPU_RECORDS_LIMIT (1u << 20) /* in one chunk */

#define PROF_FORMAT_MAP_OWN 1u
#define PROF_FORMAT_PART_HIDDEN 1u
#define PROF_FORMAT_SAMPLER_KERNEL 1u
#define PROF_FORMAT_SAMPLER_SWITCHES 2u
#define PROF_FORMAT_RATE_LACKS_SWITCHES 4u /* beside enum prof_sample_rate */

struct prof_format_samples { /* "SAMPLES and SWITCHES: the payload after unpacking" */
  uint32_t process;
  uint32_t tid;
  uint32_t record_count;
  uint32_t time_bytes;
  uint32_t address_bytes;
  uint32_t flag_bytes;
  uint32_t processor_bytes;
  uint32_t path_bytes;
};
_Static_assert(sizeof(struct prof_format_samples) == 32, "samples header is 32 bytes");

#define PROF_FORMAT_SAMPLES_LIMIT (1u << 20) /* records in one chunk */
#define PROF_FORMAT_WINDOWS_LIMIT (1u << 16) /* likewise */
#define PROF_FORMAT_PATHS_LIMIT (1u << 22)   /* numbers are below */

#endif
