/*
 * tools/view/flame_page.c - see flame_page.h.
 */
#include "flame_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "width.h"

#define FRAME_HEIGHT 17
#define TOP 58
#define LEGEND 24 /* more, with a legend */
#define BOTTOM 50 /* the bar: facts of the frame under the mouse, and the search */
#define SIDE_PERCENT 1.0
#define STILL_WIDTH 1200.0   /* pixels assumed for a viewer without scripts */
#define CHARACTER_WIDTH 7.25 /* of 12 px monospace */
#define LONGEST_NAME 2000    /* bytes of a name that go into the file */

/* XML text: escapes for terminals first (no control bytes are left), then for XML. */
void prof_flame_text(FILE *file, const char *foreign, size_t most_columns) {
  char *text = prof_text_escaped(foreign);
  if (!text)
    return;
  if (strlen(text) > LONGEST_NAME)
    prof_text_cut(text, LONGEST_NAME, true);
  if (most_columns)
    prof_text_cut(text, most_columns, true);
  for (const char *at = text; *at; at++) {
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *found = strchr(special, *at);
    if (found)
      fputs(entities[found - special], file);
    else if (!strncmp(at, "\xef\xbf\xbe", 3) || !strncmp(at, "\xef\xbf\xbf", 3)) /* no characters in XML */
      at += 2;
    else
      putc(*at, file);
  }
  free(text);
}

double prof_flame_room(double width, double parent_width, double *used) {
  if (*used + width > parent_width)
    width = parent_width > *used ? parent_width - *used : 0;
  *used += width;
  return width;
}

void prof_flame_box_begin(const struct prof_flame_page *page, const struct prof_flame_box *box) {
  fputs("<g class=\"f\"><title>", page->file);
  prof_flame_text(page->file, box->name, 0);
  putc('\n', page->file);
}

void prof_flame_box_end(const struct prof_flame_page *page, const struct prof_flame_box *box) {
  FILE *file = page->file;
  const uint32_t row = page->icicle ? box->depth : page->levels - 1 - box->depth;
  fprintf(file, "</title><rect x=\"%.4f%%\" y=\"%" PRIu32 "\" width=\"%.4f%%\" height=\"%d\" fill=\"%s\"/>",
          box->begin * 100, row * FRAME_HEIGHT, box->width * 100, FRAME_HEIGHT - 1, box->color);
  double room = (box->width * STILL_WIDTH * (1 - 2 * SIDE_PERCENT / 100) - 6) / CHARACTER_WIDTH;
  if (room >= 3) {
    /* A viewport of its own clips the label at the frame's edges, whatever the font. */
    fprintf(file, "<svg x=\"%.4f%%\" y=\"%" PRIu32 "\" width=\"%.4f%%\" height=\"%d\"><text x=\"3\" y=\"12\">",
            box->begin * 100, row * FRAME_HEIGHT, box->width * 100, FRAME_HEIGHT - 1);
    prof_flame_text(file, box->name, (size_t)room);
    fputs("</text></svg>", file);
  }
  fputs("</g>\n", file);
}

void prof_flame_page_begin(struct prof_flame_page *page, const char *title, const char *subtitle,
                           void (*legend)(FILE *, double y)) {
  FILE *file = page->file;
  const uint32_t top = TOP + (legend ? LEGEND : 0);
  page->height = top + page->levels * FRAME_HEIGHT + BOTTOM;
  fprintf(
      file,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" height=\"%" PRIu32 "\" font-size=\"12\" "
      "font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" fill=\"#1c2128\">\n"
      "<style>.f,.button{cursor:pointer}.f:hover rect,.f.here rect{stroke:#1c2128;stroke-width:1}"
      ".f.above rect{opacity:.55}.f.match rect{fill:#d63384}.f.match text{fill:#fff}"
      ".f text{pointer-events:none}.f:focus{outline:none}.button:hover{text-decoration:underline}</style>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<text x=\"1%%\" y=\"24\" font-size=\"16\" "
      "font-weight=\"bold\">",
      page->height);
  prof_flame_text(file, title, 400);
  fputs("</text>\n<text x=\"1%\" y=\"44\" fill=\"#57606a\">", file);
  prof_flame_text(file, subtitle, 600);
  fputs("</text>\n", file);
  if (legend)
    legend(file, TOP - 6);
  fprintf(file, "<svg id=\"frames\" x=\"%g%%\" y=\"%" PRIu32 "\" width=\"%g%%\" height=\"%" PRIu32 "\">\n",
          SIDE_PERCENT, top, 100 - 2 * SIDE_PERCENT, page->levels * FRAME_HEIGHT);
}

void prof_flame_page_foot(const struct prof_flame_page *page) {
  FILE *file = page->file;
  uint32_t top = page->height - BOTTOM + 8;
  fprintf(file,
          "</svg>\n<g id=\"bar\"><rect x=\"0\" y=\"%" PRIu32 "\" width=\"100%%\" height=\"%d\" fill=\"#f6f8fa\"/>"
          "<text id=\"search\" class=\"button\" x=\"1%%\" y=\"%" PRIu32 "\"></text>"
          "<text id=\"reset\" class=\"button\" x=\"99%%\" y=\"%" PRIu32 "\" text-anchor=\"end\" display=\"none\">"
          "show all</text><text id=\"details\" x=\"1%%\" y=\"%" PRIu32 "\">",
          top, BOTTOM - 8, top + 34, top + 34, top + 16);
}

void prof_flame_page_end(const struct prof_flame_page *page) {
  fputs("</text></g>\n<script><![CDATA[\n", page->file);
  fputs(prof_flame_script, page->file);
  fputs("]]></script>\n</svg>\n", page->file);
}
