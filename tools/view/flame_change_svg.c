/*
 * tools/view/flame_change_svg.c - see flame_change_svg.h.
 *
 * After Brendan Gregg's differential flamegraphs (2014), with colours that can be told apart without red and green.
 */
#include "flame_change_svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "flame_page.h"

struct picture {
  struct prof_flame_page page;
  const struct prof_comparison *comparison;
  const struct prof_flame_change_style *style;
  double scale; /* width of the later profile's whole: the rest is what is gone */
  uint64_t too_deep;
};

const char *prof_weight_text(char out[PROF_WEIGHT_TEXT_BYTES], enum prof_path_sums_unit unit, double weight) {
  char number[PROF_UNITS_BYTES];
  const uint64_t whole = prof_whole(weight + 0.5);
  if (unit == PROF_PATHS_NS)
    snprintf(out, PROF_WEIGHT_TEXT_BYTES, "%s", prof_units_duration(number, whole));
  else
    snprintf(out, PROF_WEIGHT_TEXT_BYTES, "%s %.*s", prof_units_count(number, whole),
             (int)(strlen(prof_paths_unit_words[unit]) - (whole == 1)), prof_paths_unit_words[unit]);
  return out;
}

/* From grey to Okabe and Ito's sky blue (-1) or orange (1); small changes are visible, large ones don't differ much. */
static void color_of(double change, char out[PROF_FLAME_COLOR_BYTES]) {
  static const int same[3] = {0xee, 0xee, 0xee}, less[3] = {0x56, 0xb4, 0xe9}, more[3] = {0xe6, 0x9f, 0x00};
  const double size = change < 0 ? -change : change, far = 3 * size / (1 + 2 * size);
  unsigned parts[3];
  for (int i = 0; i < 3; i++)
    parts[i] = (unsigned)((double)same[i] + far * ((change < 0 ? less : more)[i] - same[i]) + 0.5) & 255;
  snprintf(out, PROF_FLAME_COLOR_BYTES, "#%02x%02x%02x", parts[0], parts[1], parts[2]);
}

static void draw_legend(FILE *file, double y) {
  static const struct {
    double change;
    const char *word;
  } fields[] = {{-1, "only before"}, {-0.5, "half"},  {-0.1, "10% less"}, {0, "same"},
                {0.1, "10% more"},   {0.5, "double"}, {1, "only now"}};
  enum { WIDTH = 92 };
  fprintf(file, "<svg id=\"legend\" x=\"1%%\" y=\"%g\" height=\"17\">", y);
  for (int i = 0; i < (int)(sizeof fields / sizeof *fields); i++) {
    char color[PROF_FLAME_COLOR_BYTES];
    color_of(fields[i].change, color);
    fprintf(file, "<rect x=\"%d\" width=\"%d\" height=\"16\" fill=\"%s\"/><text x=\"%d\" y=\"12\">%s</text>", i * WIDTH,
            WIDTH - 1, color, i * WIDTH + 5, fields[i].word);
  }
  fputs("</svg>\n", file);
}

/* Three digits, "0.0123", "1.14", or all before the point, "25012". */
static const char *factor_text(char out[PROF_UNITS_BYTES], double factor) {
  snprintf(out, PROF_UNITS_BYTES, factor < 1000 ? "%.3g" : "%.0f", factor);
  return out;
}

static const char *mark(bool estimated) {
  return estimated ? "~" : "";
}

/* "1.20 ms, 12.00%, was 1.00 ms, 10.50%: +1.50 points, x1.14; self 3.00%, was 2.00%"; "~" before estimates */
static void write_facts(const struct picture *picture, const struct prof_comparison_node *node) {
  FILE *file = picture->page.file;
  char text[PROF_SIDES][PROF_WEIGHT_TEXT_BYTES], factor[PROF_UNITS_BYTES];
  const double *part = node->part, *self = node->self_part;
  const char *before = mark(node->estimated[PROF_BEFORE]), *after = mark(node->estimated[PROF_AFTER]);
  for (int side = 0; side < PROF_SIDES; side++)
    prof_weight_text(text[side], picture->style->units[side], node->total[side]);
  if (node->total[PROF_AFTER] <= 0) {
    fprintf(file, "%s%s, %.2f%%: only in ", before, text[PROF_BEFORE], 100 * part[PROF_BEFORE]);
    prof_flame_text(file, picture->style->names[PROF_BEFORE], 0);
  } else if (node->total[PROF_BEFORE] <= 0) {
    fprintf(file, "%s%s, %.2f%%: only in ", after, text[PROF_AFTER], 100 * part[PROF_AFTER]);
    prof_flame_text(file, picture->style->names[PROF_AFTER], 0);
  } else {
    fprintf(file, "%s%s, %.2f%%, was %s%s, %.2f%%: %+.2f points, x%s", after, text[PROF_AFTER], 100 * part[PROF_AFTER],
            before, text[PROF_BEFORE], 100 * part[PROF_BEFORE], 100 * (part[PROF_AFTER] - part[PROF_BEFORE]),
            factor_text(factor, part[PROF_AFTER] / part[PROF_BEFORE]));
    fprintf(file, "; self %s%.2f%%, was %s%.2f%%", mark(node->self_estimated[PROF_AFTER]), 100 * self[PROF_AFTER],
            mark(node->self_estimated[PROF_BEFORE]), 100 * self[PROF_BEFORE]);
  }
}

