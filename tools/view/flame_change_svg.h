/*
 * tools/view/flame_change_svg.h - a comparison as a differential flamegraph: one self-contained SVG file.
 *
 * Widths are those of the later profile, colours show how each frame's part changed: blue less, orange more, which
 * people of any colour vision tell apart.  What is only in the earlier profile has no width there: it stands beside it,
 * with its callers, in a frame of its own.
 */
#ifndef PROF_VIEW_FLAME_CHANGE_SVG_H
#define PROF_VIEW_FLAME_CHANGE_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/compare/comparison.h"
#include "view/units.h"

struct prof_flame_change_style { /* texts may have any bytes: they are escaped here */
  const char *title;
  const char *subtitle;
  const char *names[PROF_SIDES]; /* of the two profiles */
  enum prof_path_sums_unit units[PROF_SIDES];
  bool icicle;      /* callers above callees */
  uint32_t deepest; /* levels that are drawn, at least 1 */
};

/* after, gone: of the same comparison.  PROF_NO_MEMORY; the caller checks the file for errors (ferror). */
prof_status prof_flame_change_svg_write(FILE *, const struct prof_comparison *,
                                        const struct prof_comparison_tree *after,
                                        const struct prof_comparison_tree *gone,
                                        const struct prof_flame_change_style *) PROF_MUST_CHECK;

/* A weight for people: "1.20 ms", "1,234 samples". */
#define PROF_WEIGHT_TEXT_BYTES 64
const char *prof_weight_text(char out[PROF_WEIGHT_TEXT_BYTES], enum prof_path_sums_unit, double weight);

#endif
