/*
 * tools/command/tree.c - `prof tree`: the call tree merged over threads, or inverted at some functions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callers.h"
#include "analysis/tree.h"
#include "base/diag.h"
#include "base/json.h"
#include "command.h"
#include "cover_lines.h"
#include "export/unfinished.h"
#include "gpu/gpu_time.h"
#include "names/loop_frames.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"
#include "tree_fields.h"
#include "view/tree_text.h"
#include "view/units.h"

#define DEFAULT_MIN_SHARE 0.005
#define DEFAULT_ROWS 200 /* of a table without a pager */

struct settings {
  struct prof_common common;
  bool has_min_share, has_count;
  uint64_t count; /* rows of a table, at most; 0: all */
  double min_share;
  bool cpu; /* running, waiting, preempted times in the table too */
  struct prof_tree_shape shape;
  struct prof_texts callers;
  /* Of a run: */
  struct prof_counter_columns counters;
  uint32_t *paths; /* per node: its key for counters; NULL: none */
};

static uint32_t path_of(const struct settings *settings, uint32_t node) {
  return settings->paths ? settings->paths[node] : PROF_NONE;
}

/* ---- table, JSON, CSV ---- */

static int by_size(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? 1 : -(left > right);
}

/*
 * Marks the `most` nodes with the largest totals (0: all).  A parent's total is at least as large and it comes first,
 * so a marked node's parents are marked.  Returns their number.  NULL in *shown: no memory.
 */
static uint32_t choose_rows(const struct prof_tree *tree, uint64_t most, bool **shown) {
  uint32_t nodes = tree->count - 1;
  uint64_t *totals = malloc((nodes + 1) * sizeof *totals);
  *shown = calloc(tree->count + 1, 1);
  if (!totals || !*shown) {
    free(totals);
    free(*shown);
    *shown = NULL;
    return 0;
  }
  for (uint32_t i = 0; i < nodes; i++)
    totals[i] = tree->nodes[i + 1].total_ns;
  qsort(totals, nodes, sizeof *totals, by_size);
  bool some = most && most < nodes;
  uint64_t least = some ? totals[most - 1] : 0;
  uint32_t larger = 0, taken = 0;
  for (uint32_t i = 0; some && i < nodes; i++)
    larger += totals[i] > least;
  for (uint32_t i = 1; i <= nodes; i++) {
    bool equal = tree->nodes[i].total_ns == least;
    (*shown)[i] = !some || tree->nodes[i].total_ns > least || (equal && larger < most);
    larger += some && equal && (*shown)[i];
    taken += (*shown)[i];
  }
  free(totals);
  return taken;
}

static bool is_last_shown(const struct prof_tree *tree, const bool *shown, uint32_t node) {
  uint32_t next = tree->nodes[node].next_sibling;
  while (next != PROF_NONE && !shown[next])
    next = tree->nodes[next].next_sibling;
  return next == PROF_NONE;
}

static void show_rows(struct prof_table *table, const struct prof_tree *tree, const struct prof_reader *reader,
                      const struct settings *settings, const bool *shown, bool utf8) {
  struct prof_tree_text branches;
  char branch[PROF_TREE_TEXT_BYTES];
  char *text = NULL;
  size_t text_bytes = 0;
  prof_tree_text_init(&branches, utf8);
  for (uint32_t i = 1; i < tree->count; i++) {
    const struct prof_tree_node *node = &tree->nodes[i];
    if (!shown[i])
      continue;
    const char *name = prof_names_apart(reader->recording.names, node->function);
    prof_tree_text_branch(&branches, node->depth - 1, is_last_shown(tree, shown, i), branch, sizeof branch);
    size_t need = strlen(branch) + strlen(name) + 1;
    if (need > text_bytes) {
      char *grown = realloc(text, need);
      if (!grown)
        break;
      text = grown;
      text_bytes = need;
    }
    snprintf(text, text_bytes, "%s%s", branch, name);
    prof_tree_cells(table, &settings->shape, node, path_of(settings, i));
    prof_table_text_after(table, text, strlen(branch));
  }
  free(text);
}

