/*
 * tools/analysis/gpu/gpu_leads.c - see gpu_leads.h.
 */
#include "analysis/gpu/gpu_leads.h"

#include <stdlib.h>

#include "base/index_map.h"
#include "fold/fold.h"

#define FIRST_PATH 2u /* those before it are outside of all calls */

/* The calls of the threads and the range that the filter shows, by --caller alone.  false: no memory. */
static bool fold(const struct prof_gpu_study *study, size_t functions, struct prof_folded *out) {
  struct prof_filter filter = *study->filter;
  filter.flags = calloc(functions + 1, 1);
  for (size_t i = 0; filter.flags && i <= functions; i++)
    filter.flags[i] = study->filter->flags[i] & PROF_FILTER_CALLER;
  filter.wants = 0;
  filter.has_only = filter.by_name = filter.by_place = filter.loops = false;
  filter.depth = 0;
  filter.min_ticks = 0;
  const struct prof_fold_task task = {.trace = study->trace, .filter = &filter};
  bool good = filter.flags && prof_fold_run(&task, NULL, out) == PROF_OK;
  free(filter.flags);
  return good;
}

static uint32_t parent_of(const struct prof_gpu_study *study, uint32_t path) {
  uint32_t parent = prof_gpu_join_parent(study->join, path);
  return parent < FIRST_PATH ? 0 : parent;
}

/* As the fold numbers it: an unknown one comes last. */
static uint32_t function_of(const struct prof_gpu_study *study, uint32_t path, uint32_t unknown) {
  uint32_t function = prof_gpu_join_function(study->join, path);
  return function == PROF_NONE ? unknown : function;
}

static bool number_paths(const struct prof_gpu_study *study, uint32_t unknown, struct prof_index_map *map) {
  bool good = true;
  for (uint32_t i = FIRST_PATH; good && i < prof_gpu_join_path_count(study->join); i++)
    good = prof_index_add(map, prof_index_hash(parent_of(study, i), function_of(study, i, unknown)), i);
  return good;
}

/* The path of each node of the fold, whose parents come first. */
static bool mark(const struct prof_gpu_study *study, uint32_t unknown, const struct prof_index_map *map,
                 const struct prof_fold_core *core, uint8_t *leads) {
  uint32_t *path_of = calloc(core->node_count + 1, sizeof *path_of);
  for (uint32_t i = 1; path_of && i < core->node_count; i++) {
    const struct prof_fold_node *node = &core->nodes[i];
    uint32_t outer = path_of[node->parent];
    path_of[i] = outer;
    if (node->parent == 0 || outer == PROF_NONE || prof_fold_is_forker(node->function)) /* a thread, or a forker */
      continue;
    path_of[i] = prof_index_find(map, prof_index_hash(outer, node->function), at,
                                 parent_of(study, at) == outer && function_of(study, at, unknown) == node->function);
    if (path_of[i] != PROF_NONE)
      leads[path_of[i]] = 1;
  }
  free(path_of);
  return path_of != NULL;
}

uint8_t *prof_gpu_leads_find(const struct prof_gpu_study *study) {
  size_t functions;
  struct prof_folded folded = {0};
  struct prof_index_map map = {0};
  prof_trace_functions(study->trace, &functions);
  uint8_t *leads = calloc(prof_gpu_join_path_count(study->join) + 1, 1);
  bool good = leads && fold(study, functions, &folded) && number_paths(study, (uint32_t)functions, &map) &&
              mark(study, (uint32_t)functions, &map, &folded.worker.core, leads);
  prof_folded_free(&folded);
  prof_index_fini(&map);
  if (good)
    return leads;
  free(leads);
  return NULL;
}
