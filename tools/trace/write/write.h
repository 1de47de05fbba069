/*
 * tools/trace/write/write.h - writes a trace file.
 *
 * Job: the file DIR/trace, header first, then chunks in call order.  In: structs below, event payloads from encode.h.
 * Threads: several may call every function at once, except open and close.  Errors are sticky: the first one is kept,
 * the file is truncated to its last complete chunk, and all later calls return the error and write nothing.  Strings
 * with a length need no NUL; all pointers are borrowed for the call.
 */
#ifndef PROF_TRACE_WRITE_H
#define PROF_TRACE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"
#include "trace/format.h"

typedef struct prof_writer prof_writer;

struct prof_writer_options {
  int level;                  /* zstd level; 0: the default, 1 */
  uint64_t start_realtime_ns; /* 0: now */
  uint8_t id[16];             /* all zero: random */
  bool keeps_facts;           /* prof_writer_next will be called */
  uint64_t begin_ns;          /* of a ring's first lap */
  const char *name;           /* of the file; NULL: trace */
};

/*
 * Creates `directory`/trace, mode 0600, and writes the file header.  The folder must exist; a file (or link) of that
 * name must not: PROF_USAGE.  PROF_NOT_FOUND: no such folder; PROF_IO: the system refused; PROF_NO_MEMORY.  options may
 * be NULL.  *out is NULL on failure.
 */
prof_status prof_writer_open(const char *directory, const struct prof_writer_options *options, struct prof_diag *diag,
                             prof_writer **out) PROF_MUST_CHECK;

/*
 * Opens a trace's file to append.  It changes nothing, but fills the missing bytes of the last chunk
 * (prof_trace_lacks_bytes) and unaligned bytes at the end with zeros.  PROF_USAGE: another process writes to it.
 * Otherwise as prof_writer_open.
 */
prof_status prof_writer_append_to(const char *path, uint64_t lacks_bytes, struct prof_diag *,
                                  prof_writer **out) PROF_MUST_CHECK;

/*
 * The recording goes on in `directory`/trace, a new file: it begins with the facts written so far (names, processes,
 * where they were loaded, states), as far as they aren't of processes that are over.  The counts of bytes, events and
 * chunks begin anew.  Write END before.  Else as prof_writer_open, and the writer keeps the error.
 */
prof_status prof_writer_next(prof_writer *, const char *directory, uint64_t start_realtime_ns,
                             struct prof_diag *) PROF_MUST_CHECK;
/* What prevents the next file becomes the writer's error.  Returns it. */
prof_status prof_writer_give_up(prof_writer *, const struct prof_diag *);
/* A process has ended, and all that it wrote is written: later files need its facts for its children only. */
void prof_writer_process_over(prof_writer *, uint32_t process);

/* Closes the file and frees the writer (NULL: no effect).  Returns the first error of any call. */
prof_status prof_writer_close(prof_writer *, struct prof_diag *diag) PROF_MUST_CHECK;

prof_status prof_writer_error(prof_writer *, struct prof_diag *diag); /* the first error so far, or PROF_OK */
uint64_t prof_writer_bytes(const prof_writer *);                      /* length of the file */

/* Keeps `bytes` free after the end of the file, so that the last records can be written to a full disk: other chunks
 * that would use them fail.  Without effect if the file system can't allocate space.  Close frees the rest. */
void prof_writer_reserve(prof_writer *, uint64_t bytes);
/* Starts the last records: THREAD and END chunks may use the kept space, and are written even after an error, if they
 * fit. */
void prof_writer_last_records(prof_writer *);

/* Where the file is now; false: it was deleted.  folder: changed if it was moved. */
bool prof_writer_find(const prof_writer *, char *folder, size_t folder_bytes);

/* Leaves out each chunk that would pass `bytes`, and all chunks after it until the next call.  They are counted, and
 * are no errors.  UINT64_MAX, the default: no ceiling. */
void prof_writer_set_ceiling(prof_writer *, uint64_t bytes);
uint64_t prof_writer_left_out(prof_writer *);     /* chunks, over all ceilings */
uint64_t prof_writer_events(const prof_writer *); /* events in its EVENTS chunks */
int prof_writer_level(const prof_writer *);
#define PROF_WRITER_UNPACKED (-1) /* level: events are stored as they are */

/* A text with its length; prof_span("literal") in the normal case. */
struct prof_span {
  const char *text;
  size_t bytes;
};
struct prof_span prof_span(const char *text); /* NULL: empty */

