/*
 * tools/fold/loops.c - loops in the fold: the iterations that VALUEs tell.  See piece.h.
 */
#include "fold/piece.h"

uint32_t prof_fold_value_loop(struct prof_fold_worker *worker, uint32_t site, uint32_t *kind) {
  struct prof_fold_worker_site *known = &worker->sites[site & (PROF_FOLD_SITES - 1)];
  if (known->site != site || site == 0) {
    struct prof_site_info info = prof_trace_site(worker->trace, site);
    *known = (struct prof_fold_worker_site){site, info.loop, info.kind};
  }
  *kind = known->kind;
  return known->loop;
}

static void add_entry(struct prof_loop_values *values, uint64_t iterations) {
  if (iterations == 0) {
    values->empty_entries++;
    return;
  }
  values->min_iterations =
      values->known_entries && values->min_iterations < iterations ? values->min_iterations : iterations;
  values->max_iterations = values->max_iterations > iterations ? values->max_iterations : iterations;
  values->known_entries++;
  values->iterations += iterations;
}

void prof_fold_value_add(struct prof_fold_worker *worker, uint32_t loop, uint32_t kind, uint64_t value) {
  if (!worker->values || loop == PROF_NONE)
    return;
  struct prof_loop_values *values = &worker->values[loop];
  if ((kind & PROF_SITE_KIND_MASK) != PROF_SITE_LOOP_COUNT)
    add_entry(values, value);
  else if (kind & PROF_SITE_COUNTS_ENTRIES)
    values->counted_entries += value;
  else
    values->counted_iterations += value;
}

void prof_loop_values_merge(struct prof_loop_values *into, const struct prof_loop_values *from, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t min = from[i].min_iterations;
    if (from[i].known_entries && (!into[i].known_entries || min < into[i].min_iterations))
      into[i].min_iterations = min;
    if (from[i].max_iterations > into[i].max_iterations)
      into[i].max_iterations = from[i].max_iterations;
    into[i].known_entries += from[i].known_entries;
    into[i].empty_entries += from[i].empty_entries;
    into[i].iterations += from[i].iterations;
    into[i].counted_entries += from[i].counted_entries;
    into[i].counted_iterations += from[i].counted_iterations;
  }
}

uint64_t prof_fold_loops_among(const struct prof_fold_core *core, uint64_t count) {
  uint64_t loops = 0, held = count > core->beyond ? count - core->beyond : 0;
  for (uint32_t at = core->depth; at > 0 && held > 0; at--, held--)
    loops += core->stack[at].node & PROF_FOLD_LOOP ? 1 : 0;
  return loops;
}
