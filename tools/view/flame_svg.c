/*
 * tools/view/flame_svg.c - a tree as a flamegraph.
 *
 * After Brendan Gregg, "The Flame Graph", CACM 59(6), 2016.
 */
#include "flame_svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame_page.h"
#include "units.h"

struct picture {
  struct prof_flame_page page;
  const struct prof_tree *tree;
  struct prof_names *names;
  const struct prof_flame_style *style;
  double *begin; /* per node: left edge, share of the width */
  double *used;  /* per node: share of the width that its children use */
  uint64_t too_deep;
};

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
                                     : prof_names_apart(picture->names, function);
}

/* The module sets the hue, the function varies it a little, so that a library has similar colours. */
static void color_of(const struct picture *picture, uint32_t function, char out[PROF_FLAME_COLOR_BYTES]) {
  if (function == PROF_NONE) {
    snprintf(out, PROF_FLAME_COLOR_BYTES, "#c8ccd2");
    return;
  }
  uint32_t name = hash_of(name_of(picture, function));
  double hue = (double)(hash_of(is_extra(picture, function) ? "" : prof_names_module(picture->names, function)) % 360) +
               (double)(name % 81) - 40;
  hue = hue < 0 ? hue + 360 : hue >= 360 ? hue - 360 : hue;
  double saturation = 0.5 + (double)(name / 81 % 30) / 100, lightness = 0.64 + (double)(name / 2430 % 16) / 100;
  snprintf(out, PROF_FLAME_COLOR_BYTES, "#%02x%02x%02x", channel(0, hue, saturation, lightness) & 255,
           channel(8, hue, saturation, lightness) & 255, channel(4, hue, saturation, lightness) & 255);
}

static const char *mark(bool estimated) {
  return estimated ? "~" : "";
}

/* Times and calls of a frame, as a reader of `prof tree` knows them. */
static void write_figures(const struct picture *picture, uint32_t index, double width) {
  const struct prof_tree_node *node = &picture->tree->nodes[index];
  FILE *file = picture->page.file;
  char total[PROF_UNITS_BYTES], self[PROF_UNITS_BYTES], calls[PROF_UNITS_BYTES];
  bool counts_other = is_extra(picture, node->function) && picture->style->extra_counts;
  fprintf(file, "%s%s, %.2f%%", mark(node->total_estimated), prof_units_duration(total, node->total_ns), width * 100);
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
  struct prof_flame_box box = {.name = index ? name_of(picture, node->function) : picture->style->top_name,
                               .depth = node->depth,
                               .begin = picture->begin[index],
                               .width = width};
  color_of(picture, index ? node->function : PROF_NONE, box.color);
  prof_flame_box_begin(&picture->page, &box);
  write_figures(picture, index, width);
  prof_flame_box_end(&picture->page, &box);
}

static void write_frames(struct picture *picture) {
  const struct prof_tree_node *nodes = picture->tree->nodes;
  double all = nodes[0].total_ns ? (double)nodes[0].total_ns : 1;
  write_frame(picture, 0, 1);
  for (uint32_t i = 1; i < picture->tree->count; i++) {
    const uint32_t parent = nodes[i].parent;
    picture->begin[i] = picture->begin[parent] + picture->used[parent];
    double width = prof_flame_room((double)nodes[i].total_ns / all, parent ? (double)nodes[parent].total_ns / all : 1,
                                   &picture->used[parent]);
    if (nodes[i].depth < picture->page.levels)
      write_frame(picture, i, width);
  }
}

static void write_remarks(const struct picture *picture) {
  FILE *file = picture->page.file;
  char count[PROF_UNITS_BYTES];
  if (picture->tree->hidden)
    fprintf(file, "%s frame%s under %.4g%% (--min-share) not drawn. ", prof_units_count(count, picture->tree->hidden),
            picture->tree->hidden == 1 ? "" : "s", 100 * picture->style->min_share);
  if (picture->too_deep)
    fprintf(file, "%s deeper than %" PRIu32 " levels and not drawn. ", prof_units_count(count, picture->too_deep),
            picture->page.levels - 1);
}

prof_status prof_flame_svg_write(FILE *file, const struct prof_tree *tree, struct prof_names *names,
                                 const struct prof_flame_style *style) {
  struct picture picture = {
      .page = {.file = file, .icicle = style->icicle, .levels = 1}, .tree = tree, .names = names, .style = style};
  picture.begin = calloc(tree->count, sizeof *picture.begin);
  picture.used = calloc(tree->count, sizeof *picture.used);
  if (picture.begin && picture.used) {
    for (uint32_t i = 1; i < tree->count; i++) {
      if (tree->nodes[i].depth > style->deepest)
        picture.too_deep++;
      else if (tree->nodes[i].depth + 1 > picture.page.levels)
        picture.page.levels = tree->nodes[i].depth + 1;
    }
    prof_flame_page_begin(&picture.page, style->title, style->subtitle, NULL);
    write_frames(&picture);
    prof_flame_page_foot(&picture.page);
    write_remarks(&picture);
    prof_flame_page_end(&picture.page);
  }
  bool done = picture.begin && picture.used;
  free(picture.begin);
  free(picture.used);
  return done ? PROF_OK : PROF_NO_MEMORY;
}
