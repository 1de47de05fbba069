/*
 * tools/view/fit.h - texts of a column cut to its width, so that no two different ones look the same.
 */
#ifndef PROF_VIEW_FIT_H
#define PROF_VIEW_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum prof_cut {
  PROF_CUT_MIDDLE, /* names */
  PROF_CUT_LEFT,   /* paths */
};

struct prof_fit_text {
  const char *text; /* as it was given; borrowed */
  size_t lead;      /* its first bytes are no part of the name (branches of a tree, an indent) */
  char *shown;      /* escaped and cut; for free(); NULL: no memory */
};

/*
 * Fills `shown` of each.  At most `width` columns; of a lead at most half.  Texts that are told apart by nothing else
 * end in "#2", "#3".
 */
void prof_fit_texts(struct prof_fit_text *, size_t count, enum prof_cut, size_t width, bool utf8);

#endif
