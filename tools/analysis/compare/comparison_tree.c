/*
 * tools/analysis/compare/comparison_tree.c - a tree of a comparison: chooses, sorts and lays out its nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/comparison.h"
#include "base/diag.h"
#include "base/order.h"

struct choice {
  const struct prof_comparison *from;
  enum prof_comparison_of of;
  uint32_t *sorted; /* chosen nodes, by parent, then as siblings stand */
  uint32_t count;
};

void prof_comparison_tree_free(struct prof_comparison_tree *tree) {
  free(tree->nodes);
  *tree = (struct prof_comparison_tree){0};
}

static double width_of(const struct choice *choice, const struct prof_merged_node *node) {
  const double before = prof_comparison_part(choice->from, PROF_BEFORE, node->total[PROF_BEFORE]),
               after = prof_comparison_part(choice->from, PROF_AFTER, node->total[PROF_AFTER]);
  return choice->of == PROF_COMPARISON_GONE    ? prof_comparison_part(choice->from, PROF_BEFORE, node->gone)
         : choice->of == PROF_COMPARISON_AFTER ? after
         : before > after                      ? before
                                               : after;
}

/* Parents come before their children.  Returns how many were too small. */
static uint64_t choose(struct choice *choice, uint8_t *chosen) {
  const struct prof_merged_node *nodes = choice->from->nodes.items;
  const struct prof_comparison_options *options = &choice->from->options;
  uint64_t hidden = 0;
  chosen[0] = 1;
  for (uint32_t i = 1; i < choice->from->nodes.count; i++) {
    const double width = width_of(choice, &nodes[i]);
    const bool part_of_it = choice->of == PROF_COMPARISON_AFTER  ? nodes[i].total[PROF_AFTER] > 0
                            : choice->of == PROF_COMPARISON_GONE ? nodes[i].gone > 0
                                                                 : width > 0;
    if (!chosen[nodes[i].parent] || !part_of_it || (options->depth && nodes[i].depth > options->depth))
      continue;
    if (width < options->min_share) {
      hidden++;
      continue;
    }
    chosen[i] = 1;
    choice->sorted[choice->count++] = i;
  }
  return hidden;
}

static int by_weight(const void *a, const void *b, void *context) {
  const struct prof_merged_node *nodes = context, *left = &nodes[*(const uint32_t *)a],
                                *right = &nodes[*(const uint32_t *)b];
  int order = prof_order(left->parent, right->parent) ?: prof_order(right->total[PROF_AFTER], left->total[PROF_AFTER]);
  return order ?: (prof_order(right->total[PROF_BEFORE], left->total[PROF_BEFORE]) ?: strcmp(left->name, right->name));
}

static struct prof_comparison_node convert(const struct choice *choice, uint32_t index, uint32_t parent) {
  const struct prof_merged_node *from = &choice->from->nodes.items[index];
  struct prof_comparison_node out = {.parent = parent,
                                     .depth = from->depth,
                                     .name = from->several ? choice->from->keys.keys.items[from->key] : from->name,
                                     .width = width_of(choice, from)};
  for (int side = 0; side < PROF_SIDES; side++) {
    out.total[side] = from->total[side];
    out.self[side] = from->self[side];
    out.estimated[side] = from->estimated[side];
    out.self_estimated[side] = from->self_estimated[side];
    out.part[side] = prof_comparison_part(choice->from, (enum prof_side)side, from->total[side]);
    out.self_part[side] = prof_comparison_part(choice->from, (enum prof_side)side, from->self[side]);
  }
  const double larger = out.part[PROF_BEFORE] > out.part[PROF_AFTER] ? out.part[PROF_BEFORE] : out.part[PROF_AFTER];
  out.change = larger > 0 ? (out.part[PROF_AFTER] - out.part[PROF_BEFORE]) / larger : 0;
  return out;
}

/* Depth-first.  begin[i]: where node i's children begin in `sorted`; stack: room for as many nodes as there are. */
static void lay_out(const struct choice *choice, const uint32_t *begin, uint32_t *stack, uint32_t *places,
                    struct prof_comparison_tree *out) {
  const struct prof_merged_node *nodes = choice->from->nodes.items;
  size_t depth = 0;
  stack[depth++] = 0;
  while (depth) {
    const uint32_t index = stack[--depth];
    places[index] = out->count;
    out->nodes[out->count++] = convert(choice, index, index ? places[nodes[index].parent] : 0);
    uint32_t end = begin[index];
    while (end < choice->count && nodes[choice->sorted[end]].parent == index)
      end++;
    for (uint32_t i = end; i-- > begin[index];) /* the first is on top */
      stack[depth++] = choice->sorted[i];
  }
}

prof_status prof_comparison_select(const struct prof_comparison *comparison, enum prof_comparison_of of,
                                   struct prof_diag *diag, struct prof_comparison_tree *out) {
  const size_t count = comparison->nodes.count;
  struct choice choice = {.from = comparison, .of = of, .sorted = malloc(count * sizeof *choice.sorted)};
  uint8_t *chosen = calloc(count, 1);
  uint32_t *begin = malloc(count * sizeof *begin), *stack = malloc(count * sizeof *stack),
           *places = malloc(count * sizeof *places);
  *out = (struct prof_comparison_tree){.nodes = malloc(count * sizeof *out->nodes)};
  const bool done = choice.sorted && chosen && begin && stack && places && out->nodes;
  if (done) {
    out->hidden = choose(&choice, chosen);
    qsort_r(choice.sorted, choice.count, sizeof *choice.sorted, by_weight, comparison->nodes.items);
    for (size_t i = 0; i < count; i++)
      begin[i] = choice.count;
    for (uint32_t i = choice.count; i-- > 0;)
      begin[comparison->nodes.items[choice.sorted[i]].parent] = i;
    lay_out(&choice, begin, stack, places, out);
  } else {
    prof_comparison_tree_free(out);
  }
  free(choice.sorted);
  free(chosen);
  free(begin);
  free(stack);
  free(places);
  return done ? PROF_OK : prof_diag_memory(diag);
}