static prof_status show_table(const struct settings *settings, const struct prof_tree *tree,
                              const struct prof_reader *reader, const struct prof_cover *cover,
                              const struct prof_output *output, struct prof_diag *diag) {
  struct prof_column columns[PROF_TREE_MOST_FIELDS];
  size_t count = prof_tree_columns(columns, &settings->shape);
  columns[count++] = (struct prof_column){NULL, settings->callers.count ? "FUNCTION, AND WHO CALLED IT" : "CALL TREE",
                                          PROF_CELL_TEXT, PROF_CUT_NAME};
  struct prof_table *table = prof_table_new(columns, count);
  if (!table)
    return prof_diag_memory(diag);
  uint64_t most = settings->has_count ? settings->count : output->pager ? 0 : DEFAULT_ROWS;
  bool *shown;
  uint32_t taken = choose_rows(tree, most, &shown);
  if (!shown) {
    prof_table_free(table);
    return prof_diag_memory(diag);
  }
  prof_cover_lines(cover, output);
  show_rows(table, tree, reader, settings, shown, output->style.utf8);
  free(shown);
  bool failed = prof_table_failed(table);
  if (!failed)
    prof_table_print(table, output->file, &output->style);
  prof_table_free(table);
  if (failed)
    return prof_diag_memory(diag);
  char hidden[PROF_UNITS_BYTES];
  if (taken < tree->count - 1)
    fprintf(output->file, "... and %s smaller %s: -n 0 shows all\n", prof_units_count(hidden, tree->count - 1 - taken),
            tree->count - 1 - taken == 1 ? "branch" : "branches");
  if (tree->hidden)
    fprintf(output->file, "... and %s more %s: --min-share=0 shows all\n", prof_units_count(hidden, tree->hidden),
            tree->hidden == 1 ? "branch" : "branches");
  return PROF_OK;
}

/* Writes the process or command of a node of --by. */
static void add_group(struct prof_json *json, const struct prof_reader *reader,
                      const struct prof_process_group *group) {
  size_t count;
  prof_json_text(json, "by", reader->recording.groups.by_command ? "command" : "process");
  if (!reader->recording.groups.by_command)
    prof_json_count(json, "pid", prof_trace_processes(reader->recording.trace, &count)[group->process].pid);
}

/* Depth first; a node's object is closed when the next one isn't beneath it. */
static void show_json(const struct settings *settings, const struct prof_tree *tree, const struct prof_reader *reader,
                      const struct prof_cover *cover, FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, reader->recording.trace);
  prof_json_bool(&json, "corrected", prof_cover_is_corrected(cover));
  prof_json_array(&json, "roots");
  for (uint32_t i = 1; i < tree->count; i++) {
    const struct prof_tree_node *node = &tree->nodes[i];
    prof_json_object(&json, NULL);
    prof_json_text(&json, "name", prof_names_plain(reader->recording.names, node->function));
    if (prof_names_is_zone(reader->recording.names, node->function))
      prof_json_text(&json, "kind", prof_names_kind(reader->recording.names, node->function));
    if (prof_frame_is_group(node->function))
      add_group(&json, reader, &reader->recording.groups.items[node->function - PROF_FRAME_GROUPS]);
    if (prof_frame_loop(reader->recording.trace, node->function) != PROF_NONE)
      prof_json_bool(&json, "loop", true);
    const struct prof_tree_field *row;
    for (size_t f = 0; (row = prof_tree_field_at(&settings->shape, f)); f++) {
      const struct prof_field *field = prof_tree_field_of(row);
      const void *value = (const char *)node + field->member.offset;
      if (!prof_tree_field_is_wanted(row, &settings->shape) || field->column.kind == PROF_CELL_SHARE)
        continue;
      if (field->known && !*(const bool *)((const char *)node + field->known))
        prof_json_text(&json, field->column.key, NULL);
      else if (field->column.kind == PROF_CELL_FLAG)
        prof_json_bool(&json, field->column.key, *(const bool *)value);
      else
        prof_json_count(&json, field->column.key, *(const uint64_t *)value);
    }
    prof_counter_json(&settings->counters, &json, path_of(settings, i));
    prof_json_array(&json, "children");
    uint32_t next_depth = i + 1 < tree->count ? tree->nodes[i + 1].depth : 1;
    for (uint32_t open = node->depth; open >= next_depth; open--) {
      prof_json_array_end(&json);
      prof_json_object_end(&json);
    }
  }
  prof_json_array_end(&json);
  prof_json_count(&json, "hidden", tree->hidden);
  prof_cover_json(cover, &json, "cover");
  prof_json_object_end(&json);
}

