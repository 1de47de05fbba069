/*
 * tools/fold/node_order.c - see node_order.h.
 */
#include "fold/node_order.h"
#include "base/order.h"

#include <stdlib.h>

static int by_key(const void *a, const void *b) {
  const struct prof_node_child *left = a, *right = b;
  return prof_order(left->key, right->key);
}

/* Nodes that were called, and those above them, sorted by parent and function.  NULL: no memory. */
struct prof_node_child *prof_node_children_sort(struct prof_fold_core *core, uint32_t *count) {
  uint8_t *kept = calloc(core->node_count, 1);
  struct prof_node_child *children = malloc(core->node_count * sizeof *children);
  *count = 0;
  if (kept && children) {
    for (uint32_t i = core->node_count - 1; i > 0; i--) { /* children stand behind their parents */
      if (core->nodes[i].calls || core->nodes[i].total || kept[i])
        kept[i] = kept[core->nodes[i].parent] = 1;
      else
        core->nodes[core->nodes[i].parent].uncounted += core->nodes[i].uncounted;
    }
    for (uint32_t i = 1; i < core->node_count; i++)
      if (kept[i])
        children[(*count)++] =
            (struct prof_node_child){(uint64_t)core->nodes[i].parent << 32 | core->nodes[i].function, i};
    qsort(children, *count, sizeof *children, by_key);
    free(kept);
    return children;
  }
  free(kept);
  free(children);
  return NULL;
}

uint32_t prof_node_children_first(const struct prof_node_child *children, uint32_t count, uint32_t parent) {
  return (uint32_t)prof_search(0, count, middle, children[middle].key < (uint64_t)parent << 32);
}
