/*
 * tools/analysis/lines/lines.c - see lines.h.
 *
 * Each place and function becomes a part of a line once.  One walk over the tree then adds calls; it counts how often
 * each line is on the path, so that nested calls of one line count once.
 */
#include "analysis/lines/lines.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lines/line_counts.h"
#include "analysis/lines/line_parts.h"
#include "analysis/lines/line_rows.h"
#include "analysis/lines/line_times.h"
#include "analysis/lines/outside.h"
#include "analysis/lines/sample_addresses.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/whole.h"
#include "estimate/estimated_places.h"

#define NOT_ASKED (UINT32_MAX - 1)
#define NO_PART UINT32_MAX

struct ranking {
  const struct prof_profile *profile;
  struct prof_names *names;
  const struct prof_line_source *source;
  const struct prof_line_options *options;
  struct prof_line_parts parts;
  uint32_t *of_place;    /* part of each place; NO_PART: its line is not known */
  uint32_t *of_function; /* part for costs of a function without a line; line 0 */
  uint32_t *of_node;     /* part of each node's call */
  bool failed;           /* no memory */
};

/* The part of the code at an address; NO_PART: its line is not known. */
static uint32_t part_at(struct ranking *ranking, uint32_t module, uint64_t address) {
  const struct prof_line_frame *frames;
  uint32_t count;
  prof_status status = ranking->source->find(ranking->source->context, module, address, &frames, &count);
  ranking->failed |= status == PROF_NO_MEMORY;
  if (status != PROF_OK || count == 0)
    return NO_PART;
  const struct prof_line_frame *frame = &frames[ranking->options->inlined_at ? count - 1 : 0];
  if (!frame->file || frame->line == 0)
    return NO_PART;
  uint32_t part =
      prof_line_part_of(&ranking->parts, frame->file, frame->line, frame->function ? frame->function : "[unknown]");
  ranking->failed |= part == NO_PART;
  return part;
}

static uint32_t part_of_place(struct ranking *ranking, uint32_t place) {
  uint32_t *part = &ranking->of_place[place];
  if (*part == NOT_ASKED) {
    const struct prof_call_place *at = &ranking->profile->places[place];
    *part = at->module == PROF_NONE || at->address == 0 ? NO_PART : part_at(ranking, at->module, at->address - 1);
  }
  return *part;
}

static uint32_t part_of_function(struct ranking *ranking, uint32_t function) {
  uint32_t last = (uint32_t)ranking->profile->function_count - 1, slot = function < last ? function : last;
  uint32_t *part = &ranking->of_function[slot];
  if (*part == NOT_ASKED) {
    *part = prof_line_part_of(&ranking->parts, prof_names_file(ranking->names, function), 0,
                              prof_names_function(ranking->names, function));
    ranking->failed |= *part == NO_PART;
  }
  return *part;
}

/* Code without a line: a function of a module, or unnamed code. */
static uint32_t part_without_line(struct ranking *ranking, const struct prof_sample_address *at) {
  if (at->where == PROF_WHERE_PROBED && at->function != PROF_NONE)
    return part_of_function(ranking, at->function);
  const char *file = "", *function = at->where == PROF_WHERE_KERNEL ? "[kernel]" : "[unknown]";
  const struct prof_line_frame *frames;
  uint32_t count;
  const struct prof_module *modules = prof_trace_modules(ranking->profile->trace, NULL);
  if (at->module != PROF_NONE) {
    file = prof_names_path(ranking->names, modules[at->module].path);
    prof_status status = ranking->source->find(ranking->source->context, at->module, at->address, &frames, &count);
    ranking->failed |= status == PROF_NO_MEMORY;
    if (status == PROF_OK && count > 0 && frames[count - 1].function)
      function = frames[count - 1].function;
  }
  uint32_t part = prof_line_part_of(&ranking->parts, file, 0, function);
  ranking->failed |= part == NO_PART;
  return part;
}