static prof_status show_csv(const struct settings *settings, const struct prof_tree *tree,
                            const struct prof_reader *reader, FILE *file, struct prof_diag *diag) {
  struct prof_column columns[2 + PROF_TREE_MOST_FIELDS] = {{"depth", NULL, PROF_CELL_COUNT},
                                                           {"name", NULL, PROF_CELL_TEXT}};
  size_t count = 2 + prof_tree_columns(columns + 2, &settings->shape);
  struct prof_table *table = prof_table_new(columns, count);
  if (!table)
    return prof_diag_memory(diag);
  for (uint32_t i = 1; i < tree->count; i++) {
    prof_table_count(table, tree->nodes[i].depth);
    prof_table_text(table, prof_names_function(reader->recording.names, tree->nodes[i].function));
    prof_tree_cells(table, &settings->shape, &tree->nodes[i], path_of(settings, i));
  }
  bool failed = prof_table_failed(table);
  if (!failed)
    prof_table_csv(table, file);
  prof_table_free(table);
  return failed ? prof_diag_memory(diag) : PROF_OK;
}

/* The tree or its inversion.  Only tables of calls leave small branches out by default. */
static prof_status select_tree(const struct settings *settings, const struct prof_reader *reader,
                               const struct prof_profile *profile, struct prof_tree *tree, struct prof_diag *diag) {
  bool brief = settings->common.format == PROF_FORMAT_TABLE && !settings->callers.count;
  struct prof_tree_limits limits = {
      .time = reader->recording.time, .min_share = brief ? DEFAULT_MIN_SHARE : 0, .groups = &reader->recording.groups};
  if (settings->has_min_share)
    limits.min_share = settings->min_share;
  if (!settings->callers.count)
    return prof_tree_select(profile, NULL, &limits, diag, tree);
  uint8_t *functions;
  prof_status status = prof_filter_match(reader->recording.trace, "--callers", settings->callers.items,
                                         settings->callers.count, diag, &functions);
  if (status != PROF_OK)
    return status;
  status = prof_callers_find(profile, functions, &limits, diag, tree);
  free(functions);
  return status;
}

static prof_status show(const struct settings *settings, const struct prof_reader *reader,
                        const struct prof_profile *profile, const struct prof_tree *tree, int *result,
                        struct prof_diag *diag) {
  struct prof_output output;
  struct prof_cover cover;
  prof_status status = PROF_OK;
  prof_cover_of(profile, reader->recording.time, &cover);
  prof_output_begin(&output, &settings->common);
  prof_reader_warn(reader, &output);
  if (settings->common.format == PROF_FORMAT_TABLE)
    status = show_table(settings, tree, reader, &cover, &output, diag);
  else if (settings->common.format == PROF_FORMAT_JSON)
    show_json(settings, tree, reader, &cover, output.file);
  else
    status = show_csv(settings, tree, reader, output.file, diag);
  *result = prof_output_end(&output);
  return status;
}

