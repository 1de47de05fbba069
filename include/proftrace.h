/*
 * proftrace.h - libproftrace: reading the traces that `prof record` writes.  Format: docs/trace-format.md.
 *
 * An opened trace is immutable and may be read by many threads at once.  All pointers that it gives out are
 * const and live until prof_trace_close.  Names and paths are bytes of other people's programs: escape them.
 * Memory grows with modules, threads and chunk headers (about 64 bytes per 128k events), never with events.
 */
#ifndef PROFTRACE_H
#define PROFTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"
#include "proftrace_bursts.h"
#include "proftrace_gpu.h"
#include "proftrace_pack.h"
#include "proftrace_samples.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_NONE UINT32_MAX /* no index */

typedef struct prof_trace prof_trace;

/*
 * Opens a recording: a folder with `trace` in it, or that file, or a folder with parts: the newest that has events.  A
 * damaged or cut trace opens as far as it can be read (see prof_trace_damage).  It fails with PROF_NOT_FOUND, PROF_IO,
 * PROF_NOT_A_TRACE, PROF_UNSUPPORTED and PROF_TRUNCATED (shorter than a header); *out is NULL then.  diag may be NULL.
 */
prof_status prof_trace_open(const char *path, struct prof_diag *diag, prof_trace **out) PROF_MUST_CHECK;
void prof_trace_close(prof_trace *); /* NULL: nothing */

/* ---- facts ---- */

struct prof_trace_info {
  const char *path;
  uint64_t file_bytes;
  uint64_t start_realtime_ns; /* since 1970, at start_ticks */
  uint64_t start_ticks;       /* time zero of every view */
  uint64_t frequency_hz;
  uint32_t clock_step_ticks;
  bool clock_invariant;
  bool clock_compared;       /* the cores' readings were compared */
  uint32_t clock_source;     /* 1 TSC, 2 CLOCK_MONOTONIC */
  uint32_t clock_skew_ticks; /* the cores' readings differ by at least this */
  const char *kernel_clock;  /* "": not known */
  /* of END; complete is false if it is missing */
  bool complete;
  bool in_progress; /* END is missing because the recorder still writes; else the recording was cut short */
  uint64_t age_ns;  /* of the newest data in the file, if opened in progress; else 0 */
  uint32_t end_reason;
  int wait_status;
  uint64_t wall_ns, user_ns, system_ns, recorder_cpu_ns;
  /* of the program and the children that it waited for; all 0: not known */
  uint64_t minor_faults, major_faults, waits, preemptions; /* waits, preemptions: it left a processor */
  uint64_t peak_bytes;                                     /* resident, of the largest of these processes */
  uint64_t events, lost;                                   /* sums over chunks and threads */
  uint64_t untimed;                                        /* of the events, those that read no clock */
  uint64_t last_ticks;                                     /* latest last_time of any chunk */
  uint64_t attach_ns; /* of END: CPU time that programs took to prepare their probes; 0: not known */
};
const struct prof_trace_info *prof_trace_info(const prof_trace *);

/* Setting by key (SETTINGS chunk), NULL: absent; *bytes (may be NULL) gets its length. */
const char *prof_trace_setting(const prof_trace *, const char *key, size_t *bytes);

struct prof_damage {
  uint64_t bytes_skipped;  /* bytes in no readable chunk, nor in one being written */
  uint64_t chunks_damaged; /* with a wrong checksum or structure; event chunks as far as they were loaded */
  uint64_t first_offset;   /* of the first damage; UINT64_MAX: none */
  bool cut;                /* the file ends inside a chunk, or END is missing; in progress too */
};
void prof_trace_damage(const prof_trace *, struct prof_damage *out);

/* Chunks that END counts and the file lacks: cut out, or too damaged to be found. */
struct prof_lacking {
  const char *kind;          /* as in docs/trace-format.md, "SAMPLES" */
  uint32_t missing, written; /* missing: at least 1 */
};
const struct prof_lacking *prof_trace_lacking(const prof_trace *, size_t *count);

