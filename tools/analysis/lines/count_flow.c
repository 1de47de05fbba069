/*
 * tools/analysis/lines/count_flow.c - see count_flow.h.
 *
 * Counts of the arcs on the spanning tree are computed from its leaves: a node with one unknown arc determines that
 * arc.
 */
#include "analysis/lines/count_flow.h"

#include <string.h>

#include "analysis/lines/count_bytes.h"
#include "counts.h"

#define NODES_MAX (1u << 20) /* of one function */

static bool take_arcs(struct prof_count_flow *flow, struct prof_count_bytes *reader, uint32_t count,
                      const uint8_t *counters, uint32_t counter_count) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < count && !reader->bad; i++) {
    struct prof_count_arc arc = {.from = prof_count_bytes_u32(reader), .to = prof_count_bytes_u32(reader)};
    arc.flags = prof_count_bytes_u32(reader);
    if (arc.flags & PROF_ARC_COUNTED) {
      if (used >= counter_count)
        reader->bad = true;
      else
        memcpy(&arc.count, counters + 8 * (size_t)used++, 8);
    }
    if (arc.from >= flow->node_count || arc.to >= flow->node_count || arc.count < 0)
      reader->bad = true;
    if (!prof_vec_push(&flow->arcs, arc))
      return false;
  }
  return true;
}

/* Marks the owner of a node's count: the highest line of the last file among its places. */
static void mark_owner(struct prof_count_place *places, size_t count) {
  size_t owner = count - 1;
  for (size_t i = count - 1; i > 0 && places[i - 1].file == places[count - 1].file; i--)
    if (places[i - 1].line > places[owner].line)
      owner = i - 1;
  places[owner].owner = true;
}

static bool take_places(struct prof_count_flow *flow, struct prof_count_bytes *reader) {
  for (uint32_t node = 0; node < flow->node_count && !reader->bad; node++) {
    uint32_t count = prof_count_bytes_items(reader, 2);
    for (uint32_t i = 0; i < count && !reader->bad; i++) {
      uint32_t file = prof_count_bytes_u32(reader), line = prof_count_bytes_u32(reader);
      if (file >= flow->files.count) {
        reader->bad = true;
        break;
      }
      struct prof_count_place place = {node, line, flow->files.items[file], false};
      if (!prof_vec_push(&flow->places, place))
        return false;
    }
    if (count > 0 && !reader->bad)
      mark_owner(&flow->places.items[flow->places.count - count], count);
  }
  return true;
}

static bool take_flow(struct prof_count_flow *flow, struct prof_count_bytes *reader, const uint8_t *counters,
                      uint32_t counts) {
  flow->name = prof_count_bytes_string(reader);
  flow->line = prof_count_bytes_u32(reader);
  uint32_t files = prof_count_bytes_items(reader, 1);
  for (uint32_t i = 0; i < files && !reader->bad; i++)
    if (!prof_vec_push(&flow->files, prof_count_bytes_string(reader)))
      return false;
  flow->node_count = prof_count_bytes_items(reader, 1);
  reader->bad |= flow->node_count < 2 || flow->node_count > NODES_MAX;
  uint32_t arcs = prof_count_bytes_items(reader, 3);
  flow->last_node = prof_count_bytes_u32(reader);
  flow->lines_by = prof_count_bytes_u32(reader);
  reader->bad |= flow->lines_by > PROF_FLOW_BY_BLOCK;
  return take_arcs(flow, reader, arcs, counters, counts) && take_places(flow, reader);
}

/* Nodes 0 and 1 are one for the balance. */
static uint32_t joined(uint32_t node) {
  return node == 1 ? 0 : node;
}

struct solver {      /* per node */
  int64_t *balance;  /* in minus out, of known arcs */
  uint32_t *unknown; /* number of unknown arcs, without those from a node to itself */
  uint32_t *sum;     /* XOR of the indices of those */
  uint32_t *queue;
};

