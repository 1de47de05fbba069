/*
 * tools/analysis/measures/queries.h - which statements did each place run, how often, how long, with how many rows?
 *
 * In: a trace that was recorded with --io, of a program that uses SQLite's or PostgreSQL's library.  Out: a row per
 * statement and place in the source (or path), or per statement.  Statements differ by their text without values.
 */
#ifndef PROF_ANALYSIS_QUERIES_H
#define PROF_ANALYSIS_QUERIES_H

#include "analysis/measures/measured_place.h"
#include "tally/query_tally.h"

enum prof_query_group { PROF_QUERIES_BY_PLACE, PROF_QUERIES_BY_STATEMENT };
extern const char *const prof_query_groups[]; /* words, NULL-terminated */
enum prof_query_sort { PROF_QUERIES_TIME, PROF_QUERIES_CALLS, PROF_QUERIES_ROWS, PROF_QUERIES_P99 };
extern const char *const prof_query_sorts[];

struct prof_query_row {
  struct prof_measured_place place;         /* by place: where it ran, or was prepared; else its texts are "" */
  uint32_t node;                            /* by_path: its path */
  const char *statement;                    /* "": not known */
  const char *library;                      /* "sqlite", "postgresql" */
  uint64_t calls, failed, rows;             /* runs; failed: of them, whose rows are not known */
  uint64_t wait_ns, p50_ns, p99_ns, max_ns; /* of runs */
  uint64_t prepared, prepare_ns;            /* how often it was prepared, and how long that took */
};

struct prof_queries {
  struct prof_query_row *rows;
  size_t count;
  uint64_t calls, wait_ns, prepared, prepare_ns; /* of all rows */
  bool recorded;                                 /* false: nothing was measured at all */
  struct prof_measured_paths paths;
};

struct prof_query_options {
  enum prof_query_group group;
  enum prof_query_sort sort;
  bool by_path; /* by place only */
};

/* Texts live as long as trace, names and source.  Free *out with prof_queries_free, after a failure too. */
prof_status prof_queries_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                              const struct prof_line_source *, const struct prof_query_options *, struct prof_diag *,
                              struct prof_queries *out) PROF_MUST_CHECK;
void prof_queries_free(struct prof_queries *);

#endif