static prof_status add_samples(struct ranking *ranking, const struct prof_samples *samples, struct prof_diag *diag) {
  struct prof_sample_addresses addresses;
  prof_status status = prof_sample_addresses_of(samples, ranking->profile, ranking->options->within, diag, &addresses);
  for (size_t i = 0; i < addresses.count && status == PROF_OK && !ranking->failed; i++) {
    const struct prof_sample_address *at = &addresses.items[i];
    uint32_t part = at->where == PROF_WHERE_PROBED ? part_at(ranking, at->module, at->address) : NO_PART;
    if (part == NO_PART)
      part = part_without_line(ranking, at);
    if (ranking->failed)
      break;
    struct prof_line_cost *costs[] = {&ranking->parts.parts.items[part].cost,
                                      &ranking->parts.lines.items[ranking->parts.parts.items[part].line].cost};
    for (int j = 0; j < 2; j++) {
      prof_weighted_join(&costs[j]->met, &at->met);
    }
  }
  prof_sample_addresses_free(&addresses);
  return status;
}

/* Adds samples in libraries and the kernel to the line that led there. */
static prof_status add_outside(struct ranking *ranking, const struct prof_samples *samples, struct prof_diag *diag) {
  struct prof_sample_addresses outside;
  prof_status status = prof_outside_of(samples, ranking->profile, ranking->options->within, diag, &outside);
  for (size_t i = 0; i < outside.count && status == PROF_OK && !ranking->failed; i++) {
    uint32_t part = part_at(ranking, outside.items[i].module, outside.items[i].address);
    if (part == NO_PART)
      continue;
    struct prof_line_part *to = &ranking->parts.parts.items[part];
    prof_weighted_join(&to->cost.outside, &outside.items[i].met);
    prof_weighted_join(&ranking->parts.lines.items[to->line].cost.outside, &outside.items[i].met);
  }
  prof_sample_addresses_free(&outside);
  return status;
}

/* The part of the line that made a node's calls; NO_PART: not known. */
static uint32_t part_of_call(struct ranking *ranking, const struct prof_node *node) {
  uint32_t part = node->place == PROF_NONE ? NO_PART : part_of_place(ranking, node->place);
  const struct prof_node *caller = &ranking->profile->nodes[node->parent];
  return part != NO_PART || caller->parent == 0 || caller->forker ? part : part_of_function(ranking, caller->function);
}

static struct prof_line *line_of_part(const struct ranking *ranking, uint32_t part) {
  return part == NO_PART ? NULL : &ranking->parts.lines.items[ranking->parts.parts.items[part].line];
}

static struct prof_line *line_of(const struct ranking *ranking, uint32_t node) {
  return line_of_part(ranking, ranking->of_node[node]);
}

/* The part of the line at a place of a node's estimated calls. */
static uint32_t part_of_estimate(struct ranking *ranking, const struct prof_estimated_place *at) {
  uint32_t part = part_of_place(ranking, at->place);
  return part != NO_PART ? part : part_of_function(ranking, at->caller);
}

static void leave(struct ranking *ranking, uint32_t node) {
  const struct prof_estimated_place *places;
  size_t count = prof_estimated_places_of(ranking->profile, node, &places);
  struct prof_line *line = line_of(ranking, node);
  if (line)
    line->inside--;
  for (size_t i = 0; i < count; i++)
    if ((line = line_of_part(ranking, part_of_estimate(ranking, &places[i]))))
      line->inside--;
}

/* Adds calls to the line of a part, which they enter. */
static void enter(struct ranking *ranking, uint32_t to, const struct prof_place_part *calls, bool estimated) {
  struct prof_line *line = line_of_part(ranking, to);
  if (!line)
    return;
  struct prof_line_cost *part = &ranking->parts.parts.items[to].cost;
  line->cost.estimated |= estimated;
  part->estimated |= estimated;
  line->cost.calls += calls->calls;
  part->calls += calls->calls;
  part->calls_ticks += calls->total_ticks;
  prof_off_add(&part->calls_off, &calls->off);
  if (line->inside++ == 0) {
    line->cost.calls_ticks += calls->total_ticks;
    prof_off_add(&line->cost.calls_off, &calls->off);
  }
}

