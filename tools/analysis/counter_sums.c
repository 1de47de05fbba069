/*
 * tools/analysis/counter_sums.c - see counter_sums.h.
 *
 * Each sample is added to its own key, and once to each other key that is open around it.
 */
#include "analysis/counter_sums.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/functions.h"
#include "base/diag.h"
#include "base/order.h"
#include "estimate/profile_build.h"
#include "names/function_groups.h"
#include "names/loop_frames.h"
#include "names/process_groups.h"

#define FAILED (UINT32_MAX - 1) /* in place of a key: no memory */

struct summing {
  const prof_trace *trace;
  const struct prof_profile *profile;
  const struct prof_counted *counted;
  struct prof_names *names;
  const struct prof_counter_keys *keys;
  uint32_t *of;    /* key of each function, thread or node */
  uint64_t *stamp; /* per key: the sample that was added to its total last, counted from 1 */
  struct prof_counter_sums *out;
};

/* ---- keys ---- */

static bool is_of_threads(const struct summing *summing) {
  return summing->keys->by == PROF_COUNTERS_BY_GROUP && prof_group_is_of_threads(summing->keys->group);
}

/* A file's or module's key is its first function. */
static bool group_functions(struct summing *summing) {
  return prof_function_groups(summing->names, summing->keys->group == PROF_BY_FILE, summing->profile->function_count,
                              summing->of);
}

/* A process's or command's key is its first process. */
static bool group_threads(struct summing *summing, size_t threads) {
  struct prof_process_groups groups = {0};
  if (summing->keys->group == PROF_BY_THREAD)
    return true;
  if (prof_process_groups_make(summing->trace, summing->keys->group == PROF_BY_COMMAND, &groups) != PROF_OK)
    return false;
  for (size_t i = 0; i < threads; i++)
    summing->of[i] = groups.items[groups.of_thread[i]].process;
  prof_process_groups_free(&groups);
  return true;
}

static bool is_loop(const struct summing *summing, uint32_t node) {
  return prof_frame_loop(summing->trace, summing->profile->nodes[node].function) != PROF_NONE;
}

/* The paths of all threads together, as in a tree (tree.c). */
static bool grow_paths(struct summing *summing) {
  const struct prof_profile *profile = summing->profile;
  struct prof_growing *paths = &summing->out->paths;
  const struct prof_tree_limits limits = {.groups = summing->keys->groups};
  if (!prof_growing_init(paths))
    return false;
  summing->of[0] = 0;
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    if (node->parent == 0) {
      summing->of[i] = prof_growing_top(paths, &limits, node->thread);
      if (summing->of[i] == PROF_NONE)
        return false;
    } else if (!summing->keys->loops && is_loop(summing, i)) {
      summing->of[i] = summing->of[node->parent];
    } else {
      summing->of[i] = prof_growing_child(paths, summing->of[node->parent], node->function);
      if (summing->of[i] == 0)
        return false;
    }
  }
  summing->out->keys = paths->nodes.count;
  return true;
}

static size_t greatest(size_t a, size_t b) {
  return a > b ? a : b;
}

/* false: no memory. */
static bool make_keys(struct summing *summing) {
  size_t loops, threads, processes, functions = summing->profile->function_count;
  prof_trace_loops(summing->trace, &loops);
  prof_trace_threads(summing->trace, &threads);
  prof_trace_processes(summing->trace, &processes);
  const enum prof_counters_by by = summing->keys->by;
  size_t most = greatest(greatest(functions, threads), summing->profile->node_count);
  summing->of = calloc(most + 1, sizeof *summing->of);
  if (!summing->of)
    return false;
  summing->out->unknown = (uint32_t)functions - 1;
  for (uint32_t i = 0; i < most; i++)
    summing->of[i] = i;
  switch (by) {
  case PROF_COUNTERS_BY_FUNCTION:
    summing->out->keys = functions;
    return true;
  case PROF_COUNTERS_BY_LOOP:
    summing->out->keys = loops;
    return true;
  case PROF_COUNTERS_BY_GROUP:
    summing->out->keys = is_of_threads(summing) ? greatest(threads, processes) : functions;
    if (is_of_threads(summing))
      return group_threads(summing, threads);
    return prof_group_is_single(summing->keys->group) || group_functions(summing);
  case PROF_COUNTERS_BY_PATH:
    return grow_paths(summing);
  default: /* keys are met: no totals */
    return true;
  }
}

