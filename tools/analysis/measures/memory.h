/*
 * tools/analysis/measures/memory.h - what did each place allocate, what lived at the peak, and what was left?
 *
 * In: a trace that was recorded with --memory.  Out: a row per place in the source (or per path), class of sizes, zone
 * or request, and totals.  realloc gives the old block back and allocates a new one of the whole size at its own place.
 * A block belongs to the place of its allocation, and lives until its process ends.  Bytes are those asked for.
 *
 * The filter chooses allocations: what is given back elsewhere or later is taken off all the same.
 */
#ifndef PROF_ANALYSIS_MEMORY_H
#define PROF_ANALYSIS_MEMORY_H

#include "analysis/measures/measured_place.h"
#include "tally/memory_tally.h"

#define PROF_MEMORY_MOST_MOMENTS 9

struct prof_memory_moment { /* what lived then */
  uint64_t bytes, calls;
  uint64_t low_bytes; /* the least that lived since the moment before: of sites, added up */
};

struct prof_memory_row {
  struct prof_measured_place place; /* of a zone: its name, file and line; else only by place */
  uint32_t node;                    /* by_path: its path; else of one of them */
  bool mapped;                      /* by mmap: not part of the heap */
  bool none;                        /* in no zone, of no request */
  uint64_t key;                     /* class of sizes; request */
  struct prof_memory_figures sum;
  struct prof_memory_moment at[PROF_MEMORY_MOST_MOMENTS];
};

struct prof_memory {
  struct prof_memory_row *rows;
  size_t count;
  struct prof_memory_figures sum, mapped; /* of the rows of the heap; of the others, which have a peak of their own */
  struct prof_memory_moment at[PROF_MEMORY_MOST_MOMENTS]; /* of the heap */
  uint64_t peak_ns;                                       /* of the heap's, since the start of the recording */
  uint64_t frees, unknown_frees; /* unknown: of blocks from before the recording, or of a parent process */
  uint64_t live_processes;       /* how many have a part in sum.live_bytes */
  /* Of a summary that had no room for more blocks: these are not followed, and have no part in live_ and peak_. */
  uint64_t unfollowed_calls, unfollowed_bytes;
  bool is_whole_peak; /* peak_: at the peak of all allocations, also those that the filter hides */
  bool recorded;      /* false: nothing was measured at all */
  struct prof_measured_paths paths;
};

enum prof_memory_sort {
  PROF_MEMORY_PEAK,
  PROF_MEMORY_LIVE,
  PROF_MEMORY_BYTES,
  PROF_MEMORY_CALLS,
  PROF_MEMORY_TEMPORARY,
  PROF_MEMORY_GROWTH, /* from the first moment to the last one */
};
extern const char *const prof_memory_sorts[]; /* words of all but the last one, NULL-terminated */

struct prof_memory_options {
  bool by_path; /* by place only */
  enum prof_memory_by by;
  enum prof_memory_sort sort;
  /* What lives at these times, which do not fall, ticks; at most PROF_MEMORY_MOST_MOMENTS. */
  const uint64_t *moments;
  size_t moment_count;
};

/* Texts live as long as the names and the source.  Free *out with prof_memory_free, after a failure too. */
prof_status prof_memory_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                             const struct prof_line_source *, const struct prof_memory_options *, struct prof_diag *,
                             struct prof_memory *out) PROF_MUST_CHECK;
void prof_memory_free(struct prof_memory *);

/* The times at which prof_memory_growing looks: from a quarter of what the filter shows to its last twelfth. */
void prof_memory_growth_moments(const prof_trace *, const struct prof_filter *,
                                uint64_t moments[PROF_MEMORY_MOST_MOMENTS]);
/* Keeps rows that only grow between these moments, by more than limit_bytes: those that grew most first.  A row only
 * grows if the least that lived between two moments never becomes less, and becomes more three times at least. */
void prof_memory_keep_growing(struct prof_memory *, uint64_t limit_bytes);

#endif
