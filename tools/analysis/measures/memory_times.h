/*
 * tools/analysis/measures/memory_times.h - allocated memory over time: in parts of the time, and as curves.
 *
 * In: a trace that was recorded with --memory, and a filter, which chooses allocations as in memory.h.
 */
#ifndef PROF_ANALYSIS_MEMORY_TIMES_H
#define PROF_ANALYSIS_MEMORY_TIMES_H

#include "tally/memory_tally.h"

struct prof_memory_part { /* of the time: up to its end, which isn't in it */
  uint64_t end_ticks;
  uint64_t live_bytes;   /* of the heap, at its end */
  uint64_t peak_bytes;   /* most that lived in it at once */
  uint64_t mapped_bytes; /* by mmap, at its end */
  uint64_t calls, bytes; /* allocations of the heap in it */
  uint64_t freed_bytes;  /* given back in it, or left by processes that ended in it */
};

struct prof_memory_times {
  bool recorded;
  uint64_t peak_bytes, peak_ns; /* as in memory.h */
};

/* Fills parts, whose end_ticks are given and do not fall. */
prof_status prof_memory_times_fill(const prof_trace *, const struct prof_filter *, struct prof_memory_part *parts,
                                   size_t count, struct prof_diag *, struct prof_memory_times *out) PROF_MUST_CHECK;

struct prof_memory_point {
  uint32_t process;
  bool mapped;
  uint64_t time_ns; /* since the start of the recording */
  uint64_t bytes;   /* that live from then on */
};

extern const char *const prof_memory_curve_names[2]; /* of the heap, of what is mapped */

struct prof_memory_curves {
  PROF_VEC(struct prof_memory_point) points; /* by process and kind, then by time */
};

/* Of each process, what lives of the heap and of what is mapped; nothing after its end: at most about `most` points of
 * each: of equal parts of the time the largest value and the last one.  A recording without --memory has none, at no
 * cost.  To be freed in any case. */
prof_status prof_memory_curves_find(const prof_trace *, const struct prof_filter *, size_t most, struct prof_diag *,
                                    struct prof_memory_curves *) PROF_MUST_CHECK;
void prof_memory_curves_fini(struct prof_memory_curves *);

#endif
