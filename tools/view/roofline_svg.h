/*
 * tools/view/roofline_svg.h - loops between what memory and arithmetic allow, as an SVG picture.
 *
 * After S. Williams, A. Waterman, D. Patterson, "Roofline", CACM 52(4), 2009; bytes are those that instructions load
 * and store, wherever they lie (A. Ilic, F. Pratas, L. Sousa, "Cache-aware Roofline model", IEEE CAL 13(1), 2014).
 */
#ifndef PROF_VIEW_ROOFLINE_SVG_H
#define PROF_VIEW_ROOFLINE_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct prof_roofline_point {
  const char *name; /* any bytes */
  double intensity; /* operations per byte, above 0 */
  double rate;      /* operations per nanosecond, above 0 */
  double share;     /* of the time, 0 to 1: the size of its circle */
};

struct prof_roofline {
  const struct prof_roofline_point *points; /* at least one */
  size_t count;
  double peak_gflops, peak_gbytes; /* per second, both or none; 0: not known, no roof is drawn */
};

void prof_roofline_svg(FILE *, const struct prof_roofline *);

#endif
