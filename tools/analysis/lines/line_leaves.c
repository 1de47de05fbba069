/*
 * tools/analysis/lines/line_leaves.c - see line_leaves.h.
 *
 * Samples are sorted by address, to look up each address once, then by node and leaf, to count them in one pass.
 */
#include "analysis/lines/line_leaves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lines/line_parts.h"
#include "analysis/lines/outside.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/whole.h"
#include "estimate/code_functions.h"
#include "estimate/correct_sampled.h"
#include "names/loop_frames.h"

#define NO_LEAF UINT32_MAX

struct met { /* a sample */
  uint64_t address;
  uint32_t module, node, leaf;
  uint8_t where;
  uint32_t led_module; /* of the instruction that led to it; PROF_NONE: not known */
  uint64_t led_address;
  uint32_t under; /* its leaf; NO_LEAF: none */
};

struct making {
  const struct prof_profile *profile;
  const struct prof_line_source *source;
  struct prof_names *names;
  struct prof_line_parts parts; /* a line is a leaf */
  struct met *met;
  size_t count;
  const struct prof_code_functions *code;
  enum prof_time_kind time;
  uint32_t waiting, preempted; /* leaves */
  bool chains;                 /* leaves are told apart by them */
  struct prof_line_leaves *out;
  size_t chain_count, chain_capacity;
  bool failed; /* no memory */
};

/* ---- which leaf ---- */

static uint32_t leaf_of(struct making *making, const char *file, uint32_t line, const char *function) {
  uint32_t part = prof_line_part_of(&making->parts, file, line, function);
  making->failed |= part == UINT32_MAX;
  return part == UINT32_MAX ? NO_LEAF : making->parts.parts.items[part].line;
}

/* A text that is the same for equal chains; it lives as long as the leaves.  NULL: no memory. */
static const char *key_of(struct making *making, const struct prof_line_frame *frames, uint32_t count) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *memory = open_memstream(&text, &bytes);
  if (!memory)
    return NULL;
  for (uint32_t i = 0; i < count; i++)
    fprintf(memory, "%s\n%s\n%u\n", frames[i].function ? frames[i].function : "", frames[i].file ? frames[i].file : "",
            frames[i].line);
  bool written = !fclose(memory);
  const char *key = written ? prof_arena_copy(&making->out->arena, text, bytes) : NULL;
  free(text);
  return key;
}

/* The leaf of a chain, which is kept. */
static uint32_t leaf_of_chain(struct making *making, const struct prof_line_frame *frames, uint32_t count) {
  const char *key = key_of(making, frames, count);
  uint32_t leaf = key ? leaf_of(making, "", 0, key) : NO_LEAF;
  struct prof_line_leaf_chain *chains =
      leaf == NO_LEAF ? NULL
                      : prof_vec_grow(making->out->chains, &making->chain_capacity, (size_t)leaf + 1, sizeof *chains);
  making->failed |= !chains;
  if (!chains)
    return NO_LEAF;
  making->out->chains = chains;
  for (; making->chain_count <= leaf; making->chain_count++)
    chains[making->chain_count] = (struct prof_line_leaf_chain){.count = 0};
  if (chains[leaf].count > 0)
    return leaf;
  struct prof_line_frame *copy = prof_arena_array(&making->out->arena, count, sizeof *copy);
  making->failed |= !copy;
  if (copy)
    memcpy(copy, frames, count * sizeof *copy);
  chains[leaf] = (struct prof_line_leaf_chain){copy, copy ? count : 0};
  return leaf;
}

static uint32_t leaf_at(struct making *making, const struct met *met) {
  const struct prof_line_frame *frames = NULL;
  uint32_t count = 0;
  if (met->where == PROF_WHERE_KERNEL || met->module == PROF_NONE)
    return leaf_of(making, "", 0, met->where == PROF_WHERE_KERNEL ? "[kernel]" : "[unknown]");
  prof_status status = making->source->find(making->source->context, met->module, met->address, &frames, &count);
  making->failed |= status == PROF_NO_MEMORY;
  if (status != PROF_OK)
    count = 0;
  if (met->where == PROF_WHERE_PROBED) {
    if (count == 0 || !frames[0].file || frames[0].line == 0)
      return NO_LEAF;
    return making->chains ? leaf_of_chain(making, frames, count) : leaf_of(making, frames[0].file, frames[0].line, "");
  }
  const char *path = prof_trace_modules(making->profile->trace, NULL)[met->module].path;
  const char *function = count > 0 && frames[count - 1].function ? frames[count - 1].function : "";
  return leaf_of(making, prof_names_path(making->names, path), 0, function);
}

static int by_address(const void *a, const void *b) {
  const struct met *left = a, *right = b;
  int order = prof_order(left->where, right->where) ?: prof_order(left->module, right->module);
  return order ?: prof_order(left->address, right->address);
}

