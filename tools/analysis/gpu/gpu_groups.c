/*
 * tools/analysis/gpu/gpu_groups.c - see gpu_groups.h.
 */
#include "analysis/gpu/gpu_groups.h"

#include <string.h>

static size_t slot_of(const struct prof_gpu_groups *groups, uint32_t key, uint32_t path, uint32_t created) {
  uint64_t hash = (key * 0x9e3779b97f4a7c15ull) ^ (path * 0xd1b54a32d192ed03ull) ^ (created * 0x8cb92ba72f3d8dd7ull);
  size_t slot = (size_t)(hash >> 32) & (groups->slots - 1);
  for (; groups->table[slot] != 0; slot = (slot + 1) & (groups->slots - 1)) {
    const struct prof_gpu_group *group = &groups->items.items[groups->table[slot] - 1];
    if (group->key == key && group->path == path && group->created == created)
      break;
  }
  return slot;
}

static bool grow(struct prof_gpu_groups *groups) {
  size_t slots = groups->slots != 0 ? 2 * groups->slots : 64;
  uint32_t *table = calloc(slots, sizeof *table);
  if (table == NULL)
    return false;
  free(groups->table);
  groups->table = table;
  groups->slots = slots;
  for (size_t i = 0; i < groups->items.count; i++)
    table[slot_of(groups, groups->items.items[i].key, groups->items.items[i].path, groups->items.items[i].created)] =
        (uint32_t)i + 1;
  return true;
}

struct prof_gpu_group *prof_gpu_groups_at(struct prof_gpu_groups *groups, uint32_t key, uint32_t path,
                                          uint32_t created) {
  if (2 * (groups->items.count + 1) > groups->slots && !grow(groups))
    return NULL;
  size_t slot = slot_of(groups, key, path, created);
  if (groups->table[slot] == 0) {
    if (!prof_vec_push(&groups->items, (struct prof_gpu_group){.key = key, .path = path, .created = created}))
      return NULL;
    groups->table[slot] = (uint32_t)groups->items.count;
  }
  return &groups->items.items[groups->table[slot] - 1];
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
  free(groups->table);
  prof_histogram_pool_free(&groups->histograms);
  *groups = (struct prof_gpu_groups){0};
}
