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
#define MANY_STRANGERS 0.5 /* part of the other profile on paths of its own: warns */

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

/* "lua.data, 114 ms running, against perf.txt, 652 ms (cpu-clock, perf)" */
static void make_title(const struct prof_flame_change *change, const struct prof_reader *reader,
                       const struct prof_comparison *comparison, const struct prof_path_sums *before, char *out) {
  char now[PROF_WEIGHT_TEXT_BYTES], was[PROF_WEIGHT_TEXT_BYTES], origin[128] = "";
  if (before->format)
    snprintf(origin, sizeof origin, " (%.60s%s%s)", before->event ? before->event : "", before->event ? ", " : "",
             before->format);
  snprintf(out, TEXT_BYTES, "%.400s, %s %s, against %.400s, %s%s", change->common->input,
           prof_weight_text(now, PROF_PATHS_NS, comparison->total[PROF_AFTER]),
           change->gpu ? "on the GPU" : prof_time_words[reader->recording.time], change->against,
           prof_weight_text(was, before->unit, comparison->total[PROF_BEFORE]), origin);
}

/* What the picture shows, what it leaves out, and the commands. */
static void make_subtitle(const struct prof_flame_change *change, const struct prof_reader *reader,
                          const struct prof_flame_other *other, char *out) {
  char command[256], left_out[PROF_WEIGHT_TEXT_BYTES];
  const bool paths = other->paths.has_paths;
  int used = snprintf(out, TEXT_BYTES, "width: %s now%s; colour: change of %s",
                      change->reverse || !paths ? "self time" : "time",
                      change->reverse && paths ? ", with its callers" : "", change->absolute ? "time" : "share");
  if (!paths)
    used += snprintf(out + used, TEXT_BYTES - (size_t)used, "; functions only: no call paths before");
  if (other->outside > 0)
    used += snprintf(out + used, TEXT_BYTES - (size_t)used, "; left out: %s before in no function of the recording",
                     prof_weight_text(left_out, other->paths.unit, other->outside));
  prof_flame_command(reader->recording.trace, command, sizeof command);
  if (command[0])
    used += snprintf(out + used, TEXT_BYTES - (size_t)used, "; %s", command);
  if (other->command[0] && strcmp(command, other->command) != 0)
    snprintf(out + used, TEXT_BYTES - (size_t)used, "; before: %s", other->command);
}

static prof_status write_svg(FILE *file, const struct prof_flame_change *change, const struct prof_reader *reader,
                             const struct prof_comparison *comparison, const struct prof_flame_other *other,
                             struct prof_diag *diag) {
  char title[TEXT_BYTES], subtitle[TEXT_BYTES];
  struct prof_comparison_tree after = {0}, gone = {0};
  make_title(change, reader, comparison, &other->paths, title);
  make_subtitle(change, reader, other, subtitle);
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
  if (paths->times)
    prof_json_text(json, "times", paths->times);
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
  for (int side = 0; side < PROF_SIDES; side++)
    if (node->estimated[side] || node->self_estimated[side])
      prof_json_bool(json, side == PROF_BEFORE ? "before_estimated" : "after_estimated", true);
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

/* What probes do to a recording differs from what samples miss: small functions differ by it, too. */
static void warn_of_ways(const struct prof_flame_change *change, const struct prof_path_sums *before,
                         const struct prof_path_sums *after) {
  if (!before->times || !after->times || !strcmp(before->times, after->times))
    return;
  fprintf(stderr, "prof: times of %s: %s; of %s: %s; small functions can differ by that alone\n", change->against,
          before->times, change->common->input, after->times);
}

/* Paths that hardly match: another program, or perf's chains are broken because the program keeps no frame pointers. */
static void warn_of_strangers(const struct prof_flame_change *change, const struct prof_comparison *comparison,
                              const struct prof_path_sums *before) {
  const double gone = comparison->nodes.items[0].gone;
  if (gone <= MANY_STRANGERS * comparison->total[PROF_BEFORE])
    return;
  fprintf(stderr, "prof: %.0f%% of %s is on paths that %s does not have\n", 100 * gone / comparison->total[PROF_BEFORE],
          change->against, change->common->input);
  if (before->format && !strcmp(before->format, "perf") && !change->reverse)
    fprintf(stderr, "  perf record --call-graph=dwarf records whole call paths; --reverse compares functions\n");
}

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
  warn_of_ways(change, &other->paths, after);
  warn_of_strangers(change, &comparison, &other->paths);
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
