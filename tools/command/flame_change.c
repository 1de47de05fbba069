/*
 * tools/command/flame_change.c - writes a comparison as SVG, folded stacks or JSON.
 */
#include "flame_change.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "export/change_folded.h"
#include "export/unfinished.h"
#include "view/flame_change_svg.h"

#define TEXT_BYTES 1024

static const char *const forms[] = {"paths", "reverse", "functions"};

void prof_flame_command(const prof_trace *trace, char *out, size_t bytes) {
  size_t length = 0, used = 0;
  const char *words = prof_trace_setting(trace, "command", &length);
  for (size_t i = 0; words && i < length && used + 1 < bytes; i++)
    out[used++] = words[i] ? words[i] : ' ';
  while (used && out[used - 1] == ' ')
    used--;
  out[used] = 0;
}

/* ---- SVG ---- */

/* "./app --fast (prof.data)"; without a command "prof.data". */
static void name_side(const char *command, const char *path, const char *format, char *out, size_t bytes) {
  const bool both = command[0] || format;
  snprintf(out, bytes, "%.250s%s%s%.200s%s%s%s", command, command[0] ? " " : "", command[0] ? "(" : "", path,
           format ? " (" : "", format ? format : "", both ? ")" : "");
}

static void make_title(const struct prof_flame_change *change, const struct prof_reader *reader,
                       const struct prof_flame_other *other, char *out) {
  char command[256], now[TEXT_BYTES / 2], before[TEXT_BYTES / 2];
  prof_flame_command(reader->recording.trace, command, sizeof command);
  name_side(command, change->common->input, NULL, now, sizeof now);
  name_side(other->command, change->against, other->paths.format, before, sizeof before);
  snprintf(out, TEXT_BYTES, "%.500s against %.500s", now, before);
}

static void make_subtitle(const struct prof_flame_change *change, const struct prof_reader *reader,
                          const struct prof_comparison *comparison, const struct prof_flame_other *other, char *out) {
  char now[PROF_WEIGHT_TEXT_BYTES], before[PROF_WEIGHT_TEXT_BYTES];
  const struct prof_path_sums *paths = &other->paths;
  const bool timed = paths->format == NULL;
  int used =
      snprintf(out, TEXT_BYTES, "%s %s, before %s", prof_weight_text(now, PROF_PATHS_NS, comparison->total[PROF_AFTER]),
               change->gpu ? "on the GPU" : prof_time_words[reader->recording.time],
               prof_weight_text(before, paths->unit, comparison->total[PROF_BEFORE]));
  if (!timed && paths->event)
    used += snprintf(out + used, TEXT_BYTES - (size_t)used, " (%.60s)", paths->event);
  used +=
      snprintf(out + used, TEXT_BYTES - (size_t)used, "; width: %s now%s; colour: change of %s",
               change->reverse && paths->has_paths ? "self time"
               : paths->has_paths                  ? "time"
                                                   : "self time",
               change->reverse && paths->has_paths ? ", with its callers" : "", change->absolute ? "time" : "share");
  if (!paths->has_paths)
    used += snprintf(out + used, TEXT_BYTES - (size_t)used, "; no call paths before, so functions only");
  if (other->outside > 0)
    snprintf(out + used, TEXT_BYTES - (size_t)used, "; left out: %s before in no function of the recording",
             prof_weight_text(before, paths->unit, other->outside));
}

static prof_status write_svg(FILE *file, const struct prof_flame_change *change, const struct prof_reader *reader,
                             const struct prof_comparison *comparison, const struct prof_flame_other *other,
                             struct prof_diag *diag) {
  char title[TEXT_BYTES], subtitle[TEXT_BYTES];
  struct prof_comparison_tree after = {0}, gone = {0};
  make_title(change, reader, other, title);
  make_subtitle(change, reader, comparison, other, subtitle);
  prof_status status = prof_comparison_select(comparison, PROF_COMPARISON_AFTER, diag, &after);
  if (status == PROF_OK)
    status = prof_comparison_select(comparison, PROF_COMPARISON_GONE, diag, &gone);
  const struct prof_flame_change_style style = {.title = change->title ? change->title : title,
                                                .subtitle = subtitle,
                                                .names = {change->against, change->common->input},
                                                .units = {other->paths.unit, PROF_PATHS_NS},
                                                .icicle = change->icicle,
                                                .deepest = change->deepest};
  if (status == PROF_OK && prof_flame_change_svg_write(file, comparison, &after, &gone, &style) != PROF_OK)
    status = prof_diag_memory(diag);
  prof_comparison_tree_free(&after);
  prof_comparison_tree_free(&gone);
  return status;
}

/* ---- JSON ---- */

