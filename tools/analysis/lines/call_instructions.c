/*
 * tools/analysis/lines/call_instructions.c - see call_instructions.h.
 */
#include "analysis/lines/call_instructions.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"

static int by_address(const void *a, const void *b) {
  const struct prof_call_instruction *left = a, *right = b;
  return prof_order(left->address, right->address);
}

static bool in_module(const struct prof_profile *profile, const struct prof_node *node, uint32_t module) {
  return node->place != PROF_NONE && profile->places[node->place].module == module;
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

/* inside: how often each is on the path to the current node. */
static void add_up(const struct prof_profile *profile, uint32_t module, uint32_t *inside,
                   struct prof_call_instructions *out) {
  const struct prof_node *nodes = profile->nodes;
  uint32_t at = 0;
  for (uint32_t i = 1; i < profile->node_count; i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      if (in_module(profile, &nodes[at], module))
        inside[index_of(out, profile->places[nodes[at].place].address)]--;
    at = i;
    if (!in_module(profile, &nodes[i], module))
      continue;
    size_t index = index_of(out, profile->places[nodes[i].place].address);
    out->items[index].calls += nodes[i].calls;
    if (inside[index]++ == 0) {
      out->items[index].total_ticks += nodes[i].total_ticks;
      prof_off_add(&out->items[index].off, &nodes[i].off);
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
    add_up(profile, module, inside, out);
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
