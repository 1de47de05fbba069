/*
 * tools/command/tui/tui_tree.c - the panel of the call tree: rows and fields of `prof tree --min-share=0`.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/tree.h"
#include "base/diag.h"
#include "base/order.h"
#include "command/gpu/gpu_time.h"
#include "command/tree_fields.h"
#include "panels.h"
#include "row_table.h"

struct tree {
  struct prof_tree tree; /* siblings are linked in the order of the sort */
  const prof_trace *trace;
  struct prof_names *names;
  struct prof_tree_shape shape;
  struct prof_column columns[PROF_TREE_MOST_FIELDS];
  struct prof_tui_columns shown;
};

static void tree_free(void *rows) {
  prof_tree_free(&((struct tree *)rows)->tree);
  free(rows);
}

static uint32_t first_row(void *rows, uint32_t item) {
  const struct tree *tree = rows;
  return tree->tree.nodes[item == PROF_TUI_NONE ? 0 : item].first_child;
}

static uint32_t next_row(void *rows, uint32_t item) {
  return ((const struct tree *)rows)->tree.nodes[item].next_sibling;
}

static uint32_t parent_of(void *rows, uint32_t item) {
  uint32_t parent = ((const struct tree *)rows)->tree.nodes[item].parent;
  return parent ? parent : PROF_TUI_NONE;
}

static bool has_children(void *rows, uint32_t item) {
  return ((const struct tree *)rows)->tree.nodes[item].first_child != PROF_NONE;
}

static const char *name_of(void *rows, uint32_t item) {
  const struct tree *tree = rows;
  return prof_names_apart(tree->names, tree->tree.nodes[item].function);
}

static struct prof_tui_place place_of(void *rows, uint32_t item) {
  const struct tree *tree = rows;
  return prof_tui_branch_place(tree->trace, tree->tree.nodes[item].function);
}

static double weight_of(void *rows, uint32_t item) {
  const struct tree *tree = rows;
  uint64_t all = tree->tree.nodes[0].total_ns;
  return all ? (double)tree->tree.nodes[item].self_ns / (double)all : 0;
}

static void add_cells(void *rows, const struct prof_tui_row *shown, struct prof_table *table) {
  const struct tree *tree = rows;
  prof_tree_cells(table, &tree->shape, &tree->tree.nodes[shown->item], PROF_NONE);
  prof_tui_branch_cell(table, shown, has_children(rows, shown->item), name_of(rows, shown->item), tree->shown.levels);
}

static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  return prof_tui_table_print(&((struct tree *)rows)->shown, rows, add_cells, shown, count, look, file);
}

static const struct prof_tui_rows_type type = {.first = first_row,
                                               .next = next_row,
                                               .parent = parent_of,
                                               .has_children = has_children,
                                               .deep = true,
                                               .name = name_of,
                                               .place = place_of,
                                               .weight = weight_of,
                                               .print = print,
                                               .free = tree_free};

/* ---- order of siblings ---- */

enum { BY_TOTAL, BY_SELF, BY_CALLS, BY_NAME }; /* as prof_tui_tree_sorts */

struct order {
  struct tree *tree;
  unsigned sort;
};

static int compare(const void *a, const void *b, void *context) {
  const struct order *order = context;
  uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  const struct prof_tree_node *left = &order->tree->tree.nodes[first], *right = &order->tree->tree.nodes[second];
  int result = 0;
  if (order->sort == BY_SELF)
    result = prof_order(right->self_ns, left->self_ns);
  else if (order->sort == BY_CALLS)
    result = prof_order(right->calls, left->calls);
  else if (order->sort == BY_NAME)
    result = strcmp(name_of(order->tree, first), name_of(order->tree, second));
  return result ?: prof_order(first, second); /* nodes stand by total */
}

/* Links the children of each node in order; false: no memory. */
static bool sort_siblings(struct tree *tree, unsigned sort) {
  struct order order = {tree, sort};
  PROF_VEC(uint32_t) children = {0};
  bool good = true;
  for (uint32_t i = 0; sort != BY_TOTAL && i < tree->tree.count && good; i++) {
    struct prof_tree_node *nodes = tree->tree.nodes;
    children.count = 0;
    for (uint32_t at = nodes[i].first_child; at != PROF_NONE && good; at = nodes[at].next_sibling)
      good = prof_vec_push(&children, at);
    if (!good || children.count < 2)
      continue;
    qsort_r(children.items, children.count, sizeof *children.items, compare, &order);
    nodes[i].first_child = children.items[0];
    for (size_t j = 0; j < children.count; j++)
      nodes[children.items[j]].next_sibling = j + 1 < children.count ? children.items[j + 1] : PROF_NONE;
  }
  prof_vec_fini(&children);
  return good;
}

static prof_status find(struct tree *tree, struct prof_tui_figures *figures, unsigned sort, struct prof_diag *diag) {
  const struct prof_tui_fold *fold = NULL;
  prof_status status =
      prof_tui_figures_fold(figures, figures->given->loops ? PROF_TUI_FOLD_LEVELS : PROF_TUI_FOLD_PLAIN, diag, &fold);
  if (status != PROF_OK)
    return status;
  const struct prof_reader *reader = &figures->now->reader;
  const struct prof_tree_limits limits = {.time = reader->recording.time, .groups = &reader->recording.groups};
  const bool only_functions = !figures->given->loops && !figures->given->split; /* GPU work is attributed to these */
  tree->trace = reader->recording.trace;
  tree->names = reader->recording.names;
  tree->shape = (struct prof_tree_shape){.table = true,
                                         .cpu = figures->cpu,
                                         .has_gpu = only_functions && prof_gpu_time_is_there(reader),
                                         .has_cpu = fold->profile->coverage.has_switches,
                                         .waits_estimated = fold->profile->coverage.sparse_switches,
                                         .has_budget = fold->profile->estimated_nodes != NULL,
                                         .time = reader->recording.time};
  tree->shown.items = tree->columns;
  tree->shown.count = prof_tree_columns(tree->columns, &tree->shape);
  prof_tui_branch_columns(tree->columns, tree->shown.count);
  tree->columns[tree->shown.count++] = (struct prof_column){NULL, "CALL TREE", PROF_CELL_TEXT, PROF_CUT_NAME};
  status = prof_tree_select(fold->profile, NULL, &limits, diag, &tree->tree);
  if (status == PROF_OK && tree->shape.has_gpu)
    status = prof_gpu_time_tree(reader, &tree->tree, diag);
  if (status == PROF_OK && !sort_siblings(tree, sort))
    status = prof_diag_memory(diag);
  return status;
}

prof_status prof_tui_tree_build(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                struct prof_tui_rows *out) {
  struct tree *tree = calloc(1, sizeof *tree);
  if (!tree)
    return prof_diag_memory(diag);
  prof_status status = find(tree, figures, request->sort, diag);
  if (status == PROF_OK)
    *out = (struct prof_tui_rows){.type = &type, .rows = tree};
  else
    tree_free(tree);
  return status;
}
