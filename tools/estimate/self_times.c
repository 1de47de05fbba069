/*
 * tools/estimate/self_times.c - see self_times.h.
 */
#include "estimate/self_times.h"

#include <stdlib.h>
#include <string.h>

bool prof_self_times_init(struct prof_self_times *selves, uint32_t function_count, const struct prof_fold_core *core) {
  *selves = (struct prof_self_times){0};
  selves->of = calloc((size_t)function_count + 1, sizeof *selves->of);
  selves->items = calloc((size_t)core->calling_count + 1, sizeof *selves->items);
  return selves->of && selves->items;
}

void prof_self_times_fini(struct prof_self_times *selves) {
  free(selves->of);
  free(selves->items);
  memset(selves, 0, sizeof *selves);
}

void prof_self_times_settle(struct prof_self_times *selves, struct prof_histogram_pool *pool,
                            struct prof_histogram *durations, uint32_t function, const struct prof_histogram_pool *from,
                            const struct prof_fold_core *core, uint32_t key) {
  if (core->calling_of[key] == 0)
    return;
  const struct prof_fold_calling *calling = &core->callings[core->calling_of[key]];
  if (selves->of[function] == 0) {
    selves->of[function] = ++selves->count;
    prof_histogram_merge(pool, &selves->items[selves->count - 1], pool, durations);
  }
  prof_histogram_merge(pool, &selves->items[selves->of[function] - 1], from, &calling->self);
  prof_histogram_merge(pool, durations, from, &calling->total);
}