static void write_frame(const struct picture *picture, const struct prof_comparison_node *node, uint32_t depth,
                        double begin, double width) {
  struct prof_flame_box box = {.name = node->name, .depth = depth, .begin = begin, .width = width};
  color_of(node->change, box.color);
  prof_flame_box_begin(&picture->page, &box);
  write_facts(picture, node);
  prof_flame_box_end(&picture->page, &box);
}

/* The frames of a tree, from `left` on, above level `lift`.  false: no memory. */
static bool write_tree(struct picture *picture, const struct prof_comparison_tree *tree, double left, uint32_t lift) {
  double *begin = calloc(tree->count, sizeof *begin), *used = calloc(tree->count, sizeof *used);
  const bool done = begin && used;
  if (done)
    begin[0] = left;
  for (uint32_t i = 1; done && i < tree->count; i++) {
    const struct prof_comparison_node *node = &tree->nodes[i];
    const uint32_t parent = node->parent;
    begin[i] = begin[parent] + used[parent];
    double width =
        prof_flame_room(node->width * picture->scale, tree->nodes[parent].width * picture->scale, &used[parent]);
    if (node->depth + lift < picture->page.levels)
      write_frame(picture, node, node->depth + lift, begin[i], width);
    else
      picture->too_deep++;
  }
  free(begin);
  free(used);
  return done;
}

static void write_whole(const struct picture *picture, const struct prof_comparison_node *whole) {
  FILE *file = picture->page.file;
  char text[PROF_WEIGHT_TEXT_BYTES];
  const struct prof_flame_box box = {.name = "all", .width = 1, .color = "#c8ccd2"};
  prof_flame_box_begin(&picture->page, &box);
  for (int side = PROF_SIDES; side-- > 0;) {
    prof_flame_text(file, picture->style->names[side], 0);
    fprintf(file, ": %s%s", prof_weight_text(text, picture->style->units[side], whole->total[side]), side ? "; " : "");
  }
  prof_flame_box_end(&picture->page, &box);
}

static void write_gone(const struct picture *picture, double begin, double width) {
  FILE *file = picture->page.file;
  struct prof_flame_box box = {.name = "[only before]", .depth = 1, .begin = begin, .width = width};
  color_of(-1, box.color);
  prof_flame_box_begin(&picture->page, &box);
  fprintf(file, "%.2f%% of ", 100 * width / picture->scale);
  prof_flame_text(file, picture->style->names[PROF_BEFORE], 0);
  fputs(", in calls that ", file);
  prof_flame_text(file, picture->style->names[PROF_AFTER], 0);
  fputs(" does not have; callers keep their colours", file);
  prof_flame_box_end(&picture->page, &box);
}

static void write_remarks(const struct picture *picture, uint64_t hidden) {
  FILE *file = picture->page.file;
  char count[PROF_UNITS_BYTES];
  if (hidden)
    fprintf(file, "%s frame%s under %.4g%% (--min-share) not drawn. ", prof_units_count(count, hidden),
            hidden == 1 ? "" : "s", 100 * picture->comparison->options.min_share);
  if (picture->too_deep)
    fprintf(file, "%s deeper than %u levels and not drawn. ", prof_units_count(count, picture->too_deep),
            picture->page.levels - 1);
}

static uint32_t levels_of(const struct prof_comparison_tree *tree, uint32_t lift, uint32_t deepest) {
  uint32_t levels = 1;
  for (uint32_t i = 1; i < tree->count; i++)
    levels = tree->nodes[i].depth + lift + 1 > levels ? tree->nodes[i].depth + lift + 1 : levels;
  return levels <= deepest + 1 ? levels : deepest + 1;
}

prof_status prof_flame_change_svg_write(FILE *file, const struct prof_comparison *comparison,
                                        const struct prof_comparison_tree *after,
                                        const struct prof_comparison_tree *gone,
                                        const struct prof_flame_change_style *style) {
  const uint32_t first = levels_of(after, 0, style->deepest), second = levels_of(gone, 1, style->deepest);
  const double lost = gone->count > 1 ? gone->nodes[0].width : 0;
  struct picture picture = {.page = {.file = file, .icicle = style->icicle, .levels = first > second ? first : second},
                            .comparison = comparison,
                            .style = style,
                            .scale = 1 / (1 + lost)};
  prof_flame_page_begin(&picture.page, style->title, style->subtitle, draw_legend);
  write_whole(&picture, &after->nodes[0]);
  bool done = write_tree(&picture, after, 0, 0);
  if (done && lost > 0) {
    write_gone(&picture, picture.scale, lost * picture.scale);
    done = write_tree(&picture, gone, picture.scale, 1);
  }
  prof_flame_page_foot(&picture.page);
  write_remarks(&picture, after->hidden + gone->hidden);
  prof_flame_page_end(&picture.page);
  return done ? PROF_OK : PROF_NO_MEMORY;
}
