/*
 * tools/analysis/loops.h - how often did each loop run, how many iterations had it, and what did they cost?
 *
 * Job: rows for `prof loops`, for the end of `prof report` and for annotated sources.  In: a profile that was folded
 * with loops.  Out: an array that the caller frees.
 *
 * A loop with probes has times; its self time is without calls and without loops in it that have times.  A loop in it
 * without probes may be counted, or follow from the one around it; its time is not known.  What isn't known is said to
 * be so.  Entries without iteration may go unseen (the compiler tests before the loop), so they stand apart: figures
 * per entry are of entries with at least one iteration.
 */
#ifndef PROF_ANALYSIS_LOOPS_H
#define PROF_ANALYSIS_LOOPS_H

#include "estimate/profile.h"
#include "names/names.h"

enum prof_loop_sort {
  PROF_LOOP_SORT_SELF = 0,
  PROF_LOOP_SORT_TOTAL, /* elapsed */
  PROF_LOOP_SORT_ENTRIES,
  PROF_LOOP_SORT_ITERATIONS,
  PROF_LOOP_SORT_EACH,    /* time per iteration */
  PROF_LOOP_SORT_RUNNING, /* own times of these kinds */
  PROF_LOOP_SORT_WAITING,
  PROF_LOOP_SORT_ELAPSED,
  PROF_LOOP_SORT_LINE, /* by file and line; all others descending, then so */
};

struct prof_loop_row {
  uint32_t loop;        /* index */
  uint32_t parent;      /* row of the loop around it; PROF_NONE: it is the outermost one that has a row */
  uint32_t level;       /* below such a one: 0, 1, ... */
  const char *function; /* that it was compiled into; these live as long as names and trace */
  const char *inlined;  /* that it stands in in the source, if it was inlined from there; else "" */
  const char *file;
  uint32_t line, last_line, depth;
  uint32_t flags; /* PROF_LOOP_ of wire/row.h */
  bool has_entries, has_iterations, has_mean, has_range, has_times, has_each;
  uint64_t entries, empty_entries;         /* has_entries; empty ones are among the entries */
  uint64_t iterations;                     /* has_iterations: as far as they were told */
  uint64_t unknown_entries;                /* entries that told nothing: cut off, or not begun here */
  uint64_t min_iterations, max_iterations; /* has_range: of an entry that isn't empty */
  double avg_iterations;                   /* has_mean: likewise */
  uint64_t total_ns, self_ns;              /* has_times, as all to max_ns: of the kind of time that was asked for */
  struct prof_time_ns total, self;         /* all kinds */
  uint64_t error_ns, min_ns, max_ns;       /* of total.elapsed; min, max: of an entry, has_extremes */
  bool has_extremes;                       /* false also where all entries began or ended in light slices */
  double each_ns;                          /* has_each: total elapsed time per iteration */
  double self_share, total_share;          /* of that kind of time of all threads shown, 0 to 1 */
};

/*
 * Nests stand together, outer loops before inner ones; nests by the greatest value among their loops.  never_entered:
 * loops with probes that did not run in what is shown; they and the loops in them have no row.
 */
struct prof_loop_rows {
  struct prof_loop_row *rows;
  size_t count;
  uint64_t never_entered;
};

prof_status prof_loops_rank(const struct prof_profile *, struct prof_names *, enum prof_time_kind, enum prof_loop_sort,
                            struct prof_diag *, struct prof_loop_rows *out) PROF_MUST_CHECK;
void prof_loops_free(struct prof_loop_rows *);

/* The loop with the most self time of that kind; NULL: none has times. */
const struct prof_loop_row *prof_loops_hottest(const struct prof_loop_rows *);

/*
 * Could the loop stand in this file, a path in full?  Compilers give a loop's file as it was on their command line
 * ("../src/app.c"), so that files of one name in several folders may all be it.
 */
bool prof_loop_may_be_in(const struct prof_loop_row *, const char *file);

#endif