struct prof_module { /* index: order of first appearance */
  uint32_t number;   /* in the file, from 1 */
  const char *path;
  const char *compiler; /* one per line */
  uint8_t build_id[20];
  uint32_t build_id_bytes;
  uint32_t first_function, function_count; /* those of its rows, contiguous */
  uint32_t site_count;
  uint32_t first_loop, loop_count; /* contiguous */
  uint32_t called_count;           /* functions that call the library (-finstrument-functions); they stand elsewhere */
};
struct prof_function { /* one per module and key; the same module in many processes is one */
  const char *name;    /* linkage name, in Fortran maybe a blank and the source's; "0x...": unknown */
  const char *file;    /* "" when unknown */
  uint32_t module;
  uint32_t line, statements, flags; /* flags: PROF_FUNCTION_ of wire/row.h; 0x20: a zone, with a name of its own;
                                       0x40: made at run time */
  uint16_t language;
  uint64_t key; /* of its facts */
};
struct prof_loop { /* flags: PROF_LOOP_ of wire/row.h */
  uint64_t key;
  const char *name; /* linkage name of its function in the source, if that was inlined; else "" */
  const char *file; /* "" when unknown */
  uint32_t module;
  uint32_t function;   /* index of the function that it was compiled into; PROF_NONE: unknown */
  uint32_t parent;     /* index of the loop around it; PROF_NONE: outermost */
  uint32_t depth;      /* 1: outermost */
  uint64_t iterations; /* of each entry, if constant; else 0 */
  uint32_t line, last_line, flags;
};
enum prof_point_kind {                            /* others are of a later version */
                       PROF_POINT_IS_MARK = 1,    /* a moment */
                       PROF_POINT_IS_FRAME = 2,   /* ends one frame of this name in its thread, and begins the next */
                       PROF_POINT_IS_COUNTER = 3, /* a value from now on */
                       PROF_POINT_IS_VALUE = 4,   /* a value of the call that is open */
                       PROF_POINT_IS_REQUEST = 5, /* the number of the request that the zone just entered works for */
                       PROF_POINT_IS_SPAN_BEGIN = 6, /* something with this number begins, */
                       PROF_POINT_IS_SPAN_END = 7,   /* and ends, maybe in another thread */
                       PROF_POINT_IS_ARGUMENT = 8,   /* of the call that is open; its site has the function */
                       PROF_POINT_IS_RETURNED = 9,   /* by the call that is open and ends now */
};
struct prof_point { /* what a program reports of itself; several of a module may have one name */
  const char *name;
  const char *unit; /* of its value; "": none */
  const char *file; /* "" when unknown */
  uint32_t module;
  uint32_t kind; /* enum prof_point_kind */
  uint32_t line;
};
struct prof_process {
  uint32_t number, parent; /* parent: index, PROF_NONE */
  uint32_t pid, ppid;
  uint64_t start_ticks;
  double event_cost_ticks;       /* cost of a probe right after another: the upper bound */
  double event_cost_among_ticks; /* cost among other work, which hides part of it; 0: not known */
  double count_cost_ticks;       /* of a call that is only counted, as event_cost_ticks; 0: none is */
  double count_cost_among_ticks;
  bool forked;
  bool sliced; /* recorded in prof_trace_slices only; else all the time */
  const char *executable;
};
struct prof_slice {                /* one after another within a process */
  uint32_t process;                /* index */
  uint64_t begin_ticks, end_ticks; /* 0: the process's begin, its end */
};
struct prof_thread_info {
  uint32_t number;
  uint32_t process; /* index */
  uint32_t tid;
  const char *name;
  uint64_t start_ticks, end_ticks;
  uint64_t lost, stalled_ticks, inversions, torn, unmatched, skipped;
  uint64_t events;                   /* in a part of a recording (prof_trace_part) also those that it lacks */
  uint64_t untimed;                  /* of these, those that read no clock; the others have a probe's cost */
  uint64_t cpu_ns, cpu_ticks;        /* CPU time used between start_ticks and cpu_ticks; 0, 0: not known */
  uint64_t moves;                    /* changes of core that were seen, some thousand events apart */
  uint64_t too_deep;                 /* calls beyond 65,536 levels; their time is their caller's */
  uint64_t left_out;                 /* events that a filter left out while recording; they had a probe's cost */
  uint64_t line_readings;            /* clock readings for lines (lines=time), between start_ticks and cpu_ticks */
  uint32_t first_chunk, chunk_count; /* into prof_trace_thread_chunks order */
  bool hidden;                       /* not to be shown: this recording is a part without it */
};
#define PROF_SITE_CALLED 0x20u /* the whole kind of a site that is a call, not a probe */
#define PROF_SITE_KIND_MASK 0xfu
enum prof_site_kind { /* kind & PROF_SITE_KIND_MASK, as in wire/row.h; its PROF_ROW_ flags stand above */
                      PROF_SITE_ENTRY = 1,
                      PROF_SITE_VALUE = 8, /* an argument or returned value of its function */
                      PROF_SITE_LOOP_ENTRY = 12,
                      PROF_SITE_LOOP_EXIT = 13,
                      PROF_SITE_LOOP_COUNT = 14,
};
#define PROF_SITE_ZONE 0x1000u        /* ENTRY: of a zone; LOOP_COUNT: of a point */
#define PROF_SITE_FLOAT 0x2000u       /* of a point: its values are doubles, as bits; */
#define PROF_SITE_UNSIGNED 0x4000u    /* they are unsigned; else they are signed */
#define PROF_SITE_SHOWN_MASK 0x70000u /* of an argument or returned value: what it is in the source */
#define PROF_SITE_BOOL 0x10000u
#define PROF_SITE_CHARACTER 0x20000u
#define PROF_SITE_ADDRESS 0x30000u
#define PROF_SITE_TEXT 0x40000u        /* its bytes, in several values (docs/trace-format.md, VALUE) */
#define PROF_SITE_WAS_FLOAT 0x50000u   /* a double that was a float */
#define PROF_SITE_COUNTS_ENTRIES 0x80u /* LOOP_COUNT: its values add to the loop's entries; else to its iterations */
struct prof_site_info {
  uint32_t function; /* index; PROF_NONE unknown */
  uint32_t loop;     /* index; PROF_NONE: of none, or unknown */
  uint32_t point;    /* likewise */
  uint32_t kind, line;
  uint64_t address; /* link-time */
  uint64_t begin;   /* of an entry: where its function's code begins; 0: not known */
};
struct prof_load {
  uint32_t process, module; /* indices */
  uint32_t first_site, site_count, skipped;
  uint64_t bias, begin, end;
};