static int by_leader(const void *a, const void *b) {
  const struct met *left = a, *right = b;
  return prof_order(left->led_module, right->led_module) ?: prof_order(left->led_address, right->led_address);
}

static int by_node(const void *a, const void *b) {
  const struct met *left = a, *right = b;
  int order = prof_order(left->node, right->node) ?: prof_order(left->leaf, right->leaf);
  return order ?: prof_order(left->under, right->under);
}

/* The lines that led to samples outside. */
static void find_leaders(struct making *making) {
  qsort(making->met, making->count, sizeof *making->met, by_leader);
  for (size_t i = 0; i < making->count && !making->failed; i++) {
    struct met *met = &making->met[i];
    const struct met leader = {.address = met->led_address, .module = met->led_module, .where = PROF_WHERE_PROBED};
    met->under = met->led_module == PROF_NONE                        ? NO_LEAF
                 : i > 0 && by_leader(&making->met[i - 1], met) == 0 ? making->met[i - 1].under
                                                                     : leaf_at(making, &leader);
  }
}

/* From a loop's node to that of its function. */
static uint32_t function_node(const struct prof_profile *profile, uint32_t node) {
  const struct prof_node *nodes = profile->nodes;
  while (nodes[node].parent != 0 && nodes[node].function != PROF_NONE &&
         nodes[node].function >= profile->function_count)
    node = nodes[node].parent;
  return node;
}

/* Is the line one of the function that called the node's?  Samples near a call's begin or end may be counted in the
 * wrong one. */
static bool is_of_caller(const struct making *making, uint32_t node, const struct prof_sample_address *led) {
  const struct prof_node *nodes = making->profile->nodes;
  uint32_t own = function_node(making->profile, node), caller = function_node(making->profile, nodes[own].parent);
  uint32_t function = prof_code_function_running(making->code, led->module, led->address);
  return function != PROF_NONE && nodes[own].function != function && nodes[caller].parent != 0 &&
         nodes[caller].function == function;
}

static void find_leaves(struct making *making, const struct prof_samples *samples, const struct prof_outside *outside) {
  for (size_t i = 0; i < samples->count; i++) {
    const struct prof_sample *sample = &samples->items[i];
    bool kernel = sample->where == PROF_WHERE_KERNEL;
    struct prof_sample_address led = {.module = PROF_NONE};
    if (!prof_sample_counts(making->profile, sample))
      continue;
    if (prof_outside_find(outside, sample, &led) && is_of_caller(making, sample->node, &led))
      led.module = PROF_NONE;
    making->met[making->count++] = (struct met){.address = kernel ? 0 : sample->address, /* its lines are not known */
                                                .module = kernel ? PROF_NONE : sample->module,
                                                .node = sample->node,
                                                .where = sample->where,
                                                .led_module = led.module,
                                                .led_address = led.address};
  }
  qsort(making->met, making->count, sizeof *making->met, by_address);
  for (size_t i = 0; i < making->count && !making->failed; i++)
    making->met[i].leaf = i > 0 && by_address(&making->met[i - 1], &making->met[i]) == 0
                              ? making->met[i - 1].leaf
                              : leaf_at(making, &making->met[i]);
  find_leaders(making);
  qsort(making->met, making->count, sizeof *making->met, by_node);
}

/* ---- its size ---- */

static uint64_t part_of(uint64_t ticks, uint64_t samples, uint64_t all) {
  uint64_t part = prof_whole((double)ticks * (double)samples / (double)all);
  return part < ticks ? part : ticks;
}

static void add(struct prof_line_leaves *out, size_t *used, uint32_t leaf, uint32_t under, uint64_t samples,
                uint64_t ticks) {
  if (samples > 0 || ticks > 0)
    out->items[(*used)++] = (struct prof_line_leaf){.number = out->first + leaf,
                                                    .samples = samples,
                                                    .ticks = ticks,
                                                    .under = under == NO_LEAF ? PROF_NONE : out->first + under};
  out->samples += samples;
}

/* Splits a node's running time by its samples met[begin, end) into leaves, rounded so that they add up. */
static void split_node(const struct making *making, uint32_t node, size_t begin, size_t end,
                       struct prof_line_leaves *out, size_t *used) {
  const struct prof_node *own = &making->profile->nodes[node];
  uint64_t ran = prof_node_self(own, PROF_TIME_RUNNING), before = 0, given = 0;
  for (size_t i = begin, next; i < end && making->time != PROF_TIME_WAITING; i = next) {
    for (next = i; next < end && by_node(&making->met[next], &making->met[i]) == 0;)
      next++;
    if (making->met[i].leaf == NO_LEAF) /* they are at the end */
      break;
    before += next - i;
    uint64_t upto = part_of(ran, before, end - begin);
    add(out, used, making->met[i].leaf, making->met[i].under, next - i, upto - given);
    given = upto;
  }
  if (making->time != PROF_TIME_RUNNING)
    add(out, used, making->waiting, NO_LEAF, 0, own->self_off.waiting);
  if (making->time == PROF_TIME_ELAPSED)
    add(out, used, making->preempted, NO_LEAF, 0, own->self_off.preempted);
}

