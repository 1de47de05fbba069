/*
 * tools/export/call_path.h - the calls beneath one node of the profile, depth first, each with its path.
 *
 *    struct prof_call_path path = {.profile = profile};
 *    for (bool more = prof_call_path_begin(&path, node); more; more = prof_call_path_next(&path))
 *      ... path.node, path.functions[0 .. path.count) ...
 *    if (path.failed) ... no memory ...
 *    prof_call_path_fini(&path);
 *
 * With leaves (analysis/lines/line_leaves.h), each call is followed by its leaves as paths of their own, and what they
 * have is no time of the call's.
 *
 * With a limit, paths end at that depth and the time beneath belongs to their last call: formats that write every path
 * in full would grow with the square of a recursion's depth.
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
  const struct prof_process_groups *groups; /* each path begins with its thread's; NULL or none: with no group */
  uint32_t top;                             /* the node that it began at; not part of the path */
  uint32_t node;                            /* now */
  uint32_t leaf;       /* now: index + 1 into the leaves' items, a leaf of `node`; 0: the node itself */
  uint32_t *functions; /* as in struct prof_node, outermost first, down to `node` or its leaf's number */
  size_t count, capacity;
  bool has_group;    /* the first one is a group */
  size_t limit;      /* longest path; 0: none */
  uint64_t too_deep; /* paths that had calls beneath the limit; counted on, also by further rounds */
  bool failed;
};

#define PROF_CALL_PATH_LIMIT 2000 /* for formats with whole paths */

/* The first call beneath `top`; false: none.  May be called again with another top. */
bool prof_call_path_begin(struct prof_call_path *, uint32_t top);
bool prof_call_path_next(struct prof_call_path *);
/* Of the present node, of that kind: its own time, or at the limit all that it has. */
uint64_t prof_call_path_self_ticks(const struct prof_call_path *);
void prof_call_path_fini(struct prof_call_path *);

#endif