static void add_calls(struct ranking *ranking) {
  const struct prof_node *nodes = ranking->profile->nodes;
  uint32_t at = 0;
  for (uint32_t i = 1; i < ranking->profile->node_count && !ranking->failed; i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      leave(ranking, at);
    at = i;
    const struct prof_estimated_place *places;
    size_t count = prof_estimated_places_of(ranking->profile, i, &places);
    bool is_apart = nodes[i].parent == 0 || nodes[i].forker || nodes[i].cold;
    bool estimated = prof_node_is_estimated(ranking->profile, i);
    ranking->of_node[i] = is_apart || count > 0 ? NO_PART : part_of_call(ranking, &nodes[i]);
    enter(ranking, ranking->of_node[i],
          &(struct prof_place_part){1, nodes[i].calls, nodes[i].total_ticks, nodes[i].off}, estimated);
    struct prof_place_part all = {0};
    for (size_t j = 0; j < count && !ranking->failed; j++) {
      struct prof_place_part part = prof_place_part_next(&all, &nodes[i], places[j].share);
      enter(ranking, part_of_estimate(ranking, &places[j]), &part, true);
    }
  }
}

/* Adds calls in cold paths.  Their nesting is known by place only: of a line's places only the longest time counts, so
 * that no line gets too much. */
static void add_cold_calls(struct ranking *ranking) {
  const struct prof_profile *profile = ranking->profile;
  for (uint32_t i = 0; profile->cold_places && i < profile->place_count && !ranking->failed; i++) {
    const struct prof_cold_figures *cold = &profile->cold_places[i];
    uint32_t part = cold->calls ? part_of_place(ranking, i) : NO_PART;
    if (part == NO_PART)
      continue;
    struct prof_line_cost *costs[] = {&ranking->parts.parts.items[part].cost,
                                      &ranking->parts.lines.items[ranking->parts.parts.items[part].line].cost};
    for (int j = 0; j < 2; j++) {
      costs[j]->calls += cold->calls;
      if (cold->total_ticks > costs[j]->cold_ticks) {
        costs[j]->cold_ticks = cold->total_ticks;
        costs[j]->cold_off = cold->off;
      }
    }
  }
  for (size_t i = 0; i < ranking->parts.parts.count + ranking->parts.lines.count; i++) {
    struct prof_line_cost *cost = i < ranking->parts.parts.count
                                      ? &ranking->parts.parts.items[i].cost
                                      : &ranking->parts.lines.items[i - ranking->parts.parts.count].cost;
    cost->calls_ticks += cost->cold_ticks;
    prof_off_add(&cost->calls_off, &cost->cold_off);
  }
}

/* Adds self time of functions when they didn't run. */
static void add_off(struct ranking *ranking) {
  const struct prof_node *nodes = ranking->profile->nodes;
  for (uint32_t i = 1; i < ranking->profile->node_count && !ranking->failed; i++) {
    uint32_t at = i;
    while (nodes[at].function != PROF_NONE && nodes[at].function >= ranking->profile->function_count)
      at = nodes[at].parent; /* a loop belongs to its function */
    if (nodes[at].parent == 0 || nodes[at].cold || nodes[i].self_off.waiting + nodes[i].self_off.preempted == 0)
      continue;
    uint32_t part = part_of_function(ranking, nodes[at].function);
    if (part == NO_PART)
      return;
    struct prof_line_part *to = &ranking->parts.parts.items[part];
    prof_off_add(&to->cost.off, &nodes[i].self_off);
    prof_off_add(&ranking->parts.lines.items[to->line].cost.off, &nodes[i].self_off);
  }
}

