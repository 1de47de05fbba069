/*
 * tools/view/flame_svg.h - a tree as a flamegraph: one self-contained SVG file.
 *
 * In: a tree of analysis/tree.h (forward or reversed) and names.  Out: SVG with its script inside.  Where scripts don't
 * run (an image viewer, a strict host) it is a still picture with tooltips.  Frames are laid out in percent of the
 * width.
 */
#ifndef PROF_VIEW_FLAME_SVG_H
#define PROF_VIEW_FLAME_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/tree.h"
#include "names/names.h"

struct prof_flame_style { /* texts may have any bytes: they are escaped here */
  const char *title;
  const char *subtitle;
  const char *top_name;           /* of the root frame */
  bool icicle;                    /* callers above callees */
  uint32_t deepest;               /* levels that are drawn, at least 1 */
  double min_share;               /* of the frames in the tree; narrower ones are counted in the picture */
  const char *const *extra_names; /* of frames whose function is >= first_extra; NULL: none */
  uint32_t first_extra;
  const char *extra_counts; /* singular noun for what they count, omitted if 0; NULL: calls */
};

/* Returns PROF_NO_MEMORY; the caller checks the file for errors (ferror). */
prof_status prof_flame_svg_write(FILE *, const struct prof_tree *, struct prof_names *,
                                 const struct prof_flame_style *) PROF_MUST_CHECK;

#endif