static void split(const struct making *making, struct prof_line_leaves *out) {
  size_t used = 0, at = 0;
  for (uint32_t node = 0; node < making->profile->node_count; node++) {
    size_t begin = at;
    while (at < making->count && making->met[at].node == node)
      at++;
    out->begin[node] = (uint32_t)used;
    if (node > 0 && making->profile->nodes[node].parent != 0)
      split_node(making, node, begin, at, out, &used);
  }
  out->begin[making->profile->node_count] = (uint32_t)used;
}

/* ---- names ---- */

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

/* NULL: no memory. */
static char *name_of(const char *file, uint32_t line, const char *function) {
  size_t bytes = strlen(file) + strlen(function) + 16;
  char *name = malloc(bytes);
  if (!name)
    return NULL;
  if (line)
    snprintf(name, bytes, "%s:%u", base_of(file), line);
  else if (!file[0])
    snprintf(name, bytes, "%s", function);
  else
    snprintf(name, bytes, "%s%s[%s]", function, function[0] ? " " : "", base_of(file));
  return name;
}

/* A chain for each leaf. */
static bool fill_chains(struct making *making, struct prof_line_leaves *out, size_t count) {
  struct prof_line_leaf_chain *chains = prof_vec_grow(out->chains, &making->chain_capacity, count + 1, sizeof *chains);
  if (!chains)
    return false;
  out->chains = chains;
  for (; making->chain_count < count; making->chain_count++)
    chains[making->chain_count] = (struct prof_line_leaf_chain){.count = 0};
  return true;
}

static bool take_names(struct making *making, struct prof_line_leaves *out) {
  const struct prof_line_part *parts = making->parts.parts.items;
  size_t count = making->parts.lines.count;
  if (making->chains && !fill_chains(making, out, count))
    return false;
  out->names = calloc(count + 1, sizeof *out->names);
  out->places = calloc(count + 1, sizeof *out->places);
  if (!out->names || !out->places)
    return false;
  for (; out->count < count; out->count++) {
    const struct prof_line *line = &making->parts.lines.items[out->count];
    const struct prof_line_frame *inner =
        out->chains && out->chains[out->count].count > 0 ? &out->chains[out->count].frames[0] : NULL;
    const char *file = inner ? inner->file : line->file;
    const uint32_t number = inner ? inner->line : line->line;
    out->names[out->count] = name_of(file, number, parts[line->first_part].function);
    out->places[out->count] = (struct prof_line_leaf_place){file, number};
    if (!out->names[out->count])
      return false;
  }
  return true;
}

prof_status prof_line_leaves_make(const struct prof_profile *profile, const struct prof_samples *samples,
                                  struct prof_names *names, const struct prof_line_source *source,
                                  enum prof_time_kind time, bool chains, struct prof_diag *diag,
                                  struct prof_line_leaves *out) {
  struct making making = {
      .profile = profile, .source = source, .names = names, .time = time, .chains = chains, .out = out};
  *out = (struct prof_line_leaves){.first = prof_frame_count(profile->trace)};
  making.met = malloc((samples->count + 1) * sizeof *making.met);
  out->begin = malloc(((size_t)profile->node_count + 1) * sizeof *out->begin);
  out->items = malloc((samples->count + 2 * (size_t)profile->node_count) * sizeof *out->items);
  struct prof_outside outside;
  struct prof_code_functions *code = prof_code_functions_new(profile->trace);
  bool begun = prof_outside_begin(&outside, profile->trace);
  bool good = begun && code && making.met && out->begin && out->items;
  making.code = code;
  if (good) {
    making.waiting = leaf_of(&making, "", 0, "[waiting]");
    making.preempted = leaf_of(&making, "", 0, "[preempted]");
    find_leaves(&making, samples, &outside);
    good = !making.failed && take_names(&making, out);
    if (good)
      split(&making, out);
  }
  prof_outside_fini(&outside);
  prof_code_functions_free(code);
  prof_line_parts_fini(&making.parts);
  free(making.met);
  if (!good)
    prof_line_leaves_free(out);
  return good ? PROF_OK : prof_diag_memory(diag);
}

void prof_line_leaves_free(struct prof_line_leaves *leaves) {
  for (uint32_t i = 0; leaves->names && i < leaves->count; i++)
    free(leaves->names[i]);
  free(leaves->chains);
  prof_arena_fini(&leaves->arena);
  free(leaves->names);
  free(leaves->places);
  free(leaves->items);
  free(leaves->begin);
  memset(leaves, 0, sizeof *leaves);
}
