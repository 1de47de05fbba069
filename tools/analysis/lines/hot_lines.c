/*
 * tools/analysis/lines/hot_lines.c - see hot_lines.h.
 *
 * Costs of a function's lines are parts (line_parts.h) whose function is the number of the function that ran, so that a
 * line of a header is counted separately for each function that it was inlined into.
 */
#include "analysis/lines/hot_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lines/line_parts.h"
#include "analysis/lines/outside.h"
#include "analysis/lines/sample_addresses.h"
#include "base/arena.h"
#include "base/diag.h"
#include "estimate/estimated_places.h"
#include "names/loop_frames.h"

struct place { /* the innermost line; file NULL: not known */
  const char *file;
  uint32_t line;
  bool asked;
};

struct search {
  const struct prof_profile *profile;
  const struct prof_line_source *source;
  struct prof_line_parts parts;
  const char **numbers; /* of functions, as strings */
  struct prof_arena arena;
  double *samples; /* per function, weight of the samples in its own code */
  struct place *places;
  bool failed;
};

/* A loop belongs to the function that it was compiled into. */
static uint32_t slot_of(const struct search *search, uint32_t function) {
  const struct prof_loop *loops = prof_trace_loops(search->profile->trace, NULL);
  uint32_t loop = function == PROF_NONE ? PROF_NONE : prof_frame_loop(search->profile->trace, function);
  if (loop != PROF_NONE)
    function = loops[loop].function;
  return function < search->profile->function_count ? function : (uint32_t)search->profile->function_count - 1;
}

static const char *number_of(struct search *search, uint32_t slot) {
  if (!search->numbers[slot]) {
    char digits[16];
    int bytes = snprintf(digits, sizeof digits, "%" PRIu32, slot);
    search->numbers[slot] = prof_arena_copy(&search->arena, digits, (size_t)bytes);
  }
  return search->numbers[slot];
}

static struct place ask(struct search *search, uint32_t module, uint64_t address) {
  const struct prof_line_frame *frames;
  uint32_t count;
  prof_status status = search->source->find(search->source->context, module, address, &frames, &count);
  search->failed |= status == PROF_NO_MEMORY;
  bool known = status == PROF_OK && count > 0 && frames[0].file && frames[0].line > 0;
  return known ? (struct place){frames[0].file, frames[0].line, true} : (struct place){.asked = true};
}

/* The cost of a line in a function; NULL: the line isn't known. */
static struct prof_line_cost *cost_of(struct search *search, const struct place *place, uint32_t function) {
  if (!place->file)
    return NULL;
  const char *number = number_of(search, slot_of(search, function));
  uint32_t part = number ? prof_line_part_of(&search->parts, place->file, place->line, number) : UINT32_MAX;
  search->failed |= part == UINT32_MAX;
  return part == UINT32_MAX ? NULL : &search->parts.parts.items[part].cost;
}

/* Adds those in probed modules, and frees all. */
static void take(struct search *search, struct prof_sample_addresses *addresses) {
  for (size_t i = 0; i < addresses->count && !search->failed; i++) {
    const struct prof_sample_address *at = &addresses->items[i];
    if (at->where != PROF_WHERE_PROBED || at->module == PROF_NONE)
      continue;
    double weight = addresses->all.sum > 0 ? at->met.sum : (double)at->met.count;
    search->samples[slot_of(search, at->function)] += weight;
    struct place place = ask(search, at->module, at->address);
    struct prof_line_cost *cost = cost_of(search, &place, at->function);
    if (cost)
      cost->met.sum += weight;
  }
  prof_sample_addresses_free(addresses);
}

static prof_status add_samples(struct search *search, const struct prof_samples *samples, struct prof_diag *diag) {
  struct prof_sample_addresses inside, outside;
  prof_status status = prof_sample_addresses_of(samples, search->profile, true, diag, &inside);
  if (status == PROF_OK)
    take(search, &inside);
  if (status == PROF_OK)
    status = prof_outside_of(samples, search->profile, true, diag, &outside);
  if (status == PROF_OK)
    take(search, &outside);
  return status;
}

