/*
 * tools/command/tui/tui_callers.c - the panel of callers: below each function who called it, as `prof tree --callers`.
 *
 * Callers of a function are found when its row is opened first: those of all functions would take the sum of all
 * depths.
 */
#include <stdlib.h>

#include "analysis/callers.h"
#include "analysis/functions.h"
#include "base/diag.h"
#include "command/tree_fields.h"
#include "panels.h"
#include "row_table.h"

struct callers {
  struct prof_tui_figures *figures;
  const struct prof_profile *profile;
  struct prof_names *names;
  PROF_VEC(struct prof_tree_node) nodes; /* functions first, then callers as they are found; links are items */
  uint32_t root_count;
  bool *found; /* of each function: its callers are in `nodes` */
  struct prof_tree_shape shape;
  struct prof_column columns[PROF_TREE_MOST_FIELDS];
  struct prof_tui_columns shown;
};

static void callers_free(void *rows) {
  struct callers *callers = rows;
  prof_vec_fini(&callers->nodes);
  free(callers->found);
  free(callers);
}

/* Adds the callers of a function; on failure it has none. */
static void find_callers(struct callers *callers, uint32_t root) {
  const struct prof_tree_limits limits = {.time = callers->shape.time};
  size_t count = callers->profile->function_count;
  uint8_t *wanted = calloc(count, 1);
  struct prof_tree tree = {0};
  uint32_t function = callers->nodes.items[root].function;
  callers->found[root] = true;
  if (wanted)
    wanted[function < count ? function : count - 1] = 1;
  if (wanted && prof_callers_find(callers->profile, wanted, &limits, NULL, &tree) == PROF_OK && tree.count > 2 &&
      callers->nodes.count + tree.count < PROF_TUI_NONE && prof_vec_reserve(&callers->nodes, tree.count)) {
    uint32_t shift = (uint32_t)callers->nodes.count - 2; /* tree: 0 is above the roots, 1 is the function */
    for (uint32_t i = 2; i < tree.count; i++) {
      struct prof_tree_node node = tree.nodes[i];
      node.parent = node.parent == 1 ? root : node.parent + shift;
      node.first_child = node.first_child == PROF_NONE ? PROF_NONE : node.first_child + shift;
      node.next_sibling = node.next_sibling == PROF_NONE ? PROF_NONE : node.next_sibling + shift;
      callers->nodes.items[callers->nodes.count++] = node;
    }
    callers->nodes.items[root].first_child = tree.nodes[1].first_child + shift;
  }
  prof_tree_free(&tree);
  free(wanted);
}

static uint32_t first_row(void *rows, uint32_t item) {
  struct callers *callers = rows;
  if (item == PROF_TUI_NONE)
    return callers->root_count ? 0 : PROF_TUI_NONE;
  if (item < callers->root_count && !callers->found[item])
    find_callers(callers, item);
  return callers->nodes.items[item].first_child;
}

static uint32_t next_row(void *rows, uint32_t item) {
  return ((const struct callers *)rows)->nodes.items[item].next_sibling;
}

static uint32_t parent_of(void *rows, uint32_t item) {
  return ((const struct callers *)rows)->nodes.items[item].parent;
}

static bool has_children(void *rows, uint32_t item) {
  const struct callers *callers = rows;
  bool unknown = item < callers->root_count && !callers->found[item];
  return unknown || callers->nodes.items[item].first_child != PROF_NONE;
}

static const char *name_of(void *rows, uint32_t item) {
  const struct callers *callers = rows;
  return prof_names_apart(callers->names, callers->nodes.items[item].function);
}

static struct prof_tui_place place_of(void *rows, uint32_t item) {
  const struct callers *callers = rows;
  return prof_tui_branch_place(callers->profile->trace, callers->nodes.items[item].function);
}

static double weight_of(void *rows, uint32_t item) {
  const struct callers *callers = rows;
  uint64_t all =
      prof_trace_ns(callers->profile->trace, prof_node_total(&callers->profile->nodes[0], callers->shape.time));
  return all ? (double)callers->nodes.items[item].self_ns / (double)all : 0;
}