/* The same for cold paths, by function. */
static void add_cold_off(struct ranking *ranking) {
  const struct prof_profile *profile = ranking->profile;
  for (uint32_t i = 0; profile->cold && i < profile->function_count && !ranking->failed; i++) {
    const struct prof_off_ticks *off = &profile->cold[i].self_off;
    uint32_t part = off->waiting + off->preempted ? part_of_function(ranking, i) : NO_PART;
    if (part == NO_PART)
      continue;
    struct prof_line_part *to = &ranking->parts.parts.items[part];
    prof_off_add(&to->cost.off, off);
    prof_off_add(&ranking->parts.lines.items[to->line].cost.off, off);
  }
}

/* Adds the GPU's time below each call to its line.  Work that a function launched itself is attributed to the function:
 * the line of that call is not known, as CUDA is uninstrumented. */
static void add_gpu(struct ranking *ranking) {
  const struct prof_node *nodes = ranking->profile->nodes;
  const uint32_t count = ranking->profile->node_count;
  uint64_t *below = malloc(count * sizeof *below);
  ranking->failed |= below == NULL;
  if (ranking->failed)
    return;
  memcpy(below, ranking->options->gpu_ticks, count * sizeof *below);
  for (uint32_t i = count - 1; i > 0; i--)
    below[nodes[i].parent] += below[i];
  for (size_t i = 0; i < ranking->parts.lines.count; i++)
    ranking->parts.lines.items[i].inside = 0;
  for (uint32_t i = 1, at = 0; i < count && !ranking->failed; at = i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      leave(ranking, at);
    struct prof_line *line = line_of(ranking, i);
    if (line && line->inside++ == 0) {
      line->cost.gpu_ticks += below[i];
      ranking->parts.parts.items[ranking->of_node[i]].cost.gpu_ticks += below[i];
    }
    uint32_t own =
        ranking->options->gpu_ticks[i] && nodes[i].parent ? part_of_function(ranking, nodes[i].function) : NO_PART;
    if (own == NO_PART || ranking->failed)
      continue;
    line = &ranking->parts.lines.items[ranking->parts.parts.items[own].line];
    if (line->inside == 0)
      line->cost.gpu_ticks += ranking->options->gpu_ticks[i];
  }
  free(below);
}

/* Adds executions, of modules with counted lines. */
static void add_counts(struct ranking *ranking) {
  struct prof_line_counts counts;
  ranking->failed |= prof_line_counts_make(ranking->profile->trace, &counts) != PROF_OK;
  for (size_t i = 0; i < counts.rows.count && !ranking->failed; i++) {
    const struct prof_line_count *row = &counts.rows.items[i];
    const char *function = prof_names_other(ranking->names, row->function);
    const char *file = prof_names_path(ranking->names, row->file);
    uint32_t part = function ? prof_line_part_of(&ranking->parts, file, row->line, function) : NO_PART;
    ranking->failed |= part == NO_PART;
    if (part == NO_PART)
      break;
    struct prof_line_part *at = &ranking->parts.parts.items[part];
    at->cost.count += row->count;
    ranking->parts.lines.items[at->line].cost.count += row->count;
  }
  prof_line_counts_fini(&counts);
}

/* Adds measured times, of functions compiled for them. */
static void add_times(struct ranking *ranking, struct prof_line_times *times) {
  ranking->failed |= prof_line_times_make(ranking->profile->trace, times) != PROF_OK;
  for (size_t i = 0; i < times->items.count && !ranking->failed; i++) {
    const struct prof_line_time *item = &times->items.items[i];
    const char *function = prof_names_other(ranking->names, item->function);
    const char *file = prof_names_path(ranking->names, item->file);
    uint32_t part = NO_PART;
    if (item->readings == 0)
      continue;
    if (function && file)
      part = prof_line_part_of(&ranking->parts, file, item->line, function);
    ranking->failed |= part == NO_PART;
    if (part == NO_PART)
      break;
    struct prof_line_part *at = &ranking->parts.parts.items[part];
    struct prof_line_cost *costs[] = {&at->cost, &ranking->parts.lines.items[at->line].cost};
    for (int j = 0; j < 2; j++) {
      double *ticks = item->in_calls ? &costs[j]->measured_calls_ticks : &costs[j]->measured_ticks;
      double *cost = item->in_calls ? &costs[j]->measured_calls_cost_ticks : &costs[j]->measured_cost_ticks;
      *ticks += (double)item->ticks;
      *cost += item->cost_ticks;
      if (!item->in_calls)
        costs[j]->measured_most_ticks += item->most_ticks;
      costs[j]->visits += item->begun;
      costs[j]->readings += item->readings;
    }
  }
}