static bool in_frame(const struct prof_profile *profile, const struct prof_counted_sample *sample) {
  return sample->node != PROF_NONE && sample->node != 0 && profile->nodes[sample->node].parent != 0;
}

/*
 * The line that a sample is of, by the rules of lines.c: in a library its function.  A sample in the kernel is of where
 * the program entered it.
 */
static uint32_t line_of(struct summing *summing, const struct prof_counted_sample *sample) {
  struct prof_line_parts *lines = &summing->out->lines;
  const struct prof_line_source *source = summing->keys->source;
  const struct prof_line_frame *frames = NULL;
  uint32_t count = 0, part;
  const char *file = "", *function = sample->where == PROF_WHERE_KERNEL ? "[kernel]" : "[unknown]";
  prof_status status = PROF_EMPTY;
  if (sample->module != PROF_NONE)
    status = source->find(source->context, sample->module, sample->address, &frames, &count);
  if (status == PROF_NO_MEMORY)
    return FAILED;
  const struct prof_line_frame *frame =
      status == PROF_OK && count > 0 ? &frames[summing->keys->inlined_at ? count - 1 : 0] : NULL;
  if (frame && frame->file && frame->line > 0 && sample->where != PROF_WHERE_LIBRARY) {
    part = prof_line_part_of(lines, frame->file, frame->line, frame->function ? frame->function : "[unknown]");
  } else if (sample->where == PROF_WHERE_PROBED && sample->function != PROF_NONE) {
    part = prof_line_part_of(lines, prof_names_file(summing->names, sample->function), 0,
                             prof_names_function(summing->names, sample->function));
  } else {
    if (sample->module != PROF_NONE && (frame || sample->where != PROF_WHERE_KERNEL))
      file = prof_names_path(summing->names, prof_trace_modules(summing->trace, NULL)[sample->module].path);
    if (frame && frames[count - 1].function)
      function = frames[count - 1].function;
    part = prof_line_part_of(lines, file, 0, function);
  }
  return part == UINT32_MAX ? FAILED : lines->parts.items[part].line;
}

/* The key that a sample is of; PROF_NONE: none. */
static uint32_t key_of(struct summing *summing, const struct prof_counted_sample *sample) {
  size_t modules;
  if (!in_frame(summing->profile, sample))
    return PROF_NONE;
  const struct prof_node *node = &summing->profile->nodes[sample->node];
  switch (summing->keys->by) {
  case PROF_COUNTERS_BY_LOOP:
    return prof_frame_loop(summing->trace, node->function);
  case PROF_COUNTERS_BY_LINE:
    return line_of(summing, sample);
  case PROF_COUNTERS_BY_MODULE:
    prof_trace_modules(summing->trace, &modules);
    return sample->module != PROF_NONE ? sample->module : (uint32_t)modules;
  case PROF_COUNTERS_BY_PATH:
    return summing->of[sample->node];
  default:
    if (is_of_threads(summing))
      return summing->of[node->thread];
    return summing->of[sample->function == PROF_NONE ? summing->out->unknown : sample->function];
  }
}

/* The key of an open frame; PROF_NONE: it has none of its own. */
static uint32_t key_of_frame(const struct summing *summing, uint32_t at) {
  const struct prof_node *node = &summing->profile->nodes[at];
  if (summing->keys->by == PROF_COUNTERS_BY_PATH)
    return summing->of[at];
  if (node->parent == 0 || is_of_threads(summing))
    return PROF_NONE;
  uint32_t loop = prof_frame_loop(summing->trace, node->function);
  if (summing->keys->by == PROF_COUNTERS_BY_LOOP)
    return loop;
  return loop != PROF_NONE ? PROF_NONE
                           : summing->of[node->function == PROF_NONE ? summing->out->unknown : node->function];
}

/* ---- sums ---- */

/* false: no memory. */
static bool add_self(struct prof_counter_sums *out, uint32_t key, const struct prof_counted_sample *sample) {
  size_t need = ((size_t)key + 1) * out->counter_count;
  if (need > out->self.count) {
    size_t more = need - out->self.count;
    if (!prof_vec_reserve(&out->self, more))
      return false;
    memset(out->self.items + out->self.count, 0, more * sizeof *out->self.items);
    out->self.count = need;
    out->keys = greatest(out->keys, (size_t)key + 1);
  }
  out->self.items[(size_t)key * out->counter_count + sample->counter] += sample->weight;
  return true;
}

