/*
 * tools/analysis/gpu/gpu_cost.c - see gpu_cost.h.
 *
 * A caller's path has a lower number than its callees' paths, so that one pass finds the shown frames of every path.
 */
#include "analysis/gpu/gpu_cost.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/gpu_leads.h"
#include "analysis/tree_grow.h"
#include "base/diag.h"
#include "names/process_names.h"

struct costs {
  const struct prof_gpu_study *study;
  uint64_t *own;                    /* by path, ticks */
  struct prof_filter_state *states; /* by path: after its innermost frame */
  uint32_t path_count;
};

static uint32_t function_slot(const struct costs *costs, uint32_t path) {
  size_t unknown;
  prof_trace_functions(costs->study->trace, &unknown);
  uint32_t function = prof_gpu_join_function(costs->study->join, path);
  return function < unknown ? function : (uint32_t)unknown;
}

/* false: no memory. */
static bool find_states(struct costs *costs) {
  const struct prof_filter *filter = costs->study->filter;
  bool by_caller = filter->active && filter->by_caller;
  uint8_t *leads = by_caller ? prof_gpu_leads_find(costs->study) : NULL;
  if (by_caller && !leads)
    return false;
  for (uint32_t path = 2; path < costs->path_count; path++) {
    uint32_t parent = prof_gpu_join_parent(costs->study->join, path);
    uint8_t elsewhere = by_caller && !leads[path] ? PROF_FILTER_ELSEWHERE : 0;
    if (filter->active)
      costs->states[path] =
          prof_filter_enter(filter, costs->states[parent], filter->flags[function_slot(costs, path)] | elsewhere);
    else
      costs->states[path].shown = true;
  }
  free(leads);
  return true;
}

static bool is_counted(const struct prof_gpu_study *study, const struct prof_gpu_span *span) {
  const struct prof_gpu_api_call *call = prof_gpu_study_call(study, span->call);
  uint64_t begin = span->start, end = span->start + 1;
  return call != NULL && prof_gpu_study_shows(study, call->path, call->thread) &&
         prof_gpu_study_clip(study, &begin, &end);
}

static void costs_fini(struct costs *costs) {
  free(costs->own);
  free(costs->states);
}

static bool costs_init(struct costs *costs, const struct prof_gpu_study *study) {
  *costs = (struct costs){.study = study, .path_count = prof_gpu_join_path_count(study->join)};
  costs->own = calloc(costs->path_count + 1, sizeof *costs->own);
  costs->states = calloc(costs->path_count + 1, sizeof *costs->states);
  if (costs->own == NULL || costs->states == NULL || !find_states(costs)) {
    costs_fini(costs);
    return false;
  }
  for (size_t i = 0; i < study->timeline.spans.count; i++) {
    const struct prof_gpu_span *span = &study->timeline.spans.items[i];
    if (is_counted(study, span))
      costs->own[prof_gpu_study_call(study, span->call)->path] += span->end - span->start;
  }
  return true;
}

/* ---- rows ---- */

struct row_sums {
  const struct prof_gpu_study *study;
  struct prof_function_rows *rows;
  enum prof_group by;
  uint32_t *row_of; /* by function slot, or by thread: row + 1; 0: none */
  uint32_t *stamp;  /* by row: the last path that was added to it */
  uint64_t *own, *total;
};

/* Rows of threads, processes or commands. */
static void map_threads(struct row_sums *sums) {
  size_t count;
  const prof_trace *trace = sums->study->trace;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  for (uint32_t i = 0; i < count; i++)
    for (size_t r = 0; r < sums->rows->count && !sums->row_of[i]; r++) {
      const struct prof_function_row *row = &sums->rows->rows[r];
      bool fits = sums->by == PROF_BY_THREAD ? row->index == i
                  : sums->by == PROF_BY_PROCESS
                      ? row->index == threads[i].process
                      : !strcmp(row->program, prof_process_program(trace, threads[i].process));
      sums->row_of[i] = fits ? (uint32_t)r + 1 : 0;
    }
}

static void map_functions(struct row_sums *sums, size_t count) {
  const struct prof_function *functions = prof_trace_functions(sums->study->trace, &count);
  for (size_t r = 0; r < sums->rows->count; r++) {
    const struct prof_function_row *row = &sums->rows->rows[r];
    if (prof_group_is_single(sums->by))
      sums->row_of[row->index == PROF_NONE ? count : row->index] = (uint32_t)r + 1;
    for (size_t f = 0; sums->by == PROF_BY_MODULE && f < count; f++)
      if (functions[f].module == row->index)
        sums->row_of[f] = (uint32_t)r + 1;
    for (size_t f = 0; sums->by == PROF_BY_FILE && f < count; f++)
      if (strcmp(prof_names_file(sums->study->names, (uint32_t)f), row->name) == 0)
        sums->row_of[f] = (uint32_t)r + 1;
  }
}

