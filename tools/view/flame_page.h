/*
 * tools/view/flame_page.h - the SVG page around the frames of a flamegraph, and one frame.
 *
 * Used by flame_svg (a tree) and flame_change_svg (a comparison).  A page is begun, gets its frames, and is ended.  The
 * first frame is the whole picture's.  Texts may have any bytes: they are escaped here.
 */
#ifndef PROF_VIEW_FLAME_PAGE_H
#define PROF_VIEW_FLAME_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PROF_FLAME_COLOR_BYTES 8 /* "#rrggbb" and NUL */

struct prof_flame_page {
  FILE *file;
  bool icicle;     /* callers above callees */
  uint32_t levels; /* 1 or more */
  uint32_t height; /* set by begin */
};

struct prof_flame_box { /* a frame */
  const char *name;
  uint32_t depth;      /* 0: the whole */
  double begin, width; /* of the picture's width, 0 to 1 */
  char color[PROF_FLAME_COLOR_BYTES];
};

/* XML text, cut at so many columns; 0: not. */
void prof_flame_text(FILE *, const char *foreign, size_t most_columns);

/* legend: draws what stands between the head and the frames, in a line of its own; NULL: there is no such line. */
void prof_flame_page_begin(struct prof_flame_page *, const char *title, const char *subtitle,
                           void (*legend)(FILE *, double y));

/* The caller writes the frame's facts, one line of XML text, between the two. */
void prof_flame_box_begin(const struct prof_flame_page *, const struct prof_flame_box *);
void prof_flame_box_end(const struct prof_flame_page *, const struct prof_flame_box *);

/* The caller writes remarks about the whole picture, XML text, between the two. */
void prof_flame_page_foot(const struct prof_flame_page *);
void prof_flame_page_end(const struct prof_flame_page *);

/* Room for one frame more: its width, cut so that children stay within their parent's end; rounded parts may have a sum
 * slightly above the whole.  used: of the parent, grows. */
double prof_flame_room(double width, double parent_width, double *used);

extern const char prof_flame_script[]; /* made from flame_svg.js by the build */

#endif
