/*
 * tools/view/flame_svg.c - a tree as a flamegraph.
 *
 * After Brendan Gregg, "The Flame Graph", CACM 59(6), 2016.
 */
#include "flame_svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"
#include "width.h"

#define FRAME_HEIGHT 17
#define TOP 58
#define BOTTOM 50 /* the bar: facts of the frame under the mouse, and the search */
#define SIDE_PERCENT 1.0
#define STILL_WIDTH 1200.0   /* pixels assumed for a viewer without scripts */
#define CHARACTER_WIDTH 7.25 /* of 12 px monospace */
#define LONGEST_NAME 2000    /* bytes of a name that go into the file */

struct picture {
  FILE *file;
  const struct prof_tree *tree;
  struct prof_names *names;
  const struct prof_flame_style *style;
  double *begin; /* per node: left edge, share of the width */
  double *used;  /* per node: share of the width that its children use */
  uint32_t levels;
  uint64_t too_deep;
};

/* XML text: escapes for terminals first (no control bytes are left), then for XML. */
static void write_text(FILE *file, const char *foreign, size_t most_columns) {
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

static uint32_t hash_of(const char *text) { /* FNV-1a */
  uint32_t hash = 2166136261u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash ^ hash >> 15;
}

/* One channel of an HSL colour (CSS Color 4, 7.1), 0 to 255. */
static unsigned channel(double n, double hue, double saturation, double lightness) {
  double k = n + hue / 30;
  while (k >= 12)
    k -= 12;
  double reach = saturation * (lightness < 1 - lightness ? lightness : 1 - lightness);
  double slope = k - 3 < 9 - k ? k - 3 : 9 - k;
  slope = slope > 1 ? 1 : slope < -1 ? -1 : slope;
  return (unsigned)((lightness - reach * slope) * 255 + 0.5);
}

static bool is_extra(const struct picture *picture, uint32_t function) {
  return picture->style->extra_names && function != PROF_NONE && function >= picture->style->first_extra &&
         !prof_frame_is_group(function);
}

static const char *name_of(const struct picture *picture, uint32_t function) {
  return is_extra(picture, function) ? picture->style->extra_names[function - picture->style->first_extra]
                                     : prof_names_function(picture->names, function);
}

/* The module sets the hue, the function varies it a little, so that a library has similar colours. */
static void write_color(const struct picture *picture, uint32_t function) {
  if (function == PROF_NONE) {
    fputs("#c8ccd2", picture->file);
    return;
  }
  uint32_t name = hash_of(name_of(picture, function));
  double hue = (double)(hash_of(is_extra(picture, function) ? "" : prof_names_module(picture->names, function)) % 360) +
               (double)(name % 81) - 40;
  hue = hue < 0 ? hue + 360 : hue >= 360 ? hue - 360 : hue;
  double saturation = 0.5 + (double)(name / 81 % 30) / 100, lightness = 0.64 + (double)(name / 2430 % 16) / 100;
  fprintf(picture->file, "#%02x%02x%02x", channel(0, hue, saturation, lightness),
          channel(8, hue, saturation, lightness), channel(4, hue, saturation, lightness));
}

static const char *mark(bool estimated) {
  return estimated ? "~" : "";
}

/* Times and calls of a frame, as a reader of `prof tree` knows them. */
static void write_figures(const struct picture *picture, uint32_t index, double width) {
  const struct prof_tree_node *node = &picture->tree->nodes[index];
  FILE *file = picture->file;
  char total[PROF_UNITS_BYTES], self[PROF_UNITS_BYTES], calls[PROF_UNITS_BYTES];
  bool counts_other = is_extra(picture, node->function) && picture->style->extra_counts;
  fprintf(file, "\n%s%s, %.2f%%", mark(node->total_estimated), prof_units_duration(total, node->total_ns), width * 100);
  if (index && node->calls_estimated && !node->has_calls_high)
    fputs(", calls not known", file);
  else if (index && (node->calls > 0 || !counts_other))
    fprintf(file, ", %s%s %s%s", mark(node->calls_estimated), prof_units_count(calls, node->calls),
            counts_other ? picture->style->extra_counts : "call", node->calls == 1 ? "" : "s");
  if (index)
    fprintf(file, ", self %s%s", mark(node->self_estimated), prof_units_duration(self, node->self_ns));
}

static void write_frame(const struct picture *picture, uint32_t index, double width) {
  const struct prof_tree_node *node = &picture->tree->nodes[index];
  FILE *file = picture->file;
  const char *name = index ? name_of(picture, node->function) : picture->style->top_name;
  uint32_t row = picture->style->icicle ? node->depth : picture->levels - 1 - node->depth;
  fputs("<g class=\"f\"><title>", file);
  write_text(file, name, 0);
  write_figures(picture, index, width);
  fprintf(file, "</title><rect x=\"%.4f%%\" y=\"%" PRIu32 "\" width=\"%.4f%%\" height=\"%d\" fill=\"",
          picture->begin[index] * 100, row * FRAME_HEIGHT, width * 100, FRAME_HEIGHT - 1);
  write_color(picture, index ? node->function : PROF_NONE);
  fputs("\"/>", file);
  double room = (width * STILL_WIDTH * (1 - 2 * SIDE_PERCENT / 100) - 6) / CHARACTER_WIDTH;
  if (room >= 3) {
    /* A viewport of its own clips the label at the frame's edges, whatever the font. */
    fprintf(file, "<svg x=\"%.4f%%\" y=\"%" PRIu32 "\" width=\"%.4f%%\" height=\"%d\"><text x=\"3\" y=\"12\">",
            picture->begin[index] * 100, row * FRAME_HEIGHT, width * 100, FRAME_HEIGHT - 1);
    write_text(file, name, (size_t)room);
    fputs("</text></svg>", file);
  }
  fputs("</g>\n", file);
}

static void write_frames(struct picture *picture) {
  const struct prof_tree_node *nodes = picture->tree->nodes;
  double all = nodes[0].total_ns ? (double)nodes[0].total_ns : 1;
  write_frame(picture, 0, 1);
  for (uint32_t i = 1; i < picture->tree->count; i++) {
    uint32_t parent = nodes[i].parent;
    double width = (double)nodes[i].total_ns / all, end = parent ? (double)nodes[parent].total_ns / all : 1;
    /* Rounded parts may have a sum slightly above the whole. */
    if (picture->used[parent] + width > end)
      width = end > picture->used[parent] ? end - picture->used[parent] : 0;
    picture->begin[i] = picture->begin[parent] + picture->used[parent];
    picture->used[parent] += width;
    if (nodes[i].depth < picture->levels)
      write_frame(picture, i, width);
  }
}

static void write_head(const struct picture *picture, uint32_t height) {
  FILE *file = picture->file;
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
      height);
  write_text(file, picture->style->title, 400);
  fputs("</text>\n<text x=\"1%\" y=\"44\" fill=\"#57606a\">", file);
  write_text(file, picture->style->subtitle, 600);
  fprintf(file, "</text>\n<svg id=\"frames\" x=\"%g%%\" y=\"%d\" width=\"%g%%\" height=\"%" PRIu32 "\">\n",
          SIDE_PERCENT, TOP, 100 - 2 * SIDE_PERCENT, picture->levels * FRAME_HEIGHT);
}

