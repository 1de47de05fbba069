/*
 * tools/decide/diff_table.h - the rows of two groups of runs, matched.  For diff.c.
 */
#ifndef PROF_DECIDE_DIFF_TABLE_H
#define PROF_DECIDE_DIFF_TABLE_H

#include "decide/diff_rows.h"

struct prof_diff_entry { /* a row of any run */
  size_t runs[2];        /* that have it */
  double share[2];       /* of running time, mean over runs */
  double waiting_share[2];
  uint32_t joined[2]; /* the entry whose figures are added to it on this side, as it was inlined there; PROF_NONE */
  enum prof_guess guess;
  uint32_t guess_entry; /* PROF_NONE: none */
  bool calls_unknown;   /* in one of the runs: then its cells have none, and times are of all calls */
  bool hidden;          /* its figures are in another entry */
};

struct prof_diff_table {
  const struct prof_run_group *groups;
  struct prof_run all; /* a row for each entry */
  PROF_VEC(struct prof_diff_entry) entries;
};

struct prof_diff_cell { /* of an entry in a run */
  bool present;
  uint64_t calls, events;
  double raw_ns, self_ns, waiting_ns, preempted_ns, median_ns, noise;
};

bool prof_diff_table_make(struct prof_diff_table *, const struct prof_run_group groups[2]); /* false: no memory */
void prof_diff_table_fini(struct prof_diff_table *);

/* Its row in a run; NULL: none. */
const struct prof_run_row *prof_diff_row_at(const struct prof_diff_table *, uint32_t entry, int side, size_t run);
/* With what is joined to it. */
struct prof_diff_cell prof_diff_cell(const struct prof_diff_table *, uint32_t entry, int side, size_t run);

/* Guesses what became of functions that only one side has: renamed, moved, inlined into their caller. */
void prof_diff_guess(struct prof_diff_table *);

#endif
