/*
 * tools/analysis/lines/annotate.h - the costs of each line of a stretch of a file.
 *
 * Job: what `prof annotate` shows beside a source.  In: rows of lines.h, a file as they name it, the lines asked for.
 * Out: a line for each of these numbers, in order; those without cost are all zero.
 */
#ifndef PROF_ANALYSIS_ANNOTATE_H
#define PROF_ANALYSIS_ANNOTATE_H

#include "analysis/lines/lines.h"
#include "analysis/loops.h"

struct prof_annotated_line {
  uint32_t line;
  bool costs;                         /* anything at all */
  uint64_t samples, self_ns;          /* by samples: threads ran */
  uint64_t self_low_ns, self_high_ns; /* hold the true time in 95 of 100 cases */
  double self_share;                  /* as in lines.h */
  uint64_t calls, calls_ns;           /* of the kind of time that was asked for */
  struct prof_time_ns in_calls;
  uint64_t count;
  uint64_t readings, visits, measured_self_ns, measured_calls_ns; /* as in lines.h */
  uint64_t measured_low_ns, measured_high_ns;
  uint64_t iterations;     /* of the loops that begin on it */
  bool iterations_unknown; /* not all of them are */
};

struct prof_annotated {
  const char *function; /* NULL: a file, or part of one */
  const char *file;     /* as rows name it */
  struct prof_annotated_line *lines;
  uint32_t count;
  bool has_samples, has_counts, has_times; /* of any line of the program */
  bool has_loops;                          /* a loop that ran begins on some of these lines */
};

/* Lines first to last (at least first) of the file. PROF_NO_MEMORY with a diagnostic. */
prof_status prof_annotate_select(const struct prof_line_rows *, const char *file, uint32_t first, uint32_t last,
                                 struct prof_diag *, struct prof_annotated *out) PROF_MUST_CHECK;
void prof_annotated_free(struct prof_annotated *);
/* Fills in the iterations of the loops whose statement begins on each line. */
void prof_annotate_loops(struct prof_annotated *, const struct prof_loop_rows *, const struct prof_line_rows *);

/* The last line of the file that costs something; 0: none does.  *first: the first one. */
uint32_t prof_annotate_extent(const struct prof_line_rows *, const char *file, uint32_t *first);

/*
 * The file that `text` means: a path as rows have it, or its end from a slash on.  NULL: none, or (*ambiguous) several.
 */
const char *prof_annotate_file(const struct prof_line_rows *, const char *text, bool *ambiguous);

#endif