/* Whole numbers keep all their digits. */
static void put_weight(struct prof_json *json, const char *key, double weight) {
  if (weight < 1e15 && weight == (double)(uint64_t)weight)
    prof_json_count(json, key, (uint64_t)weight);
  else
    prof_json_number(json, key, weight);
}

static void put_side(struct prof_json *json, const char *key, const char *name, const struct prof_path_sums *paths,
                     double total, const struct prof_flame_other *other) {
  prof_json_object(json, key);
  prof_json_text(json, "name", name);
  prof_json_text(json, "format", paths->format ? paths->format : "recording");
  prof_json_text(json, "unit", prof_paths_unit_words[paths->unit]);
  if (paths->event)
    prof_json_text(json, "event", paths->event);
  put_weight(json, "total", total);
  if (other && other->known_only)
    put_weight(json, "outside", other->outside);
  if (paths->lost)
    prof_json_count(json, "lost_samples", paths->lost);
  prof_json_object_end(json);
}

static void put_node(struct prof_json *json, const struct prof_comparison_node *node) {
  static const char *const keys[PROF_SIDES][4] = {
      {"before", "before_self", "before_share", "before_self_share"},
      {"after", "after_self", "after_share", "after_self_share"},
  };
  prof_json_object(json, NULL);
  prof_json_text(json, "name", node->name);
  prof_json_text(json, "in",
                 node->total[PROF_AFTER] <= 0    ? "before"
                 : node->total[PROF_BEFORE] <= 0 ? "after"
                                                 : "both");
  for (int side = 0; side < PROF_SIDES; side++) {
    put_weight(json, keys[side][0], node->total[side]);
    put_weight(json, keys[side][1], node->self[side]);
    prof_json_number(json, keys[side][2], node->part[side]);
    prof_json_number(json, keys[side][3], node->self_part[side]);
  }
  prof_json_number(json, "change", node->change);
}

/* Depth first; a node's object is closed when the next one isn't beneath it. */
static void write_json(FILE *file, const struct prof_flame_change *change, const struct prof_reader *reader,
                       const struct prof_comparison *comparison, const struct prof_path_sums *after,
                       const struct prof_flame_other *other, const struct prof_comparison_tree *tree) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, reader->recording.trace);
  put_side(&json, "before", change->against, &other->paths, comparison->total[PROF_BEFORE], other);
  put_side(&json, "after", change->common->input, after, comparison->total[PROF_AFTER], NULL);
  prof_json_text(&json, "time", change->gpu ? "gpu" : prof_time_words[reader->recording.time]);
  prof_json_text(&json, "compared", change->absolute ? "time" : "share");
  prof_json_text(&json, "form", forms[comparison->options.form]);
  prof_json_array(&json, "roots");
  for (uint32_t i = 1; i < tree->count; i++) {
    put_node(&json, &tree->nodes[i]);
    prof_json_array(&json, "children");
    const uint32_t next = i + 1 < tree->count ? tree->nodes[i + 1].depth : 1;
    for (uint32_t open = tree->nodes[i].depth; open >= next; open--) {
      prof_json_array_end(&json);
      prof_json_object_end(&json);
    }
  }
  prof_json_array_end(&json);
  prof_json_count(&json, "hidden", tree->hidden);
  prof_json_object_end(&json);
}

/* ---- all forms ---- */

prof_status prof_flame_change_write(FILE *file, const struct prof_flame_change *change,
                                    const struct prof_reader *reader, const struct prof_path_sums *after,
                                    const struct prof_flame_other *other, struct prof_diag *diag) {
  const struct prof_comparison_options options = {
      .form = !other->paths.has_paths ? PROF_COMPARISON_FLAT
              : change->reverse       ? PROF_COMPARISON_REVERSE
                                      : PROF_COMPARISON_PATHS,
      .absolute = change->absolute,
      .min_share = change->min_share,
      .depth = change->reverse ? change->deepest + 1 : 0, /* one more than drawn: the picture counts them */
  };
  struct prof_comparison comparison;
  struct prof_comparison_tree tree = {0};
  prof_status status = prof_comparison_make(&other->paths, after, &options, diag, &comparison);
  if (status != PROF_OK)
    return status;
  if (change->format == PROF_FLAME_SVG)
    status = write_svg(file, change, reader, &comparison, other, diag);
  else
    status = prof_comparison_select(&comparison, PROF_COMPARISON_ALL, diag, &tree);
  if (status == PROF_OK && change->format == PROF_FLAME_JSON)
    write_json(file, change, reader, &comparison, after, other, &tree);
  if (status == PROF_OK && change->format == PROF_FLAME_FOLDED && prof_change_folded_write(file, &tree) != PROF_OK)
    status = prof_diag_memory(diag);
  prof_comparison_tree_free(&tree);
  prof_comparison_free(&comparison);
  return status;
}
