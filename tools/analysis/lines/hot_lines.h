/*
 * tools/analysis/lines/hot_lines.h - the line of each function that costs most.
 *
 * Job: for `prof report`.  In: a profile with places, samples, a line source.  Out: one entry per function of the
 * profile: the line with most samples, in the function's own code or outside of it (outside.h); without samples, the
 * line whose calls took longest.
 */
#ifndef PROF_ANALYSIS_HOT_LINES_H
#define PROF_ANALYSIS_HOT_LINES_H

#include "estimate/profile.h"
#include "estimate/samples.h"
#include "study/line_source.h"

struct prof_hot_line {
  const char *file; /* NULL: not known; lives as long as the source */
  uint32_t line;
  bool sampled; /* by samples; else by calls */
  double share; /* of the function's samples, or of its total time; 0 to 1 */
};

struct prof_hot_lines {
  struct prof_hot_line *items; /* by function index; the last one: unknown functions */
  size_t count;
};

/* samples may be NULL.  PROF_NO_MEMORY with a diagnostic. */
prof_status prof_hot_lines_of(const struct prof_profile *, const struct prof_samples *, const struct prof_line_source *,
                              struct prof_diag *, struct prof_hot_lines *out) PROF_MUST_CHECK;
void prof_hot_lines_free(struct prof_hot_lines *);

#endif
