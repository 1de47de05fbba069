/*
 * tools/export/call_path.h - iterates over the calls below a node of the profile, depth first, each with its path.
 *
 *    struct prof_call_path path = {.profile = profile};
 *    for (bool more = prof_call_path_begin(&path, node); more; more = prof_call_path_next(&path))
 *      ... path.node, path.functions[0 .. path.count) ...
 *    if (path.failed) ... no memory ...
 *    prof_call_path_fini(&path);
 *
 * With leaves (analysis/lines/line_leaves.h), each call is followed by its leaves as paths of their own; their time is
 * not part of the call's self time.
 *
 * With a limit, paths end at that depth and the time below belongs to their last call.  Without it, formats that write
 * every path in full would grow with the square of a recursion's depth.
 */
#ifndef PROF_EXPORT_CALL_PATH_H
#define PROF_EXPORT_CALL_PATH_H

#include <stdbool.h>

#include "analysis/lines/line_leaves.h"
#include "estimate/profile.h"

struct prof_call_path {
  const struct prof_profile *profile;
  enum prof_time_kind time;
  const struct prof_line_leaves *leaves;    /* of that kind; may be NULL */
  const struct prof_process_groups *groups; /* each path begins with its thread's group; NULL or empty: no groups */
  uint32_t top;                             /* the start node; not part of the path */
  uint32_t node;                            /* the current one */
  uint32_t leaf;       /* current leaf of `node`: its index + 1 in the leaves' items; 0: the node itself */
  uint32_t leaf_depth; /* of the path's end: 0, 1, or 2 with the line that the leaf is under */
  uint32_t *functions; /* as in struct prof_node, outermost first, down to `node` or its leaf's number */
  size_t count, capacity;
  bool has_group;    /* functions[0] is a group */
  size_t limit;      /* longest path; 0: none */
  uint64_t too_deep; /* paths with calls below the limit; a sum over all walks */
  bool failed;
};

#define PROF_CALL_PATH_LIMIT 2000 /* for formats with complete paths */

/* Moves to the first call below `top`; false: none.  May be called again with another top. */
bool prof_call_path_begin(struct prof_call_path *, uint32_t top);
bool prof_call_path_next(struct prof_call_path *);
/* Time of the current node, of kind `time`: self time, or total at the limit. */
uint64_t prof_call_path_self_ticks(const struct prof_call_path *);
void prof_call_path_fini(struct prof_call_path *);

#endif