/* Adds the sample to its key and to each that is open around it, once. */
static void add_total(struct summing *summing, const struct prof_counted_sample *sample, uint32_t key,
                      uint64_t number) {
  const struct prof_node *nodes = summing->profile->nodes;
  struct prof_counter_sums *out = summing->out;
  for (uint32_t node = sample->node, at = key;; at = key_of_frame(summing, node), node = nodes[node].parent) {
    if (at != PROF_NONE && summing->stamp[at] != number) {
      summing->stamp[at] = number;
      out->total[(size_t)at * out->counter_count + sample->counter] += sample->weight;
    }
    if (node == 0)
      return;
  }
}

static bool make_totals(struct summing *summing) {
  struct prof_counter_sums *out = summing->out;
  if (summing->keys->by == PROF_COUNTERS_BY_LINE || summing->keys->by == PROF_COUNTERS_BY_MODULE)
    return true;
  out->total = calloc(out->keys * out->counter_count + 1, sizeof *out->total);
  summing->stamp = calloc(out->keys + 1, sizeof *summing->stamp);
  if (!out->total || !summing->stamp)
    return false;
  const struct prof_counted_sample none = {.counter = 0};
  return out->keys == 0 || out->counter_count == 0 || add_self(out, (uint32_t)out->keys - 1, &none);
}

/* false: no memory. */
static bool sum_up(struct summing *summing) {
  if (!make_keys(summing) || !make_totals(summing))
    return false;
  for (size_t i = 0; i < summing->counted->count; i++) {
    const struct prof_counted_sample *sample = &summing->counted->items[i];
    struct prof_counter_sum *sum = &summing->out->sums[sample->counter];
    uint32_t key = key_of(summing, sample);
    if (key == FAILED || (key != PROF_NONE && !add_self(summing->out, key, sample)))
      return false;
    *(key == PROF_NONE ? &sum->other : &sum->shown) += sample->weight;
    if (summing->out->total && in_frame(summing->profile, sample))
      add_total(summing, sample, key, i + 1);
  }
  for (uint32_t i = 0; i < summing->counted->counter_count; i++)
    summing->out->sums[i].own = summing->counted->own[i];
  return true;
}

prof_status prof_counter_sums_make(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                                   const struct prof_counter_keys *keys, struct prof_diag *diag,
                                   struct prof_counter_sums *out) {
  struct prof_profile *profile;
  struct prof_counted counted;
  *out = (struct prof_counter_sums){0};
  prof_status status = prof_counted_fold(trace, filter, diag, &profile, &counted);
  out->counters = counted.counters;
  out->counter_count = counted.counter_count;
  struct summing summing = {
      .trace = trace, .profile = profile, .counted = &counted, .names = names, .keys = keys, .out = out};
  out->sums = calloc(counted.counter_count + 1, sizeof *out->sums);
  if (status == PROF_OK && (!out->sums || !sum_up(&summing)))
    status = prof_diag_memory(diag);
  free(summing.of);
  free(summing.stamp);
  prof_counted_free(&counted);
  prof_profile_free(profile);
  return status;
}

void prof_counter_sums_free(struct prof_counter_sums *sums) {
  free(sums->sums);
  free(sums->total);
  prof_vec_fini(&sums->self);
  prof_line_parts_fini(&sums->lines);
  prof_growing_fini(&sums->paths);
  *sums = (struct prof_counter_sums){0};
}

/* ---- one key's figures ---- */

const double *prof_counter_self(const struct prof_counter_sums *sums, uint32_t key) {
  bool known = key != PROF_NONE && ((size_t)key + 1) * sums->counter_count <= sums->self.count;
  return known ? sums->self.items + (size_t)key * sums->counter_count : NULL;
}

const double *prof_counter_total(const struct prof_counter_sums *sums, uint32_t key) {
  return sums->total && key < sums->keys ? sums->total + (size_t)key * sums->counter_count : NULL;
}

uint32_t prof_counter_row_key(const struct prof_counter_sums *sums, uint32_t row_index) {
  return row_index == PROF_NONE ? sums->unknown : row_index;
}

uint32_t prof_counter_line_key(const struct prof_counter_sums *sums, const char *file, uint32_t line,
                               const char *function) {
  return prof_line_parts_find(&sums->lines, file, line, function);
}

uint32_t prof_counter_path_key(const struct prof_counter_sums *sums, uint32_t parent, uint32_t function) {
  const struct prof_growing_node *nodes = sums->paths.nodes.items;
  return prof_index_find(&sums->paths.known, prof_index_hash(parent, function), i,
                         nodes[i].parent == parent && nodes[i].function == function);
}
