/*
 * tools/analysis/loop_work.h - how many floating-point operations did each loop do, and how many bytes did it load and
 * store?
 *
 * In: rows of loops, and the counters of functions compiled with flops=count (wire/work.h).  Out: an array beside the
 * rows that the caller frees.  Counters are of the whole recording, whatever the filter, and of a function's own code:
 * what it calls is not in them.
 */
#ifndef PROF_ANALYSIS_LOOP_WORK_H
#define PROF_ANALYSIS_LOOP_WORK_H

#include "analysis/loops.h"

struct prof_work_range { /* low == high: exact */
  uint64_t low, high;
};

struct prof_work_sum {
  struct prof_work_range flops, loaded, stored; /* operations, bytes, bytes */
  bool flops_open, bytes_open; /* some ran whose number is not known: a library's, or an asm statement's */
};

struct prof_loop_work {     /* of a row */
  bool known;               /* its function was counted */
  bool is_inexact;          /* any of `all` */
  struct prof_work_sum all; /* with the loops in it */
  struct prof_work_sum own; /* without those in it that have times */
  bool has_intensity;
  double intensity; /* operations per byte loaded or stored */
  bool has_rate;
  double rate; /* of `own`, by the loop's own running time: operations per nanosecond */
};

struct prof_loop_works {
  struct prof_loop_work *items; /* by row */
  struct prof_loop_work *of;    /* by function of the trace: its own code, loops included; no rate */
  size_t function_count;
  uint64_t functions; /* counted ones that were read; 0: none was compiled with flops=count */
  uint64_t damaged;   /* objects that could not be read */
};

prof_status prof_loop_works_make(const prof_trace *, const struct prof_loop_rows *, struct prof_diag *,
                                 struct prof_loop_works *out) PROF_MUST_CHECK;
void prof_loop_works_free(struct prof_loop_works *);

/* Are figures exact?  Else they are between bounds, or only the least is known. */
bool prof_work_is_exact(const struct prof_work_range *, bool open);

#endif
