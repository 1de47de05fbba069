/*
 * tools/analysis/measures/io.h - what did each place read and write, from which file or endpoint, and how long did it
 * take?
 *
 * In: a trace that was recorded with --io.  Out: a row per place in the source (or path), file and operation; or per
 * file and operation, or per operation.
 */
#ifndef PROF_ANALYSIS_IO_H
#define PROF_ANALYSIS_IO_H

#include "analysis/measures/measured_place.h"
#include "tally/io_tally.h"

enum prof_io_group { PROF_IO_BY_PLACE, PROF_IO_BY_FILE, PROF_IO_BY_OPERATION };
extern const char *const prof_io_groups[]; /* words, NULL-terminated */
enum prof_io_sort { PROF_IO_TIME, PROF_IO_BYTES, PROF_IO_CALLS };
extern const char *const prof_io_sorts[];

#define PROF_IO_ERRORS_BYTES 80

struct prof_io_row {
  struct prof_measured_place place;         /* by place; else its texts are "" */
  uint32_t node;                            /* by_path: its path */
  const char *path;                         /* not by operation; "": not known */
  const char *operation;                    /* "read", ... */
  uint64_t calls, failed, bytes;            /* failed: of the calls */
  char errors[PROF_IO_ERRORS_BYTES];        /* of those, the most frequent first: "ENOENT, EACCES"; "": not known */
  uint64_t wait_ns, p50_ns, p99_ns, max_ns; /* of calls, from begin to end */
  uint64_t threads_ns;                      /* elapsed time of the threads that made them */
};

struct prof_io {
  struct prof_io_row *rows;
  size_t count;
  uint64_t calls, bytes, wait_ns; /* of all rows */
  bool recorded;                  /* false: nothing was measured at all */
  struct prof_measured_paths paths;
};

struct prof_io_options {
  enum prof_io_group group;
  enum prof_io_sort sort;
  bool by_path; /* by place only */
};

/* Texts live as long as trace, names and source.  Free *out with prof_io_free, after a failure too. */
prof_status prof_io_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                         const struct prof_line_source *, const struct prof_io_options *, struct prof_diag *,
                         struct prof_io *out) PROF_MUST_CHECK;
void prof_io_free(struct prof_io *);

#endif