static void sum_paths(struct row_sums *sums, const struct costs *costs) {
  for (uint32_t path = 2; path < costs->path_count; path++) {
    bool innermost = true;
    for (uint32_t at = costs->own[path] > 0 ? path : 0; at != 0; at = prof_gpu_join_parent(costs->study->join, at)) {
      uint32_t row = costs->states[at].shown ? sums->row_of[function_slot(costs, at)] : 0;
      if (costs->states[at].shown && innermost) {
        innermost = false;
        if (row > 0)
          sums->own[row - 1] += costs->own[path];
      }
      if (row > 0 && sums->stamp[row - 1] != path)
        sums->total[row - 1] += costs->own[path];
      if (row > 0)
        sums->stamp[row - 1] = path;
    }
  }
}

static void sum_threads(struct row_sums *sums) {
  const struct prof_gpu_study *study = sums->study;
  for (size_t i = 0; i < study->timeline.spans.count; i++) {
    const struct prof_gpu_span *span = &study->timeline.spans.items[i];
    const struct prof_gpu_api_call *call = prof_gpu_study_call(study, span->call);
    uint32_t row = is_counted(study, span) && call->thread != PROF_NONE ? sums->row_of[call->thread] : 0;
    if (row == 0)
      continue;
    sums->own[row - 1] += span->end - span->start;
    sums->total[row - 1] += span->end - span->start;
  }
}