/* count may be NULL, here and for every array of the trace. */
const struct prof_module *prof_trace_modules(const prof_trace *, size_t *count);
const struct prof_function *prof_trace_functions(const prof_trace *, size_t *count);
const struct prof_loop *prof_trace_loops(const prof_trace *, size_t *count);
const struct prof_point *prof_trace_points(const prof_trace *, size_t *count);
const struct prof_process *prof_trace_processes(const prof_trace *, size_t *count);
const struct prof_thread_info *prof_trace_threads(const prof_trace *, size_t *count);
const struct prof_load *prof_trace_loads(const prof_trace *, size_t *count);
const char *const *prof_trace_notes(const prof_trace *, size_t *count);
const struct prof_slice *prof_trace_slices(const prof_trace *, size_t *count);

/* How the recording was changed while it was made (`prof ctl`). */
enum prof_control_what { /* others are of a later version */
                         PROF_CONTROL_STOPPED = 1,
                         PROF_CONTROL_STARTED = 2,
                         PROF_CONTROL_OVERHEAD = 3,
                         PROF_CONTROL_FILTER = 4,
};
struct prof_control_event {
  uint64_t ticks;
  uint32_t what;    /* enum prof_control_what */
  const char *text; /* the budget, or the filters; "": none */
};
const struct prof_control_event *prof_trace_controls(const prof_trace *, size_t *count);

