/*
 * tools/analysis/gpu/gpu_groups.c - see gpu_groups.h.
 */
#include "analysis/gpu/gpu_groups.h"

#include <string.h>

struct prof_gpu_group *prof_gpu_groups_at(struct prof_gpu_groups *groups, uint32_t key, uint32_t path,
                                          uint32_t created) {
  const struct prof_gpu_group *all = groups->items.items, fresh = {.key = key, .path = path, .created = created};
  uint32_t at = prof_index_meet(&groups->known, &groups->items, prof_index_hash((uint64_t)key << 32 | path, created), i,
                                all[i].key == key && all[i].path == path && all[i].created == created, fresh);
  return at != UINT32_MAX ? &groups->items.items[at] : NULL;
}

void prof_gpu_groups_add(struct prof_gpu_groups *groups, struct prof_gpu_group *group, uint64_t duration, bool timed) {
  group->count++;
  if (!timed)
    return;
  group->min = group->timed == 0 || duration < group->min ? duration : group->min;
  group->max = duration > group->max ? duration : group->max;
  group->timed++;
  group->total += duration;
  prof_histogram_add(&groups->histograms, &group->durations, duration);
}

static void keep_larger(uint64_t *to, uint64_t value) {
  *to = value > *to ? value : *to;
}

bool prof_gpu_groups_sum(struct prof_gpu_groups *into, const struct prof_gpu_groups *from) {
  for (size_t i = 0; i < from->items.count; i++) {
    const struct prof_gpu_group *one = &from->items.items[i];
    struct prof_gpu_group *sum = prof_gpu_groups_at(into, one->key, 0, 0);
    if (sum == NULL)
      return false;
    if (sum->count == 0) {
      memcpy(sum->grid, one->grid, sizeof sum->grid);
      memcpy(sum->block, one->block, sizeof sum->block);
      sum->first_registers = one->first_registers;
      sum->first_shared = one->first_shared;
      sum->device = one->device;
    }
    sum->grids_differ |= one->grids_differ || memcmp(sum->grid, one->grid, sizeof sum->grid) != 0 ||
                         memcmp(sum->block, one->block, sizeof sum->block) != 0;
    if (one->timed > 0)
      sum->min = sum->timed == 0 || one->min < sum->min ? one->min : sum->min;
    keep_larger(&sum->max, one->max);
    keep_larger(&sum->registers, one->registers);
    keep_larger(&sum->static_shared, one->static_shared);
    keep_larger(&sum->dynamic_shared, one->dynamic_shared);
    sum->count += one->count;
    sum->timed += one->timed;
    sum->total += one->total;
    sum->bytes += one->bytes;
    prof_histogram_merge(&into->histograms, &sum->durations, &from->histograms, &one->durations);
  }
  return !into->histograms.failed;
}

void prof_gpu_groups_fini(struct prof_gpu_groups *groups) {
  prof_vec_fini(&groups->items);
  prof_index_fini(&groups->known);
  prof_histogram_pool_free(&groups->histograms);
  *groups = (struct prof_gpu_groups){0};
}