prof_status prof_gpu_cost_rows(const struct prof_gpu_study *study, struct prof_function_rows *rows,
                               enum prof_group by) {
  size_t functions, threads;
  struct costs costs;
  prof_trace_functions(study->trace, &functions);
  prof_trace_threads(study->trace, &threads);
  size_t slots = (prof_group_is_of_threads(by) ? threads : functions) + 1;
  struct row_sums sums = {.study = study, .rows = rows, .by = by, .row_of = calloc(slots, sizeof *sums.row_of)};
  sums.stamp = calloc(rows->count + 1, sizeof *sums.stamp);
  sums.own = calloc(rows->count + 1, sizeof *sums.own);
  sums.total = calloc(rows->count + 1, sizeof *sums.total);
  bool good = sums.row_of != NULL && sums.stamp != NULL && sums.own != NULL && sums.total != NULL;
  good = good && costs_init(&costs, study);
  if (good) {
    if (prof_group_is_of_threads(by)) {
      map_threads(&sums);
      sum_threads(&sums);
    } else {
      map_functions(&sums, slots - 1);
      sum_paths(&sums, &costs);
    }
    for (size_t r = 0; r < rows->count; r++) {
      rows->rows[r].gpu_self_ns = prof_trace_ns(study->trace, sums.own[r]);
      rows->rows[r].gpu_total_ns = prof_trace_ns(study->trace, sums.total[r]);
    }
    costs_fini(&costs);
  }
  free(sums.row_of);
  free(sums.stamp);
  free(sums.own);
  free(sums.total);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

/* ---- a tree of calls ---- */

static uint32_t child_of(const struct prof_tree *tree, uint32_t node, uint32_t function) {
  uint32_t child = tree->nodes[node].first_child;
  while (child != PROF_NONE && tree->nodes[child].function != function)
    child = tree->nodes[child].next_sibling;
  return child;
}

/* nodes: by path, the node that gets its time; missing: the tree has no node for its innermost shown frame. */
static void find_nodes(const struct costs *costs, const struct prof_tree *tree, uint32_t *nodes, uint8_t *missing) {
  for (uint32_t path = 2; path < costs->path_count; path++) {
    uint32_t parent = prof_gpu_join_parent(costs->study->join, path), node = nodes[parent], child = PROF_NONE;
    if (costs->states[path].shown && !missing[parent])
      child = child_of(tree, node, prof_gpu_join_function(costs->study->join, path));
    missing[path] = missing[parent] || (costs->states[path].shown && child == PROF_NONE);
    nodes[path] = child != PROF_NONE ? child : node;
  }
}

prof_status prof_gpu_cost_tree(const struct prof_gpu_study *study, struct prof_tree *tree) {
  struct costs costs;
  uint32_t path_count = prof_gpu_join_path_count(study->join);
  uint32_t *nodes = calloc(path_count + 1, sizeof *nodes);
  uint8_t *missing = calloc(path_count + 1, 1);
  uint64_t *own = calloc(tree->count + 1, sizeof *own), *total = calloc(tree->count + 1, sizeof *total);
  bool good = nodes != NULL && missing != NULL && own != NULL && total != NULL && costs_init(&costs, study);
  if (good) {
    find_nodes(&costs, tree, nodes, missing);
    for (uint32_t path = 0; path < path_count; path++) {
      total[nodes[path]] += costs.own[path];
      own[nodes[path]] += missing[path] ? 0 : costs.own[path];
    }
    for (uint32_t i = tree->count; i > 1; i--) /* parents come before children */
      total[tree->nodes[i - 1].parent] += total[i - 1];
    for (uint32_t i = 0; i < tree->count; i++) {
      tree->nodes[i].gpu_self_ns = prof_trace_ns(study->trace, own[i]);
      tree->nodes[i].gpu_total_ns = prof_trace_ns(study->trace, total[i]);
    }
    costs_fini(&costs);
  }
  free(nodes);
  free(missing);
  free(own);
  free(total);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

/* ---- a tree of GPU time ---- */

struct growth {
  struct costs costs;
  struct prof_growing growing;
  PROF_VEC(uint32_t) others; /* record << 28 | name, of leaves that aren't kernels */
  uint32_t *nodes;           /* by path */
  uint32_t first;
};

/* The leaf's number: kernels by their index, then the others in order of first use; PROF_NONE: no memory. */
static uint32_t leaf_of(struct growth *growth, const struct prof_gpu_span *span) {
  uint32_t kernels = (uint32_t)growth->costs.study->timeline.kernel_names.count;
  uint32_t other = (uint32_t)span->record << 28 | (span->name & ((1u << 28) - 1));
  size_t i = 0;
  if (span->record == PROF_GPU_KERNEL)
    return growth->first + span->name;
  while (i < growth->others.count && growth->others.items[i] != other)
    i++;
  if (i == growth->others.count && !prof_vec_push(&growth->others, other))
    return PROF_NONE;
  return growth->first + kernels + (uint32_t)i;
}

static bool grow_paths(struct growth *growth) {
  for (uint32_t path = 2; path < growth->costs.path_count; path++) {
    uint32_t node = growth->nodes[prof_gpu_join_parent(growth->costs.study->join, path)];
    if (growth->costs.states[path].shown)
      node = prof_growing_child(&growth->growing, node, prof_gpu_join_function(growth->costs.study->join, path));
    if (growth->costs.states[path].shown && node == 0)
      return false;
    growth->nodes[path] = node;
  }
  return true;
}

static bool grow_leaves(struct growth *growth) {
  const struct prof_gpu_study *study = growth->costs.study;
  for (size_t i = 0; i < study->timeline.spans.count; i++) {
    const struct prof_gpu_span *span = &study->timeline.spans.items[i];
    uint64_t ticks = span->end - span->start;
    if (!is_counted(study, span))
      continue;
    uint32_t leaf = leaf_of(growth, span), path = prof_gpu_study_call(study, span->call)->path;
    uint32_t node = leaf != PROF_NONE ? prof_growing_child(&growth->growing, growth->nodes[path], leaf) : 0;
    if (node == 0)
      return false;
    struct prof_growing_node *nodes = growth->growing.nodes.items;
    nodes[node].self_ticks += ticks;
    for (uint32_t at = node;; at = nodes[at].parent) {
      nodes[at].calls++;
      nodes[at].total_ticks += ticks;
      if (at == 0)
        break;
    }
  }
  return true;
}

static bool name_leaves(struct growth *growth, struct prof_gpu_study *study, struct prof_gpu_flame *out) {
  size_t kernels = study->timeline.kernel_names.count;
  size_t frames = growth->first - out->first;
  out->name_count = frames + kernels + growth->others.count;
  out->names = prof_arena_array(&study->texts, out->name_count + 1, sizeof *out->names);
  for (size_t i = 0; out->names != NULL && i < frames; i++)
    out->names[i] = study->frames[i];
  for (size_t i = 0; out->names != NULL && i < kernels; i++)
    out->names[frames + i] = study->short_kernels[i];
  for (size_t i = 0; out->names != NULL && i < growth->others.count; i++) {
    struct prof_gpu_span span = {.record = (uint8_t)(growth->others.items[i] >> 28),
                                 .name = growth->others.items[i] & ((1u << 28) - 1)};
    out->names[frames + kernels + i] = prof_gpu_study_what(study, &span, true);
  }
  return out->names != NULL;
}

prof_status prof_gpu_cost_flame(struct prof_gpu_study *study, const struct prof_tree_limits *limits,
                                struct prof_diag *diag, struct prof_gpu_flame *out) {
  size_t functions;
  struct growth growth = {0};
  prof_trace_functions(study->trace, &functions);
  *out = (struct prof_gpu_flame){.first = (uint32_t)functions};
  growth.first = out->first + prof_gpu_join_name_count(study->join); /* of the leaves */
  if (!costs_init(&growth.costs, study))
    return prof_diag_memory(diag);
  growth.nodes = calloc(growth.costs.path_count + 1, sizeof *growth.nodes);
  bool good = growth.nodes != NULL && prof_growing_init(&growth.growing) && grow_paths(&growth) &&
              grow_leaves(&growth) && name_leaves(&growth, study, out);
  prof_status status = good ? PROF_OK : prof_diag_memory(diag);
  if (good)
    status = prof_growing_finish(&growth.growing, study->trace, limits, diag, &out->tree);
  costs_fini(&growth.costs);
  prof_growing_fini(&growth.growing);
  prof_vec_fini(&growth.others);
  free(growth.nodes);
  return status;
}