/* What a part of a longer recording shows (PART in docs/trace-format.md). */
struct prof_part_thread {
  uint32_t thread; /* number */
  bool hidden;
  uint64_t events, untimed; /* that the file lacks; the thread's figures include them */
  /* before the part began; the thread's figures are without them */
  uint64_t lost, stalled_ticks, inversions, torn, unmatched, skipped, too_deep, cpu_ns, moves, line_readings;
};
struct prof_part {
  uint64_t begin_ticks, end_ticks; /* 0: no limit; UINT64_MAX: no limit */
  const struct prof_part_thread *threads;
  uint32_t thread_count;
};
const struct prof_part *prof_trace_part(const prof_trace *); /* NULL: a whole recording */

/*
 * The payload of SUMMARY (docs/trace-format.md) of a recording that keeps no events: it has no chunks, and its threads'
 * figures come from there.  NULL: there is none.  *bytes (may be NULL) gets its length.
 */
const uint8_t *prof_trace_summary(const prof_trace *, size_t *bytes);
/* The same of MEASURES, sums of measures of such a recording. */
const uint8_t *prof_trace_measures(const prof_trace *, size_t *bytes);
/* The same of TRACKS, counters in time of such a recording. */
const uint8_t *prof_trace_tracks(const prof_trace *, size_t *bytes);
/* The same of PMU_SUMS, sums of samples of hardware counters of such a recording. */
const uint8_t *prof_trace_pmu_sums(const prof_trace *, size_t *bytes);

/* Names of files and endpoints that were read and written (MEASURE); a forked process has those of its parent too. */
struct prof_file_name {
  uint32_t process; /* index; PROF_NONE unknown */
  uint32_t file;    /* its number in the process */
  const char *name;
};
const struct prof_file_name *prof_trace_files(const prof_trace *, size_t *count);

/* A module's counters or times of lines, from its end or the last write. */
struct prof_count_block {
  uint32_t process, module; /* indices; PROF_NONE unknown */
  const uint8_t *objects; /* format: wire/counts.h, wire/times.h, docs/trace-format.md; any bytes in a damaged trace */
  size_t bytes;
};
const struct prof_count_block *prof_trace_counts(const prof_trace *, size_t *count);

/* Site id -> function or loop.  function is PROF_NONE for ids in no LOAD.  Cost: a binary search over loads. */
struct prof_site_info prof_trace_site(const prof_trace *, uint32_t site);

/* Low 32 bits of a return address in a process -> module index and link-time address; false when none fits. */
bool prof_trace_caller(const prof_trace *, uint32_t process, uint32_t caller, uint32_t *module, uint64_t *address);

/* Ticks since start_ticks -> nanoseconds; and a duration in ticks -> nanoseconds (rounded to nearest). */
uint64_t prof_trace_ns(const prof_trace *, uint64_t duration_ticks);
uint64_t prof_trace_ticks(const prof_trace *, uint64_t ns); /* the inverse */

/* ---- event chunks ---- */

#define PROF_CHUNK_RUN_BEGIN 1u /* the thread's first chunk, or the one after a hole */
#define PROF_CHUNK_RUN_END 2u   /* the thread's last readable chunk, or the one before a hole: close open frames */
#define PROF_CHUNK_RESUMED 4u   /* the frames listed were open before recording was switched off: no new calls */

struct prof_chunk_ref { /* in file order */
  uint64_t offset;
  uint64_t first_time, last_time; /* ticks */
  uint32_t thread;                /* index */
  uint32_t sequence;
  uint32_t events;
  uint32_t untimed; /* of them, those that read no clock */
  uint32_t flags;   /* PROF_CHUNK_ */
};
const struct prof_chunk_ref *prof_trace_chunks(const prof_trace *, size_t *count);
/* Chunk indices ordered by thread and sequence; a thread's are at [first_chunk, first_chunk + chunk_count). */
const uint32_t *prof_trace_thread_chunks(const prof_trace *);

