/*
 * tools/analysis/gpu/gpu_lines.h - at which source lines of kernels were the GPU's multiprocessors, and why did they
 * stall?
 *
 * Job: rows for `prof lines --gpu` and `prof annotate --gpu`.  In: a trace with GPU_SAMPLE records, a line source for
 * GPU programs.  Out: a row per kernel, file and line, with most samples first; their texts live as long as the trace,
 * the names and the source.
 *
 * The hardware samples a warp and reports what it waits for.  A reason has two counts: all samples, and samples where
 * the scheduler had nothing else to issue ("..._not_issued"): only these cost time.  Only the filter's range applies.
 */
#ifndef PROF_ANALYSIS_GPU_LINES_H
#define PROF_ANALYSIS_GPU_LINES_H

#include "fold/filter.h"
#include "names/names.h"
#include "proftrace.h"

enum prof_gpu_place {
  PROF_GPU_PLACE_FOUND = 0,
  PROF_GPU_PLACE_NO_CUBIN, /* its GPU program is not in the trace, or unreadable */
  PROF_GPU_PLACE_NO_LINES, /* it has no line information */
  PROF_GPU_PLACE_UNKNOWN,  /* it has line information, but not of this place */
};

struct prof_gpu_line_source { /* implemented by command/gpu_programs.c */
  void *context;
  /* File (as shown) and line of a place of a function (linkage name).  *file lives as long as the source. */
  enum prof_gpu_place (*find)(void *context, uint32_t source, uint64_t cubin, const char *function, uint64_t address,
                              const char **file, uint32_t *line);
};

struct prof_gpu_reason {
  const char *name; /* without the common prefix and suffix: "long_scoreboard" */
  uint64_t samples, idle;
};

struct prof_gpu_line_row {
  const char *file; /* "": not known */
  uint32_t line;    /* 0: not known */
  const char *kernel, *linkage;
  uint64_t samples, idle;            /* idle: nothing was issued */
  double share;                      /* of all samples of rows */
  size_t first_reason, reason_count; /* in `reasons`, most samples first */
};

struct prof_gpu_line_rows {
  struct prof_gpu_line_row *rows;
  size_t count;
  struct prof_gpu_reason *reasons;
  uint64_t samples;                                    /* of all rows */
  uint64_t no_cubin, no_lines, unknown;                /* part of `samples` without a line */
  uint64_t taken, dropped, foreign, full, cubins_lost; /* as the library reported */
  uint64_t cycles;                                     /* between two samples of a multiprocessor; 0: not known */
  uint64_t damaged;                                    /* unreadable chunks */
};

/* PROF_EMPTY: there are no samples; PROF_NO_MEMORY.  Both with a diagnostic. */
prof_status prof_gpu_lines_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                                const struct prof_gpu_line_source *, struct prof_diag *,
                                struct prof_gpu_line_rows *out) PROF_MUST_CHECK;
void prof_gpu_lines_free(struct prof_gpu_line_rows *);

#endif