static void add_cells(void *rows, const struct prof_tui_row *shown, struct prof_table *table) {
  const struct callers *callers = rows;
  prof_tree_cells(table, &callers->shape, &callers->nodes.items[shown->item], PROF_NONE);
  prof_tui_branch_cell(table, shown, has_children(rows, shown->item), name_of(rows, shown->item),
                       callers->shown.levels);
}

static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  return prof_tui_table_print(&((struct callers *)rows)->shown, rows, add_cells, shown, count, look, file);
}

static const struct prof_tui_rows_type type = {.first = first_row,
                                               .next = next_row,
                                               .parent = parent_of,
                                               .has_children = has_children,
                                               .name = name_of,
                                               .place = place_of,
                                               .weight = weight_of,
                                               .print = print,
                                               .free = callers_free};

/* A function's row as the root of a tree. */
static struct prof_tree_node root_of(const struct prof_function_row *row, enum prof_time_kind time) {
  return (struct prof_tree_node){.parent = PROF_NONE,
                                 .first_child = PROF_NONE,
                                 .next_sibling = PROF_NONE,
                                 .function = row->index,
                                 .calls = row->calls,
                                 .total_ns = prof_time_ns_of(time, &row->total),
                                 .self_ns = row->self_ns,
                                 .total = row->total,
                                 .self = row->self,
                                 .share = row->total_share,
                                 .estimated = row->estimated,
                                 .calls_estimated = row->calls_estimated,
                                 .total_estimated = row->total_estimated,
                                 .self_estimated = row->self_estimated,
                                 .has_calls_high = row->has_calls_high};
}

static bool take_roots(struct callers *callers, const struct prof_function_rows *rows) {
  callers->found = calloc(rows->count + 1, sizeof *callers->found);
  for (size_t i = 0; i < rows->count; i++) {
    struct prof_tree_node node = root_of(&rows->rows[i], callers->shape.time);
    if (i + 1 < rows->count)
      node.next_sibling = (uint32_t)i + 1;
    if (!prof_vec_push(&callers->nodes, node))
      return false;
  }
  callers->root_count = (uint32_t)rows->count;
  return callers->found != NULL;
}

static prof_status find(struct callers *callers, struct prof_tui_figures *figures, unsigned sort,
                        struct prof_diag *diag) {
  static const enum prof_sort sorts[] = {PROF_SORT_TOTAL, PROF_SORT_SELF, PROF_SORT_CALLS, PROF_SORT_NAME};
  const struct prof_tui_fold *fold = NULL;
  struct prof_function_rows rows = {0};
  prof_status status = prof_tui_figures_fold(figures, PROF_TUI_FOLD_PLAIN, diag, &fold);
  if (status != PROF_OK)
    return status;
  const struct prof_recording *recording = &figures->now->reader.recording;
  callers->figures = figures;
  callers->profile = fold->profile;
  callers->names = recording->names;
  callers->shape = (struct prof_tree_shape){.table = true,
                                            .cpu = figures->cpu,
                                            .has_cpu = fold->profile->coverage.has_switches,
                                            .waits_estimated = fold->profile->coverage.sparse_switches,
                                            .has_budget = fold->profile->estimated_nodes != NULL,
                                            .time = recording->time};
  callers->shown.items = callers->columns;
  callers->shown.count = prof_tree_columns(callers->columns, &callers->shape);
  prof_tui_branch_columns(callers->columns, callers->shown.count);
  callers->columns[callers->shown.count++] =
      (struct prof_column){NULL, "FUNCTION, AND WHO CALLED IT", PROF_CELL_TEXT, PROF_CUT_NAME};
  status = prof_functions_rank(fold->profile, fold->samples, recording->names, PROF_BY_FUNCTION, recording->time,
                               sorts[sort], diag, &rows);
  if (status == PROF_OK && !take_roots(callers, &rows))
    status = prof_diag_memory(diag);
  prof_functions_free(&rows);
  return status;
}

prof_status prof_tui_callers_build(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                   struct prof_tui_rows *out) {
  struct callers *callers = calloc(1, sizeof *callers);
  if (!callers)
    return prof_diag_memory(diag);
  prof_status status = find(callers, figures, request->sort, diag);
  if (status == PROF_OK)
    *out = (struct prof_tui_rows){.type = &type, .rows = callers};
  else
    callers_free(callers);
  return status;
}