/* Adds time in calls of a function without samples, from a place in it. */
static void add_call(struct search *search, uint32_t from, uint32_t caller, uint64_t ticks) {
  const struct prof_call_place *at = &search->profile->places[from];
  struct place *place = &search->places[from];
  if (at->module == PROF_NONE || at->address == 0)
    return;
  if (!place->asked)
    *place = ask(search, at->module, at->address - 1);
  struct prof_line_cost *cost = cost_of(search, place, caller);
  if (cost)
    cost->calls_ticks += ticks;
}

static void add_calls(struct search *search) {
  const struct prof_profile *profile = search->profile;
  for (uint32_t i = 1; i < profile->node_count && !search->failed; i++) {
    const struct prof_node *node = &profile->nodes[i], *caller = &profile->nodes[node->parent];
    if (node->parent == 0 || caller->parent == 0 || search->samples[slot_of(search, caller->function)] > 0)
      continue;
    const struct prof_estimated_place *places;
    size_t count = prof_estimated_places_of(profile, i, &places);
    if (node->place != PROF_NONE)
      add_call(search, node->place, caller->function, node->total_ticks);
    struct prof_place_part all = {0};
    for (size_t j = 0; j < count; j++)
      add_call(search, places[j].place, caller->function,
               prof_place_part_next(&all, node, places[j].share).total_ticks);
  }
}

static void choose(const struct search *search, struct prof_hot_line *hot) {
  double *best = calloc(search->profile->function_count, sizeof *best);
  for (size_t i = 0; best && i < search->parts.parts.count; i++) {
    const struct prof_line_part *part = &search->parts.parts.items[i];
    const struct prof_line *line = &search->parts.lines.items[part->line];
    size_t slot = (size_t)strtoull(part->function, NULL, 10);
    bool sampled = search->samples[slot] > 0;
    double cost = sampled ? part->cost.met.sum : (double)part->cost.calls_ticks;
    double all = sampled ? search->samples[slot] : (double)search->profile->functions[slot].total_ticks;
    bool earlier = hot[slot].file && (line->line < hot[slot].line); /* of equal ones the first */
    if (cost <= 0 || cost < best[slot] || (cost == best[slot] && !earlier))
      continue;
    best[slot] = cost;
    double share = all > 0 ? cost / all : 0;
    hot[slot] = (struct prof_hot_line){line->file, line->line, sampled, share > 1 ? 1 : share};
  }
  free(best);
}

prof_status prof_hot_lines_of(const struct prof_profile *profile, const struct prof_samples *samples,
                              const struct prof_line_source *source, struct prof_diag *diag,
                              struct prof_hot_lines *out) {
  struct search search = {.profile = profile, .source = source};
  search.numbers = calloc(profile->function_count, sizeof *search.numbers);
  search.samples = calloc(profile->function_count, sizeof *search.samples);
  search.places = calloc((size_t)profile->place_count + 1, sizeof *search.places);
  *out = (struct prof_hot_lines){calloc(profile->function_count, sizeof *out->items), profile->function_count};
  prof_status status = PROF_NO_MEMORY;
  if (search.numbers && search.samples && search.places && out->items) {
    status = add_samples(&search, samples, diag);
    add_calls(&search);
    if (status == PROF_OK && search.failed)
      status = PROF_NO_MEMORY;
    if (status == PROF_OK)
      choose(&search, out->items);
  }
  prof_line_parts_fini(&search.parts);
  prof_arena_fini(&search.arena);
  free(search.numbers);
  free(search.samples);
  free(search.places);
  if (status != PROF_OK)
    prof_hot_lines_free(out);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

void prof_hot_lines_free(struct prof_hot_lines *lines) {
  free(lines->items);
  memset(lines, 0, sizeof *lines);
}
