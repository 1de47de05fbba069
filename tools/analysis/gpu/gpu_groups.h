/*
 * tools/analysis/gpu/gpu_groups.h - groups GPU activities: per kernel or kind of copy, per host path.
 *
 * Used by gpu.c, which reads them, for its rows.  The caller defines keys; a group exists once for each key, path and
 * path of creation.
 */
#ifndef PROF_ANALYSIS_GPU_GROUPS_H
#define PROF_ANALYSIS_GPU_GROUPS_H

#include <stdbool.h>

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/histogram.h"

struct prof_gpu_group {
  uint32_t key, path, call; /* call: a text of `source` */
  uint32_t created;         /* nodes of graphs: the path that created them; 0: none, or not known */
  uint32_t source;
  uint64_t count, timed, total, min, max, bytes; /* ticks */
  uint64_t grid[3], block[3];
  bool grids_differ;
  uint64_t registers, static_shared, dynamic_shared; /* maxima */
  uint64_t first_registers, first_shared;            /* of the first launch; `device`: its device */
  uint32_t device;
  struct prof_histogram durations;
};

struct prof_gpu_groups {
  PROF_VEC(struct prof_gpu_group) items;
  struct prof_index_map known;
  struct prof_histogram_pool histograms;
};

/* The group, made if needed; NULL: no memory.  Valid until the next one is made. */
struct prof_gpu_group *prof_gpu_groups_at(struct prof_gpu_groups *, uint32_t key, uint32_t path, uint32_t created);
void prof_gpu_groups_add(struct prof_gpu_groups *, struct prof_gpu_group *, uint64_t duration, bool timed);

/* Adds each group of `from` to the group in `into` with the same key and path 0; false: no memory. */
bool prof_gpu_groups_sum(struct prof_gpu_groups *into, const struct prof_gpu_groups *from);
void prof_gpu_groups_fini(struct prof_gpu_groups *);

#endif