static bool prepare(struct ranking *ranking) {
  const struct prof_profile *profile = ranking->profile;
  ranking->of_place = malloc(((size_t)profile->place_count + 1) * sizeof *ranking->of_place);
  ranking->of_function = malloc(profile->function_count * sizeof *ranking->of_function);
  ranking->of_node = malloc(profile->node_count * sizeof *ranking->of_node);
  if (!ranking->of_place || !ranking->of_function || !ranking->of_node)
    return false;
  for (uint32_t i = 0; i < profile->place_count; i++)
    ranking->of_place[i] = NOT_ASKED;
  for (size_t i = 0; i < profile->function_count; i++)
    ranking->of_function[i] = NOT_ASKED;
  ranking->of_node[0] = NO_PART;
  return true;
}

prof_status prof_lines_rank(const struct prof_profile *profile, const struct prof_samples *samples,
                            struct prof_names *names, const struct prof_line_source *source,
                            const struct prof_line_options *options, struct prof_diag *diag,
                            struct prof_line_rows *out) {
  struct ranking ranking = {.profile = profile, .names = names, .source = source, .options = options};
  memset(out, 0, sizeof *out);
  prof_status status = prepare(&ranking) ? PROF_OK : PROF_NO_MEMORY;
  if (status == PROF_OK) {
    add_calls(&ranking);
    add_cold_calls(&ranking);
    add_off(&ranking);
    add_cold_off(&ranking);
    if (options->gpu_ticks && !ranking.failed)
      add_gpu(&ranking);
    status = ranking.failed ? PROF_NO_MEMORY : add_samples(&ranking, samples, diag);
    if (status == PROF_OK && !ranking.failed)
      status = add_outside(&ranking, samples, diag);
  }
  if (status == PROF_OK) {
    add_counts(&ranking);
    if (!ranking.failed)
      add_times(&ranking, &out->times);
    status = ranking.failed ? PROF_NO_MEMORY : prof_line_rows_make(&ranking.parts, profile, options, out);
  }
  prof_line_parts_fini(&ranking.parts);
  free(ranking.of_place);
  free(ranking.of_function);
  free(ranking.of_node);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

static int by_line(const void *a, const void *b) {
  const struct prof_line_row *left = a, *right = b;
  int order = strcmp(left->file, right->file) ?: prof_order(left->line, right->line);
  return order || left->line ? order : strcmp(left->function, right->function);
}

bool prof_lines_add_gpu(struct prof_line_rows *rows, const struct prof_line_rows *gpu, enum prof_line_sort sort) {
  struct prof_line_row *all = realloc(rows->rows, (rows->count + gpu->count + 1) * sizeof *all);
  const size_t count = rows->count;
  if (!all)
    return false;
  rows->rows = all;
  qsort(all, count, sizeof *all, by_line);
  for (size_t i = 0; i < gpu->count; i++) {
    const struct prof_line_row *from = &gpu->rows[i];
    struct prof_line_row *to = from->gpu_ns ? bsearch(from, all, count, sizeof *all, by_line) : NULL;
    if (to)
      to->gpu_ns = from->gpu_ns;
    else if (from->gpu_ns)
      all[rows->count++] = (struct prof_line_row){.file = from->file,
                                                  .function = from->function,
                                                  .line = from->line,
                                                  .gpu_ns = from->gpu_ns,
                                                  .share_interval = prof_interval_share(0, rows->samples)};
  }
  prof_line_rows_sort(rows, sort);
  return true;
}

void prof_lines_free(struct prof_line_rows *rows) {
  prof_line_times_fini(&rows->times);
  free(rows->rows);
  memset(rows, 0, sizeof *rows);
}
