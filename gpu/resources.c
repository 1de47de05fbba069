/*
 * gpu/resources.c - see resources.h.
 *
 * A node of a graph is attributed to the call that made it: its thread's outermost open call.  An executable graph has
 * copies of the nodes; these run.
 */
#include "resources.h"

#include "calls.h"
#include "clock.h"
#include "cubins.h"
#include "places.h"
#include "stream.h"

static const struct prof_gpu_library *library;

static uint64_t node_number(void *node) {
  uint64_t number = 0;
  return node != NULL && library->cuptiGetGraphNodeId(node, &number) == ABI_SUCCESS ? number : 0;
}

static void take_node(const struct abi_resource *resource) {
  const struct abi_graph *graph = resource->descriptor;
  struct prof_gpu_node node = {.start = prof_gpu_clock_now(), .correlation = prof_gpu_calls_current()};
  if (graph == NULL || (node.graph_node = node_number(graph->node)) == 0)
    return;
  node.origin = node_number(graph->original_node);
  prof_gpu_stream_record(PROF_GPU_NODE, &node, sizeof node, NULL, NULL);
}

static void take_module(const struct abi_resource *resource) {
  const struct abi_module *module = resource->descriptor;
  if (module != NULL)
    prof_gpu_cubins_keep(library, module->cubin, module->bytes);
}

static void module_goes(const struct abi_resource *resource) {
  (void)resource;
  prof_gpu_places_module_goes();
}

static void take_context(const struct abi_resource *resource) {
  prof_gpu_places_context(resource->context);
}

static void context_goes(const struct abi_resource *resource) {
  prof_gpu_places_context_ends(resource->context);
}

static const struct taker {
  uint32_t id;
  bool of_graphs; /* else: of samples */
  void (*take)(const struct abi_resource *);
} takers[] = {
    {ABI_CONTEXT_CREATED, false, take_context}, {ABI_CONTEXT_DESTROY_STARTING, false, context_goes},
    {ABI_MODULE_LOADED, false, take_module},    {ABI_MODULE_UNLOAD_STARTING, false, module_goes},
    {ABI_GRAPH_NODE_CREATED, true, take_node},  {ABI_GRAPH_NODE_CLONED, true, take_node},
};

void prof_gpu_resources_begin(const struct prof_gpu_library *from, void *subscriber, bool nodes) {
  bool samples = prof_gpu_places_begin(from);
  library = from;
  nodes = nodes && from->cuptiGetGraphNodeId != NULL;
  for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
    if (takers[i].of_graphs ? nodes : samples)
      from->cuptiEnableCallback(1, subscriber, ABI_RESOURCES, takers[i].id);
}

void prof_gpu_resources_take(uint32_t id, const void *data) {
  for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
    if (takers[i].id == id && data != NULL)
      takers[i].take(data);
}
