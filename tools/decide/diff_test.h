/*
 * tools/decide/diff_test.h - tests matched rows of two groups of runs.  For diff.c.
 */
#ifndef PROF_DECIDE_DIFF_TEST_H
#define PROF_DECIDE_DIFF_TEST_H

#include "decide/diff_table.h"
#include "statistics/two_groups.h"

struct prof_diff_tested {
  uint32_t entry, row; /* indices: of the table, of the difference's rows */
};
struct prof_diff_family { /* a PROF_VEC */
  struct prof_diff_tested *items;
  size_t count, capacity;
};

struct prof_diff_factors { /* the logarithm of what all rows of a run have in common; zeros until it is found */
  double *of[2];
};

/* False: no memory, here and below. */
bool prof_diff_factors_init(struct prof_diff_factors *, const struct prof_diff_table *);
/* Finds them by these rows, and tests them: the row "everything". */
bool prof_diff_factors_find(struct prof_diff_factors *, const struct prof_diff_table *, const struct prof_diff_family *,
                            const struct prof_diff_options *, struct prof_diff *);
void prof_diff_factors_fini(struct prof_diff_factors *);

/* The value of a row in a run that is tested, before any correction; 0: it has none. */
double prof_diff_value(const struct prof_diff_table *, uint32_t entry, enum prof_diff_metric, int side, size_t run);

/* Fills ratios and verdicts of the family's rows.  factors: NULL: none is removed. */
bool prof_diff_test(const struct prof_diff_table *, const struct prof_diff_family *, const struct prof_diff_factors *,
                    const struct prof_diff_options *, struct prof_diff *);
/* Fills ratios and verdicts of rows with these values, logarithms.  single: one row, which must be surer. */
bool prof_diff_test_plain(const struct prof_two_groups *, bool single, const struct prof_diff_options *,
                          struct prof_diff_row *const *rows, struct prof_diff *);
/* Fills the row of the whole program. */
bool prof_diff_test_program(const struct prof_diff_table *, const struct prof_diff_options *, struct prof_diff *);

#endif
