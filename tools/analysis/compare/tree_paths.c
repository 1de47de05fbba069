/*
 * tools/analysis/compare/tree_paths.c - see tree_paths.h.
 */
#include "analysis/compare/tree_paths.h"

#include <stdlib.h>

#include "base/diag.h"

prof_status prof_tree_paths(const struct prof_tree *tree, struct prof_names *names, const char *const *extra_names,
                            uint32_t first_extra, struct prof_diag *diag, struct prof_path_sums *out) {
  uint32_t *place = calloc((size_t)tree->count + 1, sizeof *place);
  bool started = place && prof_path_sums_init(out), done = started;
  for (uint32_t i = 1; done && i < tree->count; i++) { /* node 0's own time is that of no call */
    const struct prof_tree_node *node = &tree->nodes[i];
    const bool extra = extra_names && node->function != PROF_NONE && node->function >= first_extra &&
                       !prof_frame_is_group(node->function);
    uint32_t frame = prof_path_sums_frame(
        out, extra ? extra_names[node->function - first_extra] : prof_names_function(names, node->function), NULL,
        NULL);
    place[i] = frame == UINT32_MAX ? UINT32_MAX : prof_path_sums_child(out, place[node->parent], frame);
    done = place[i] != UINT32_MAX;
    if (done) {
      out->nodes.items[place[i]].self += (double)node->self_ns;
      out->nodes.items[place[i]].estimated |= node->self_estimated;
    }
  }
  free(place);
  if (done) {
    out->unit = PROF_PATHS_NS;
    return PROF_OK;
  }
  if (started)
    prof_path_sums_fini(out);
  return prof_diag_memory(diag);
}
