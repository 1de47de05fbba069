/*
 * tools/analysis/lines/annotate.h - the costs of each line of a part of a file.
 *
 * Job: the figures that `prof annotate` shows beside a source.  In: rows of lines.h, a file by the rows' name, a range
 * of lines.  Out: a line for each number, in order; all zero without cost.
 */
#ifndef PROF_ANALYSIS_ANNOTATE_H
#define PROF_ANALYSIS_ANNOTATE_H

#include "analysis/lines/lines.h"
#include "analysis/loops.h"

struct prof_annotated_line {
  uint32_t line;
  bool costs;                         /* any field is not 0 */
  uint64_t samples, self_ns;          /* by samples: time when threads ran */
  uint64_t self_low_ns, self_high_ns; /* the 95% confidence interval */
  double self_share;                  /* as in lines.h */
  uint64_t outside_ns;                /* likewise */
  uint64_t calls, calls_ns;           /* of the requested kind of time */
  bool calls_estimated;               /* these and in_calls, as in lines.h */
  struct prof_time_ns in_calls;
  uint64_t count;
  uint64_t readings, visits, measured_self_ns, measured_calls_ns; /* as in lines.h */
  uint64_t measured_low_ns, measured_high_ns;
  uint64_t iterations;     /* of the loops that begin on this line */
  bool iterations_unknown; /* some of them are not known */
  bool iterations_estimated;
};

struct prof_annotated {
  const char *function; /* NULL: a file, or a part of one */
  const char *file;     /* as in rows */
  struct prof_annotated_line *lines;
  uint32_t count;
  bool has_samples, has_counts, has_times, has_outside; /* on any line of the program */
  bool has_loops;                                       /* a loop that ran begins on one of these lines */
};

/* Lines first (at least 1) to last of the file.  PROF_NO_MEMORY with a diagnostic. */
prof_status prof_annotate_select(const struct prof_line_rows *, const char *file, uint32_t first, uint32_t last,
                                 struct prof_diag *, struct prof_annotated *out) PROF_MUST_CHECK;
void prof_annotated_free(struct prof_annotated *);
/* Sets the iterations of the loops whose statement begins on each line. */
void prof_annotate_loops(struct prof_annotated *, const struct prof_loop_rows *, const struct prof_line_rows *);

/* The last line of the file with a cost; 0: none.  *first: the first one. */
uint32_t prof_annotate_extent(const struct prof_line_rows *, const char *file, uint32_t *first);

/* The file that `text` names: a path as in rows, or its end after a slash.  NULL: none, or (*ambiguous) several. */
const char *prof_annotate_file(const struct prof_line_rows *, const char *text, bool *ambiguous);

#endif
