/*
 * tools/analysis/compare/comparison.h - which call paths have more or less of the time than before?
 *
 * Job: two profiles merged path by path.  A function is matched by the key of its name: its clones and instances of a
 * template are one.  In: profiles, which must outlive the comparison.  Out: trees of paths with both weights.
 */
#ifndef PROF_ANALYSIS_COMPARISON_H
#define PROF_ANALYSIS_COMPARISON_H

#include "analysis/compare/key_table.h"
#include "import/path_sums.h"
#include "prof_status.h"

enum prof_side { PROF_BEFORE, PROF_AFTER };
#define PROF_SIDES 2

enum prof_comparison_form {
  PROF_COMPARISON_PATHS,   /* callers above callees */
  PROF_COMPARISON_REVERSE, /* functions by their own weight, with their callers below */
  PROF_COMPARISON_FLAT,    /* functions by their own weight, no callers: for profiles without call paths */
};

struct prof_comparison_options {
  enum prof_comparison_form form;
  bool absolute;    /* parts are of the weight after, on both sides: both count the same unit */
  double min_share; /* 0 to 1: nodes with a smaller part on both sides, and what is below them, are left out */
  uint32_t depth;   /* levels; 0: no limit */
};

struct prof_comparison_node {
  uint32_t parent;                            /* a smaller index; 0: the outermost ones */
  uint32_t depth;                             /* 1: outermost */
  const char *name;                           /* as the later profile has it; the key, if several names have it */
  double total[PROF_SIDES], self[PROF_SIDES]; /* in the unit of the side */
  double part[PROF_SIDES], self_part[PROF_SIDES];
  bool estimated[PROF_SIDES], self_estimated[PROF_SIDES]; /* of the totals, of the own weights */
  double change; /* of part, relative to the larger one: -1 is only before, 0 equal, 1 only after */
  double width;  /* part that the node has in its tree */
};

enum prof_comparison_of {
  PROF_COMPARISON_ALL,   /* width: the larger part */
  PROF_COMPARISON_AFTER, /* what is in the later profile; width: its part */
  PROF_COMPARISON_GONE,  /* what is only in the earlier one, and its callers; width: part of what is gone */
};

struct prof_comparison_tree { /* depth-first; siblings by weight after, then before, then name; [0] has the sums */
  struct prof_comparison_node *nodes;
  uint32_t count;
  uint64_t hidden; /* nodes left out because their parts were too small */
};

struct prof_merged_node { /* of prof_comparison; [0] is the parent of the outermost ones */
  uint32_t parent, key, depth;
  const char *name;
  bool met[PROF_SIDES];
  bool several; /* names of the later side differ, or those of its only side */
  double total[PROF_SIDES], self[PROF_SIDES];
  bool estimated[PROF_SIDES], self_estimated[PROF_SIDES];
  double gone; /* weight before of what is only before, here and below */
};

struct prof_comparison {
  struct prof_comparison_options options;
  double total[PROF_SIDES];
  struct prof_key_table keys;
  PROF_VEC(struct prof_merged_node) nodes; /* [0]: the whole */
  struct prof_index_map known;
};

/* Free *out with prof_comparison_free.  PROF_NO_MEMORY: nothing to free. */
prof_status prof_comparison_make(const struct prof_path_sums *before, const struct prof_path_sums *after,
                                 const struct prof_comparison_options *, struct prof_diag *,
                                 struct prof_comparison *out) PROF_MUST_CHECK;
void prof_comparison_free(struct prof_comparison *); /* may be zeroed */

/* The part of the whole that a weight of a side is. */
static inline double prof_comparison_part(const struct prof_comparison *comparison, enum prof_side which,
                                          double weight) {
  const double all = comparison->total[comparison->options.absolute ? PROF_AFTER : which];
  return all > 0 ? weight / all : 0;
}

/* A tree of it, which borrows names; free it with prof_comparison_tree_free. */
prof_status prof_comparison_select(const struct prof_comparison *, enum prof_comparison_of, struct prof_diag *,
                                   struct prof_comparison_tree *out) PROF_MUST_CHECK;
void prof_comparison_tree_free(struct prof_comparison_tree *);

#endif
