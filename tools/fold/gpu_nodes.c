/*
 * tools/fold/gpu_nodes.c - see gpu_nodes.h.
 *
 * Numbers are used again once a graph is destroyed: of several nodes with a number the last one before the use counts.
 */
#include "fold/gpu_nodes.h"

#include <stdlib.h>

#include "base/order.h"
#include "fold/gpu_chunks.h"

enum { MOST_COPIES = 64 }; /* of copies of copies; more are a ring that a damaged trace has */

static int compare(const void *left, const void *right) {
  const struct prof_gpu_graph_node *a = left, *b = right;
  return prof_order(a->source, b->source) ?: prof_order(a->node, b->node) ?: prof_order(a->start, b->start);
}

static bool take(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct prof_gpu_nodes *nodes = context;
  return prof_vec_push(&nodes->items,
                       (struct prof_gpu_graph_node){.node = chunk->columns[PROF_GPU_GRAPH_NODE][at],
                                                    .start = chunk->columns[PROF_GPU_START][at],
                                                    .origin = chunk->columns[PROF_GPU_ORIGIN][at],
                                                    .source = chunk->source,
                                                    .correlation = (uint32_t)chunk->columns[PROF_GPU_CORRELATION][at]});
}

prof_status prof_gpu_nodes_load(const prof_trace *trace, struct prof_gpu_nodes *out) {
  *out = (struct prof_gpu_nodes){0};
  prof_status status = prof_gpu_records_visit(trace, 1u << PROF_GPU_NODE, take, out, &out->damaged);
  prof_vec_sort(&out->items, compare);
  return status;
}

void prof_gpu_nodes_fini(struct prof_gpu_nodes *nodes) {
  prof_vec_fini(&nodes->items);
}

/* The last one with this number that was there at `time`; NULL: none. */
static const struct prof_gpu_graph_node *find(const struct prof_gpu_nodes *nodes, uint32_t source, uint64_t node,
                                              uint64_t time) {
  const struct prof_gpu_graph_node key = {.source = source, .node = node, .start = time};
  /* the first one behind it */
  size_t low = prof_search(0, nodes->items.count, middle, compare(&nodes->items.items[middle], &key) <= 0);
  const struct prof_gpu_graph_node *found = low > 0 ? &nodes->items.items[low - 1] : NULL;
  return found != NULL && found->source == source && found->node == node ? found : NULL;
}

const struct prof_gpu_api_call *prof_gpu_nodes_call(const struct prof_gpu_nodes *nodes,
                                                    const struct prof_gpu_join *join, uint32_t source, uint64_t node,
                                                    uint64_t time) {
  const struct prof_gpu_graph_node *found = NULL;
  if (node == 0 || nodes->items.count == 0)
    return NULL;
  for (int copies = 0; copies < MOST_COPIES; copies++) {
    found = find(nodes, source, node, time != 0 ? time : UINT64_MAX);
    if (found == NULL || found->origin == 0)
      break;
    node = found->origin;
    time = found->start;
  }
  return found != NULL && found->origin == 0 && found->correlation != 0
             ? prof_gpu_join_call(join, source, found->correlation)
             : NULL;
}