struct prof_edge {
  uint32_t site, caller;
};
struct prof_frame {
  uint32_t edge;    /* index into the chunk's edges */
  uint64_t entry;   /* ticks */
  uint64_t stalled; /* ticks waited before entry */
};

/*
 * One unpacked chunk: columns as in the trace format, checked so that a cursor stays inside them.  The next load into
 * the same object reuses its buffer; one object per reading thread.
 */
struct prof_chunk {
  uint32_t event_count, edge_count, frame_count, frames_omitted;
  uint64_t base_time, stalled_before;
  const struct prof_edge *edges;
  const struct prof_frame *frames; /* outermost first */
  const uint8_t *ops;
  const uint8_t *codes;  /* NULL: all deltas lie in `deltas` */
  const uint32_t *table; /* values of codes other than 255; 256 entries */
  const uint8_t *lengths;
  const uint8_t *deltas; /* at least 8 readable bytes follow the column */
  const uint8_t *side, *side_end;
  uint32_t inversions;
  void *storage;
};
prof_status prof_chunk_load(const prof_trace *, size_t chunk, struct prof_diag *, struct prof_chunk *) PROF_MUST_CHECK;
/* The same without the events: only `edges` and `frames`; event_count is 0.  Several times as fast. */
prof_status prof_chunk_load_frames(const prof_trace *, size_t chunk, struct prof_diag *,
                                   struct prof_chunk *) PROF_MUST_CHECK;
void prof_chunk_free(struct prof_chunk *); /* a zeroed object is fine */

enum prof_op {                    /* what a step does to the stack */
               PROF_OP_EXIT = 0,  /* `count` + 1 frames are left; count > 0: EXIT_OUTER */
               PROF_OP_ENTRY,     /* `value`: edge index */
               PROF_OP_LANDED,    /* `count` frames are left */
               PROF_OP_UNMATCHED, /* `value`: site */
               PROF_OP_STALL_BEGIN,
               PROF_OP_STALL_END,
               PROF_OP_GAP,  /* `count`: events lost */
               PROF_OP_STOP, /* all frames are left */
               PROF_OP_NOTHING,
               PROF_OP_VALUE,   /* `value`: site, `count`: the value; docs/trace-format.md, VALUE and POINTS.  Site 0:
                                   `count` / 2 calls (odd: loops) in the innermost frame were left out */
               PROF_OP_MEASURE, /* a wrapped function was called; docs/trace-format.md, MEASURE.  `value`: operation,
                                   `count`: the caller's address, and two operands */
               PROF_OP_EXIT_AROUND, /* the frame around the `count` innermost ones is left; these stay open, each one
                                       level further out */
};
struct prof_step {
  enum prof_op op;
  uint32_t value;
  uint64_t count;
  uint64_t time;        /* ticks, stalls included */
  uint64_t operands[2]; /* MEASURE */
};
struct prof_cursor { /* a position in a chunk; initialise with prof_cursor_begin */
  const struct prof_chunk *chunk;
  uint32_t index;
  uint32_t escape; /* of the deltas that lie in `deltas` */
  uint64_t time;
  const uint8_t *delta, *side;
};
void prof_cursor_begin(struct prof_cursor *, const struct prof_chunk *);
/* Hasn't the step a probe's cost?  It read no clock, or is a wrapped function's. */
static inline bool prof_op_is_untimed(enum prof_op op) {
  return op == PROF_OP_VALUE || op == PROF_OP_NOTHING || op == PROF_OP_MEASURE;
}
/* false at the end.  prof_chunk_load has checked that all event_count events are there. */
bool prof_cursor_next(struct prof_cursor *, struct prof_step *);

#ifdef __cplusplus
}
#endif
#endif
