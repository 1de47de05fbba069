/*
 * tools/view/fit.h - cuts a column's texts to its width, so that different ones look different.
 */
#ifndef PROF_VIEW_FIT_H
#define PROF_VIEW_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum prof_cut {
  PROF_CUT_MIDDLE, /* names of any kind */
  PROF_CUT_LEFT,   /* paths */
  PROF_CUT_RIGHT,  /* what begins with what matters */
  PROF_CUT_NAME,   /* functions: of C++ ones parameters go first, then template arguments, then outer scopes */
};

struct prof_fit_text {
  const char *text; /* borrowed */
  size_t lead;      /* bytes before the name (branches of a tree, an indent) */
  char *shown;      /* escaped and cut; to be freed; NULL: no memory */
};

/*
 * Fills `shown` of each: at most `width` columns, at most half of them for a lead.  Texts that look the same otherwise
 * end in "#2", "#3".
 */
void prof_fit_texts(struct prof_fit_text *, size_t count, enum prof_cut, size_t width, bool utf8);

#endif
