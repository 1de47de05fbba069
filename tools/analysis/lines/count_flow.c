/*
 * tools/analysis/lines/count_flow.c - see count_flow.h.
 *
 * Counts of the arcs on the spanning tree are computed from its leaves: a node with one unknown arc determines that
 * arc.
 */
#include "analysis/lines/count_flow.h"

#include <string.h>

#include "counts.h"

#define NODES_MAX (1u << 20) /* of one function */

struct reader {
  const uint8_t *at, *end;
  bool bad;
};

static uint32_t take_number(struct reader *reader) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 35 && reader->at < reader->end; shift += 7) {
    uint8_t byte = *reader->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) {
      reader->bad |= value > UINT32_MAX;
      return (uint32_t)value;
    }
  }
  reader->bad = true;
  return 0;
}

static const char *take_string(struct reader *reader) {
  const uint8_t *end = memchr(reader->at, 0, (size_t)(reader->end - reader->at));
  const char *string = (const char *)reader->at;
  if (end == NULL) {
    reader->bad = true;
    return "";
  }
  reader->at = end + 1;
  return string;
}

/* A count of items of at least `least` bytes each. */
static uint32_t take_count(struct reader *reader, size_t least) {
  uint32_t count = take_number(reader);
  if (count > (size_t)(reader->end - reader->at) / least) {
    reader->bad = true;
    return 0;
  }
  return count;
}

static bool take_arcs(struct prof_count_flow *flow, struct reader *reader, uint32_t count, const uint8_t *counters,
                      uint32_t counter_count) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < count && !reader->bad; i++) {
    struct prof_count_arc arc = {.from = take_number(reader), .to = take_number(reader)};
    arc.flags = take_number(reader);
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

static bool take_places(struct prof_count_flow *flow, struct reader *reader) {
  for (uint32_t node = 0; node < flow->node_count && !reader->bad; node++) {
    uint32_t count = take_count(reader, 2);
    for (uint32_t i = 0; i < count && !reader->bad; i++) {
      uint32_t file = take_number(reader), line = take_number(reader);
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

static bool take_flow(struct prof_count_flow *flow, struct reader *reader, const uint8_t *counters, uint32_t counts) {
  flow->name = take_string(reader);
  flow->line = take_number(reader);
  uint32_t files = take_count(reader, 1);
  for (uint32_t i = 0; i < files && !reader->bad; i++)
    if (!prof_vec_push(&flow->files, take_string(reader)))
      return false;
  flow->node_count = take_count(reader, 1);
  reader->bad |= flow->node_count < 2 || flow->node_count > NODES_MAX;
  uint32_t arcs = take_count(reader, 3);
  flow->last_node = take_number(reader);
  flow->lines_by = take_number(reader);
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
  struct prof_counts_object head;
  uint64_t word = 0;
  flow->files.count = flow->arcs.count = flow->places.count = flow->nodes.count = 0;
  for (; block->bytes - at >= sizeof head; at += 8) {
    memcpy(&word, block->objects + at, 8);
    if (word != 0)
      break;
  }
  *next = block->bytes;
  if (block->bytes - at < sizeof head)
    return PROF_NOT_FOUND;
  memcpy(&head, block->objects + at, sizeof head);
  size_t left = block->bytes - at - sizeof head, counters = 8 * (size_t)head.counter_count;
  if (head.magic != PROF_COUNTS_MAGIC || counters > left || head.flow_bytes > left - counters)
    return PROF_CORRUPT;
  const uint8_t *begin = block->objects + at + sizeof head;
  struct reader reader = {begin + counters, begin + counters + head.flow_bytes, false};
  if (!take_flow(flow, &reader, begin, head.counter_count))
    return PROF_NO_MEMORY;
  if (reader.bad)
    return PROF_CORRUPT;
  if (!complete(flow))
    return PROF_NO_MEMORY;
  size_t end = at + (sizeof head + counters + head.flow_bytes + 7) / 8 * 8;
  *next = end < block->bytes ? end : block->bytes;
  return PROF_OK;
}

void prof_count_flow_fini(struct prof_count_flow *flow) {
  prof_vec_fini(&flow->files);
  prof_vec_fini(&flow->arcs);
  prof_vec_fini(&flow->places);
  prof_vec_fini(&flow->nodes);
}