struct prof_setting_record {
  const char *key;
  struct prof_span value;
};
struct prof_clock_record {
  uint64_t ticks, monotonic_ns, realtime_ns, frequency_hz;
  uint32_t step_ticks;
  uint32_t flags;  /* PROF_FORMAT_CLOCK_ */
  uint32_t source; /* PROF_FORMAT_CLOCK_TSC or _OS */
  uint32_t skew_ticks;
  struct prof_span kernel_clock;
};
struct prof_process_record {
  uint32_t process, parent, pid, ppid;
  uint64_t start_ticks;
  uint32_t event_cost; /* thousandths of a tick */
  uint32_t flags;      /* PROF_FORMAT_PROCESS_ */
  struct prof_span executable;
  uint32_t event_cost_among;
  uint32_t count_cost, count_cost_among;
};
struct prof_function_record {
  uint64_t key;
  uint32_t line, statements, flags;
  uint16_t language;
  struct prof_span name, file;
};
struct prof_site_record {
  uint64_t address;
  uint32_t kind, line;
  uint32_t function; /* index into the module's functions; UINT32_MAX unknown */
  uint64_t begin;    /* of an entry: where its function's code begins; 0: not known */
};
struct prof_module_record {
  uint32_t module;
  uint32_t build_id_bytes; /* at most 20 */
  const uint8_t *build_id;
  struct prof_span path, compiler;
  const struct prof_function_record *functions;
  uint32_t function_count;
  const struct prof_site_record *sites;
  uint32_t site_count;
};
struct prof_loop_record {
  uint64_t key;
  uint32_t function, parent; /* indices into the module's functions, these loops; UINT32_MAX unknown, none */
  uint64_t iterations;
  uint32_t line, last_line, flags, depth;
  struct prof_span name, file;
};
struct prof_loop_probe_record {
  uint32_t site; /* position among the module's sites */
  uint32_t loop; /* index */
};
struct prof_loops_record {
  uint32_t module;
  const struct prof_loop_record *loops;
  uint32_t loop_count;
  const struct prof_loop_probe_record *probes;
  uint32_t probe_count;
};
struct prof_point_record {
  uint32_t what; /* enum prof_point_class of wire/row.h */
  uint32_t line;
  struct prof_span name, unit, file;
};
struct prof_point_site_record {
  uint32_t site;  /* position among the module's sites */
  uint32_t point; /* index */
};
struct prof_points_record {
  uint32_t module;
  const struct prof_point_record *points;
  uint32_t point_count;
  const struct prof_point_site_record *sites;
  uint32_t site_count;
};
struct prof_load_record {
  uint32_t process, module, first_site, site_count;
  uint64_t bias, begin, end;
  uint32_t skipped;
};
struct prof_called_record { /* one entry of a SITES chunk */
  uint32_t site;
  uint64_t address;
  uint32_t number;
  struct prof_function_record function; /* strings are empty when the number was written before */
};
struct prof_sites_record {
  uint32_t process, module;
  const struct prof_called_record *called;
  uint32_t count;
};
struct prof_named_record { /* a point whose name was made at run time */
  uint32_t process, module, site;
  uint32_t kind, what; /* as of the row that a literal name has; enum prof_point_class */
  struct prof_span name;
};
struct prof_thread_record {
  uint32_t thread, process, tid;
  uint32_t flags; /* PROF_FORMAT_THREAD_ */
  uint64_t start_ticks, end_ticks, lost, stalled_ticks, inversions, torn, unmatched, skipped;
  struct prof_span name;
  uint64_t cpu_ns, cpu_ticks, moves, line_readings, too_deep, left_out;
};
struct prof_end_record {
  uint32_t reason, wait_status;
  uint64_t wall_ns, user_ns, system_ns, recorder_cpu_ns, events, lost;
  uint64_t minor_faults, major_faults, waits, preemptions, peak_bytes; /* all 0: not known, as attach_ns then */
  uint64_t attach_ns;
};
struct prof_counts_record {
  uint32_t process, first_site;
  struct prof_span objects;
};
struct prof_control_record {
  uint64_t ticks;
  uint32_t what; /* enum prof_control_what */
  struct prof_span text;
};
prof_status prof_writer_control(prof_writer *, const struct prof_control_record *);

struct prof_note_record {
  uint32_t process;
  uint32_t code;
  struct prof_span text;
};

struct prof_file_record { /* of input and output */
  uint32_t process, file;
  struct prof_span name;
};

struct prof_slice_record {
  uint64_t begin, end; /* ticks; 0: of the process */
};

prof_status prof_writer_settings(prof_writer *, const struct prof_setting_record *, uint32_t count);
prof_status prof_writer_clock(prof_writer *, const struct prof_clock_record *);
prof_status prof_writer_process(prof_writer *, const struct prof_process_record *);
prof_status prof_writer_module(prof_writer *, const struct prof_module_record *);
prof_status prof_writer_loops(prof_writer *, const struct prof_loops_record *);   /* after its module */
prof_status prof_writer_points(prof_writer *, const struct prof_points_record *); /* likewise */
prof_status prof_writer_load(prof_writer *, const struct prof_load_record *);
prof_status prof_writer_sites(prof_writer *, const struct prof_sites_record *);
prof_status prof_writer_named(prof_writer *, const struct prof_named_record *);
prof_status prof_writer_thread(prof_writer *, const struct prof_thread_record *);
prof_status prof_writer_end(prof_writer *, const struct prof_end_record *);
prof_status prof_writer_note(prof_writer *, const struct prof_note_record *);
prof_status prof_writer_file(prof_writer *, const struct prof_file_record *);
prof_status prof_writer_counts(prof_writer *, const struct prof_counts_record *);
prof_status prof_writer_slices(prof_writer *, uint32_t process, const struct prof_slice_record *, uint32_t count);

/* The number of chunks of each kind written so far. */
void prof_writer_kinds(prof_writer *, uint32_t counts[PROF_FORMAT_KINDS]);
/* Appends one chunk.  The caller sets kind, codec, thread, sequence, events, first_time, last_time, packed_bytes,
 * raw_bytes and flags in head; magic and checksums are set here. */
prof_status prof_writer_append(prof_writer *, struct prof_format_chunk *head, const void *packed);
prof_status prof_writer_memory(prof_writer *); /* no memory for a chunk becomes the writer's sticky error */

#endif
