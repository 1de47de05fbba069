/*
 * tools/analysis/lines/call_instructions.c - see call_instructions.h.
 */
#include "analysis/lines/call_instructions.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "estimate/estimated_places.h"

#define NO_INSTRUCTION SIZE_MAX

static int by_address(const void *a, const void *b) {
  const struct prof_call_instruction *left = a, *right = b;
  return prof_order(left->address, right->address);
}

/* Lists the return addresses in the module, each once. */
static void collect(const struct prof_profile *profile, uint32_t module, struct prof_call_instructions *out) {
  for (uint32_t i = 0; i < profile->place_count; i++)
    if (profile->places[i].module == module)
      out->items[out->count++].address = profile->places[i].address;
  qsort(out->items, out->count, sizeof *out->items, by_address);
  size_t kept = 0;
  for (size_t i = 0; i < out->count; i++)
    if (kept == 0 || out->items[kept - 1].address != out->items[i].address)
      out->items[kept++] = out->items[i];
  out->count = kept;
}

static size_t index_of(const struct prof_call_instructions *all, uint64_t address) {
  return (size_t)(prof_call_instruction_at(all, address) - all->items);
}

struct adding {
  const struct prof_profile *profile;
  uint32_t module;
  uint32_t *inside; /* by instruction: how often it is on the path to the current node */
  struct prof_call_instructions *out;
};

/* NO_INSTRUCTION: the place is in another module. */
static size_t index_of_place(const struct adding *adding, uint32_t place) {
  const struct prof_call_place *at = place == PROF_NONE ? NULL : &adding->profile->places[place];
  return at && at->module == adding->module ? index_of(adding->out, at->address) : NO_INSTRUCTION;
}

static void leave(struct adding *adding, uint32_t node) {
  const struct prof_estimated_place *places;
  size_t count = prof_estimated_places_of(adding->profile, node, &places);
  size_t index = index_of_place(adding, adding->profile->nodes[node].place);
  if (index != NO_INSTRUCTION)
    adding->inside[index]--;
  for (size_t i = 0; i < count; i++)
    if ((index = index_of_place(adding, places[i].place)) != NO_INSTRUCTION)
      adding->inside[index]--;
}

static void enter(struct adding *adding, uint32_t place, const struct prof_place_part *part, bool estimated) {
  size_t index = index_of_place(adding, place);
  if (index == NO_INSTRUCTION)
    return;
  struct prof_call_instruction *to = &adding->out->items[index];
  to->calls += part->calls;
  to->estimated |= estimated;
  if (adding->inside[index]++ == 0) {
    to->total_ticks += part->total_ticks;
    prof_off_add(&to->off, &part->off);
  }
}

static void add_up(struct adding *adding) {
  const struct prof_node *nodes = adding->profile->nodes;
  uint32_t at = 0;
  for (uint32_t i = 1; i < adding->profile->node_count; i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      leave(adding, at);
    at = i;
    const struct prof_estimated_place *places;
    size_t count = prof_estimated_places_of(adding->profile, i, &places);
    enter(adding, nodes[i].place, &(struct prof_place_part){1, nodes[i].calls, nodes[i].total_ticks, nodes[i].off},
          prof_node_is_estimated(adding->profile, i));
    struct prof_place_part all = {0};
    for (size_t j = 0; j < count; j++) {
      struct prof_place_part part = prof_place_part_next(&all, &nodes[i], places[j].share);
      enter(adding, places[j].place, &part, true);
    }
  }
}

prof_status prof_call_instructions_of(const struct prof_profile *profile, uint32_t module, struct prof_diag *diag,
                                      struct prof_call_instructions *out) {
  size_t most = (size_t)profile->place_count + 1;
  uint32_t *inside = calloc(most, sizeof *inside);
  *out = (struct prof_call_instructions){.items = calloc(most, sizeof *out->items)};
  bool done = inside && out->items;
  if (done) {
    collect(profile, module, out);
    add_up(&(struct adding){profile, module, inside, out});
  } else {
    prof_call_instructions_free(out);
  }
  free(inside);
  return done ? PROF_OK : prof_diag_memory(diag);
}

void prof_call_instructions_free(struct prof_call_instructions *instructions) {
  free(instructions->items);
  memset(instructions, 0, sizeof *instructions);
}

const struct prof_call_instruction *prof_call_instruction_at(const struct prof_call_instructions *all,
                                                             uint64_t address) {
  struct prof_call_instruction key = {.address = address};
  return all->count ? bsearch(&key, all->items, all->count, sizeof key, by_address) : NULL;
}