/* Sums up counters by path, and finds the path of each node.  An inverted tree has no such columns. */
static prof_status count(struct settings *settings, const struct prof_reader *reader, const struct prof_tree *tree,
                         struct prof_diag *diag) {
  const struct prof_recording *recording = &reader->recording;
  const struct prof_counter_keys keys = {
      .by = PROF_COUNTERS_BY_PATH, .groups = &recording->groups, .loops = settings->common.loops};
  if (settings->callers.count)
    return PROF_OK;
  prof_status status = prof_counter_columns_init(&settings->counters, recording->trace, true, diag);
  if (status != PROF_OK || settings->counters.count == 0)
    return status;
  status = prof_counter_columns_sum(&settings->counters, recording, &keys, diag);
  settings->paths = status == PROF_OK ? calloc(tree->count + 1, sizeof *settings->paths) : NULL;
  if (status == PROF_OK && !settings->paths)
    return prof_diag_memory(diag);
  for (uint32_t i = 1; i < tree->count && status == PROF_OK; i++)
    settings->paths[i] = prof_counter_path_key(&settings->counters.sums, settings->paths[tree->nodes[i].parent],
                                               tree->nodes[i].function);
  settings->shape.counters = &settings->counters;
  return status;
}

static prof_status tree_of(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct settings *settings = argument;
  struct prof_profile *profile = NULL;
  struct prof_tree tree = {0};
  prof_status status = prof_reader_fold(reader, &profile, diag);
  if (status == PROF_OK)
    status = select_tree(settings, reader, profile, &tree, diag);
  settings->shape = (struct prof_tree_shape){
      .table = settings->common.format == PROF_FORMAT_TABLE, .cpu = settings->cpu, .time = reader->recording.time};
  /* GPU work is attributed to functions, not to loops or processes. */
  settings->shape.has_gpu =
      !settings->callers.count && !settings->common.loops && !settings->common.split && prof_gpu_time_is_there(reader);
  settings->shape.has_cpu = status == PROF_OK && profile->coverage.has_switches;
  settings->shape.waits_estimated =
      status == PROF_OK && profile->coverage.sparse_switches && settings->shape.time != PROF_TIME_ELAPSED;
  settings->shape.has_budget = status == PROF_OK && profile->estimated_nodes != NULL;
  if (status == PROF_OK && settings->shape.has_gpu)
    status = prof_gpu_time_tree(reader, &tree, diag);
  if (status == PROF_OK)
    status = count(settings, reader, &tree, diag);
  if (status == PROF_OK && settings->cpu && !settings->shape.has_cpu)
    prof_cover_no_switches();
  if (status == PROF_OK)
    status = show(settings, reader, profile, &tree, result, diag);
  prof_counter_columns_free(&settings->counters);
  free(settings->paths);
  prof_tree_free(&tree);
  prof_profile_free(profile);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    PROF_COMMON_TIME,
    PROF_COMMON_LOOPS,
    PROF_COMMON_BY("split the tree: the first level is processes or commands"),
    {"callers", 0, "GLOB", "invert the tree: show who called these functions; may be repeated", PROF_OPTION_TEXTS,
     IN(callers)},
    {"cpu", 0, NULL, "add columns: time running, waiting and preempted", PROF_OPTION_FLAG, IN(cpu)},
    {"min-share", 0, "PCT", "hide branches below this share of the time (default for tables of calls: 0.5%)",
     PROF_OPTION_SHARE, IN(min_share), GIVEN(has_min_share)},
    {"rows", 'n', "N", "show at most N rows of a table; 0: all (default: 200 without a pager)", PROF_OPTION_COUNT,
     IN(count), GIVEN(has_count)},
    {0},
};

const struct prof_command prof_command_tree = {
    .name = "tree",
    .alias = "graph",
    .instead = "who called a function: --callers NAME",
    .summary = "Show where in the call tree the time went, or who called a function",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = tree_of,
};
