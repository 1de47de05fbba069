/*
 * tools/analysis/measures/memory.h - what did each place allocate, what lived at the peak, and what was left?
 *
 * In: a trace that was recorded with --memory.  Out: a row per place in the source (or per path), and totals.  realloc
 * gives the old block back and allocates a new one of the whole size at its own place.  A block belongs to the place of
 * its allocation  Bytes are those that were asked for.
 *
 * The filter chooses allocations: what is given back elsewhere or later is taken off all the same.
 */
#ifndef PROF_ANALYSIS_MEMORY_H
#define PROF_ANALYSIS_MEMORY_H

#include "analysis/measures/call_sites.h"

struct prof_memory_figures {
  uint64_t calls, bytes;
  uint64_t live_calls, live_bytes; /* not given back when the recording ended */
  uint64_t peak_bytes;             /* that lived when all shown allocations together had their peak */
  uint64_t temporary;              /* calls whose block was given back before the thread allocated another */
};

struct prof_memory_row {
  struct prof_measured_place place;
  uint32_t node; /* by_path: its path; else of one of them */
  bool mapped;   /* by mmap: not part of the heap */
  struct prof_memory_figures sum;
};

struct prof_memory {
  struct prof_memory_row *rows;
  size_t count;
  struct prof_memory_figures sum, mapped; /* of the rows of the heap; of the others, which have a peak of their own */
  uint64_t peak_ns;                       /* of the heap's, since the start of the recording */
  uint64_t frees, unknown_frees;          /* unknown: of blocks from before the recording, or of a parent process */
  bool recorded;                          /* false: nothing was measured at all */
  struct prof_measured_paths paths;
};

enum prof_memory_sort {
  PROF_MEMORY_PEAK,
  PROF_MEMORY_LIVE,
  PROF_MEMORY_BYTES,
  PROF_MEMORY_CALLS,
  PROF_MEMORY_TEMPORARY
};
extern const char *const prof_memory_sorts[]; /* words, NULL-terminated */

struct prof_memory_options {
  bool by_path;
  enum prof_memory_sort sort;
};

/* Texts live as long as the names and the source.  Free *out with prof_memory_free, after a failure too. */
prof_status prof_memory_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                             const struct prof_line_source *, const struct prof_memory_options *, struct prof_diag *,
                             struct prof_memory *out) PROF_MUST_CHECK;
void prof_memory_free(struct prof_memory *);

#endif