static void write_foot(const struct picture *picture, uint32_t height) {
  FILE *file = picture->file;
  char count[PROF_UNITS_BYTES];
  uint32_t top = height - BOTTOM + 8;
  fprintf(file,
          "</svg>\n<g id=\"bar\"><rect x=\"0\" y=\"%" PRIu32 "\" width=\"100%%\" height=\"%d\" fill=\"#f6f8fa\"/>"
          "<text id=\"search\" class=\"button\" x=\"1%%\" y=\"%" PRIu32 "\"></text>"
          "<text id=\"reset\" class=\"button\" x=\"99%%\" y=\"%" PRIu32 "\" text-anchor=\"end\" display=\"none\">"
          "show all</text><text id=\"details\" x=\"1%%\" y=\"%" PRIu32 "\">",
          top, BOTTOM - 8, top + 34, top + 34, top + 16);
  if (picture->tree->hidden)
    fprintf(file, "%s frame%s under %.4g%% (--min-share) not drawn. ", prof_units_count(count, picture->tree->hidden),
            picture->tree->hidden == 1 ? "" : "s", 100 * picture->style->min_share);
  if (picture->too_deep)
    fprintf(file, "%s deeper than %" PRIu32 " levels and not drawn. ", prof_units_count(count, picture->too_deep),
            picture->levels - 1);
  fputs("</text></g>\n<script><![CDATA[\n", file);
  fputs(prof_flame_script, file);
  fputs("]]></script>\n</svg>\n", file);
}

prof_status prof_flame_svg_write(FILE *file, const struct prof_tree *tree, struct prof_names *names,
                                 const struct prof_flame_style *style) {
  struct picture picture = {.file = file, .tree = tree, .names = names, .style = style, .levels = 1};
  picture.begin = calloc(tree->count, sizeof *picture.begin);
  picture.used = calloc(tree->count, sizeof *picture.used);
  if (picture.begin && picture.used) {
    for (uint32_t i = 1; i < tree->count; i++) {
      if (tree->nodes[i].depth > style->deepest)
        picture.too_deep++;
      else if (tree->nodes[i].depth + 1 > picture.levels)
        picture.levels = tree->nodes[i].depth + 1;
    }
    uint32_t height = TOP + picture.levels * FRAME_HEIGHT + BOTTOM;
    write_head(&picture, height);
    write_frames(&picture);
    write_foot(&picture, height);
  }
  bool done = picture.begin && picture.used;
  free(picture.begin);
  free(picture.used);
  return done ? PROF_OK : PROF_NO_MEMORY;
}
