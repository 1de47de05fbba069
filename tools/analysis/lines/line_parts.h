/*
 * tools/analysis/lines/line_parts.h - sums of costs per line, and per function on that line.
 *
 * For lines.c.  A part is a function's share of a line; a line has at least one part.  Both are found by text.
 */
#ifndef PROF_ANALYSIS_LINE_PARTS_H
#define PROF_ANALYSIS_LINE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index_map.h"
#include "base/vec.h"
#include "estimate/interval.h"
#include "estimate/time_kind.h"

struct prof_line_cost {
  struct prof_weighted met;     /* samples, in ticks of self time */
  struct prof_weighted outside; /* the same of samples that it led to (outside.h) */
  uint64_t calls, calls_ticks, count, gpu_ticks;
  bool estimated;                  /* calls and calls_ticks, or parts of them */
  struct prof_off_ticks calls_off; /* parts of calls_ticks */
  uint64_t cold_ticks;             /* of calls in cold paths: of the place with the most time */
  struct prof_off_ticks cold_off;
  struct prof_off_ticks off;                  /* self time of functions when they didn't run; its line is not known */
  uint64_t visits, readings;                  /* of lines that were timed (line_times.h) */
  double measured_ticks, measured_cost_ticks; /* their self time, with readings, and the readings' part of it */
  double measured_most_ticks;                 /* upper bound of the readings' part */
  double measured_calls_ticks, measured_calls_cost_ticks;
};

struct prof_line { /* calls_ticks: nested calls count once */
  const char *file;
  uint32_t line;
  uint32_t first_part; /* the newest; the others follow by `next` */
  uint32_t inside;     /* how often it is on the path to the current node */
  struct prof_line_cost cost;
};

struct prof_line_part {
  const char *function;
  uint32_t line; /* index */
  uint32_t next; /* UINT32_MAX: last */
  struct prof_line_cost cost;
};

struct prof_line_parts { /* all zero: empty */
  PROF_VEC(struct prof_line) lines;
  PROF_VEC(struct prof_line_part) parts;
  struct prof_index_map known; /* lines */
};

void prof_line_parts_fini(struct prof_line_parts *);

/* Index of the part, made if needed; texts are borrowed.  With line 0 each function is a separate line.  UINT32_MAX: no
 * memory. */
uint32_t prof_line_part_of(struct prof_line_parts *, const char *file, uint32_t line, const char *function);
/* Index of the line; UINT32_MAX: not there. */
uint32_t prof_line_parts_find(const struct prof_line_parts *, const char *file, uint32_t line, const char *function);

#endif
