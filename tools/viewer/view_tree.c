/*
 * tools/viewer/view_tree.c - see view_tree.h.
 */
#include "viewer/view_tree.h"

#include "analysis/tree.h"
#include "base/diag.h"
#include "viewer/columns.h"

#define FIRST_SHARE 1e-7 /* that is tried where not all paths fit */
#define NEXT_SHARE 2
#define ALWAYS PROF_COLUMN_ALWAYS

#define AT(member) offsetof(struct prof_tree_node, member)
static const struct prof_column_row columns[] = {
    {"calls", PROF_COLUMN_U64, AT(calls), ALWAYS},
    {"total_ns", PROF_COLUMN_U64, AT(total.elapsed), ALWAYS},
    {"self_ns", PROF_COLUMN_U64, AT(self.elapsed), ALWAYS},
    {"running_ns", PROF_COLUMN_U64, AT(total.running), ALWAYS},
    {"waiting_ns", PROF_COLUMN_U64, AT(total.waiting), ALWAYS},
    {"self_running_ns", PROF_COLUMN_U64, AT(self.running), ALWAYS},
    {"self_waiting_ns", PROF_COLUMN_U64, AT(self.waiting), ALWAYS},
    {"calls_estimated", PROF_COLUMN_BOOL, AT(calls_estimated), ALWAYS},
    {"total_estimated", PROF_COLUMN_BOOL, AT(total_estimated), ALWAYS},
    {"self_estimated", PROF_COLUMN_BOOL, AT(self_estimated), ALWAYS},
    {NULL, 0, 0, 0},
};

/* The largest tree with at most so many nodes below the first. */
static prof_status select_tree(const struct prof_profile *profile, const struct prof_process_groups *groups,
                               uint32_t most, struct prof_diag *diag, struct prof_tree *tree) {
  struct prof_tree_limits limits = {.time = PROF_TIME_ELAPSED, .groups = groups};
  prof_status status = prof_tree_select(profile, NULL, &limits, diag, tree);
  for (limits.min_share = FIRST_SHARE; status == PROF_OK && tree->count > most + 1 && limits.min_share < 1;
       limits.min_share *= NEXT_SHARE) {
    prof_tree_free(tree);
    status = prof_tree_select(profile, NULL, &limits, diag, tree);
  }
  return status;
}

/* Rows: nodes from 1 on; a row's parent is one less than the node. */
static void write_tree(struct prof_view_frames *frames, const struct prof_tree *tree, bool by_thread,
                       struct prof_json *json) {
  const struct prof_tree_node *nodes = tree->nodes;
  prof_json_array(json, "parent");
  for (uint32_t i = 1; i < tree->count; i++)
    prof_json_number(json, NULL, (double)nodes[i].parent - 1);
  prof_json_array_end(json);
  prof_json_array(json, "frame");
  for (uint32_t i = 1; i < tree->count; i++)
    if (prof_frame_is_group(nodes[i].function))
      prof_columns_minus(json);
    else
      prof_json_count(json, NULL, prof_view_frame(frames, nodes[i].function));
  prof_json_array_end(json);
  if (by_thread) {
    prof_json_array(json, "thread");
    for (uint32_t i = 1; i < tree->count; i++)
      if (prof_frame_is_group(nodes[i].function))
        prof_json_count(json, NULL, nodes[i].function - PROF_FRAME_GROUPS);
      else
        prof_columns_minus(json);
    prof_json_array_end(json);
  }
  prof_columns_write(json, columns, nodes + 1, tree->count ? tree->count - 1 : 0, sizeof *nodes);
}

prof_status prof_view_tree_write(struct prof_view_frames *frames, const struct prof_profile *profile, bool by_thread,
                                 uint32_t most, struct prof_diag *diag, struct prof_json *json, uint64_t *hidden) {
  struct prof_tree tree = {.nodes = NULL};
  struct prof_process_groups each = {.count = 0}; /* a group for each thread */
  size_t threads;
  prof_trace_threads(profile->trace, &threads);
  if (by_thread) {
    each.of_thread = malloc((threads + 1) * sizeof *each.of_thread);
    if (!each.of_thread)
      return prof_diag_memory(diag);
    each.count = (uint32_t)threads;
    for (uint32_t i = 0; i < threads; i++)
      each.of_thread[i] = i;
  }
  prof_status status = select_tree(profile, by_thread ? &each : NULL, most, diag, &tree);
  if (status == PROF_OK) {
    write_tree(frames, &tree, by_thread, json);
    *hidden = tree.hidden;
  }
  prof_tree_free(&tree);
  free(each.of_thread);
  return status;
}