static void arc_known(struct solver *solver, const struct prof_count_arc *arc, int64_t count) {
  solver->balance[joined(arc->from)] -= count;
  solver->balance[joined(arc->to)] += count;
}

/* Solves leaves of the tree until none is left. */
static void solve(struct prof_count_flow *flow, struct solver *solver) {
  size_t queued = 0;
  for (uint32_t i = 0; i < flow->arcs.count; i++) {
    struct prof_count_arc *arc = &flow->arcs.items[i];
    if (joined(arc->from) == joined(arc->to))
      continue;
    if (arc->flags & PROF_ARC_COUNTED) {
      arc_known(solver, arc, arc->count);
      continue;
    }
    for (int end = 0; end < 2; end++) {
      uint32_t node = joined(end ? arc->to : arc->from);
      solver->unknown[node]++;
      solver->sum[node] ^= i;
    }
  }
  for (uint32_t node = 0; node < flow->node_count; node++)
    if (solver->unknown[node] == 1)
      solver->queue[queued++] = node;
  while (queued > 0) {
    uint32_t node = solver->queue[--queued];
    if (solver->unknown[node] != 1)
      continue;
    uint32_t index = solver->sum[node];
    struct prof_count_arc *arc = &flow->arcs.items[index];
    bool leaves = joined(arc->from) == node;
    uint32_t other = joined(leaves ? arc->to : arc->from);
    int64_t count = leaves ? solver->balance[node] : -solver->balance[node];
    arc->count = count > 0 ? count : 0; /* negative if counters changed while they were read */
    arc_known(solver, arc, arc->count);
    solver->unknown[node] = 0;
    solver->sum[other] ^= index;
    if (--solver->unknown[other] == 1)
      solver->queue[queued++] = other;
  }
}

static bool complete(struct prof_count_flow *flow) {
  size_t nodes = flow->node_count;
  struct solver solver = {calloc(nodes, sizeof(int64_t)), calloc(nodes, sizeof(uint32_t)),
                          calloc(nodes, sizeof(uint32_t)), calloc(2 * nodes, sizeof(uint32_t))};
  bool made = solver.balance && solver.unknown && solver.sum && solver.queue && prof_vec_reserve(&flow->nodes, nodes);
  if (made) {
    solve(flow, &solver);
    memset(flow->nodes.items, 0, nodes * sizeof(int64_t));
    flow->nodes.count = nodes;
    for (size_t i = 0; i < flow->arcs.count; i++)
      flow->nodes.items[flow->arcs.items[i].to] += flow->arcs.items[i].count;
    for (size_t i = 0; i < flow->arcs.count; i++)
      if (flow->arcs.items[i].from == 0)
        flow->nodes.items[0] += flow->arcs.items[i].count;
  }
  free(solver.balance);
  free(solver.unknown);
  free(solver.sum);
  free(solver.queue);
  return made;
}

prof_status prof_count_flow_read(struct prof_count_flow *flow, const struct prof_count_block *block, size_t at,
                                 size_t *next) {
  struct prof_count_object object;
  flow->files.count = flow->arcs.count = flow->places.count = flow->nodes.count = 0;
  prof_status status = prof_count_object_find(block, PROF_COUNTS_MAGIC, at, &object, next);
  if (status != PROF_OK)
    return status;
  if (!take_flow(flow, &object.bytes, object.counters, object.counter_count))
    return PROF_NO_MEMORY;
  if (object.bytes.bad) {
    *next = block->bytes;
    return PROF_CORRUPT;
  }
  return complete(flow) ? PROF_OK : PROF_NO_MEMORY;
}

void prof_count_flow_fini(struct prof_count_flow *flow) {
  prof_vec_fini(&flow->files);
  prof_vec_fini(&flow->arcs);
  prof_vec_fini(&flow->places);
  prof_vec_fini(&flow->nodes);
}
