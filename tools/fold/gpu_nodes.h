/*
 * tools/fold/gpu_nodes.h - where the nodes of CUDA's graphs were created.
 *
 * Job: node numbers of kernels, copies and sets -> the API call that created the node; of a node that was copied (what
 * runs is a copy, made with the executable graph), that of the node it was copied from in the end.  In: an opened trace
 * and its joined calls, which must outlive it.
 */
#ifndef PROF_FOLD_GPU_NODES_H
#define PROF_FOLD_GPU_NODES_H

#include "base/vec.h"
#include "fold/gpu_join.h"

struct prof_gpu_graph_node {
  uint64_t node, start, origin; /* origin: 0: created, not copied */
  uint32_t source, correlation;
};

struct prof_gpu_nodes {
  PROF_VEC(struct prof_gpu_graph_node) items; /* by source, node and start */
  uint64_t damaged;                           /* chunks that could not be read */
};

prof_status prof_gpu_nodes_load(const prof_trace *, struct prof_gpu_nodes *out) PROF_MUST_CHECK; /* PROF_NO_MEMORY */
void prof_gpu_nodes_fini(struct prof_gpu_nodes *); /* a zeroed one is fine */

/* The call that created what was launched as `node` at `time` (0: whenever); NULL: not known. */
const struct prof_gpu_api_call *prof_gpu_nodes_call(const struct prof_gpu_nodes *, const struct prof_gpu_join *,
                                                    uint32_t source, uint64_t node, uint64_t time);

#endif
