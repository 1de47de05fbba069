/*
 * tools/fold/plain_calls.c - see plain_calls.h.
 */
#include "fold/plain_calls.h"

/* A call of `function` that made none, as prof_fold_count; net: less probes. */
static inline __attribute__((always_inline)) void count_leaf(struct prof_fold_core *core, uint32_t node,
                                                             uint32_t function, uint64_t duration, int64_t net) {
  core->nodes[node].calls++;
  core->nodes[node].total += duration;
  prof_histogram_add(&core->histograms, &core->functions[function], net > 0 ? (uint64_t)net : 0);
}

/* Do such calls follow each other, four by the edge of `op`, the first at `at`?  For fewer their loop costs more. */
static inline bool are_leaves(const uint8_t *ops, uint32_t at, uint32_t last, uint32_t op) {
  uint64_t eight;
  if (at + 7 > last)
    return false;
  memcpy(&eight, ops + at, sizeof eight);
  return eight == op * 0x0001000100010001u && op < PROF_CHUNK_OP_FAR;
}

/*
 * Such calls in a row, by one edge from one frame: events from `at` on, up to the first pair before `end` that is none.
 * The first pair is one.  Returns the number of the event behind them.  cost: of a call's probes.
 */
static inline __attribute__((always_inline)) uint32_t take_run(struct prof_fold_core *core,
                                                               const struct prof_fold_edge *edge,
                                                               const struct prof_fold_block *block, uint32_t at,
                                                               uint32_t end, int64_t cost, int64_t *inner) {
  struct prof_fold_node *node = &core->nodes[edge->to];
  struct prof_histogram *histogram = &core->functions[edge->key];
  const uint8_t *const ops = block->ops, op = ops[at];
  const uint64_t *const times = block->times;
  const uint32_t begin = at;
  uint64_t total = 0, least = UINT64_MAX, most = 0;
  do {
    const uint64_t duration = times[at + 1] - times[at];
    const int64_t net = (int64_t)duration - cost;
    const uint64_t shown = net > 0 ? (uint64_t)net : 0;
    total += duration;
    least = shown < least ? shown : least;
    most = shown > most ? shown : most;
    prof_histogram_tick(&core->histograms, histogram, shown);
    at += 2;
  } while (at < end && ops[at] == op && ops[at + 1] == 0);
  const uint32_t calls = (at - begin) / 2;
  node->calls += calls;
  node->total += total;
  prof_histogram_reach(histogram, least, most);
  *inner += (int64_t)total - cost * calls;
  return at;
}

/* A call that made others. */
static inline __attribute__((always_inline)) void count_outer(struct prof_fold_core *core, uint32_t node,
                                                              uint64_t duration, int64_t net, int64_t inner) {
  struct prof_fold_node *to = &core->nodes[node];
  const uint32_t index = core->calling_of[to->function];
  if (index == 0 || inner <= PROF_FOLD_INNER_UNKNOWN / 2) {
    prof_fold_count(core, node, duration, net, inner);
    return;
  }
  to->calls++;
  to->total += duration;
  prof_histogram_add(&core->histograms, &core->callings[index].total, net > 0 ? (uint64_t)net : 0);
  prof_histogram_add(&core->histograms, &core->callings[index].self, net > inner ? (uint64_t)(net - inner) : 0);
}

/* The edge of a far entry, whose number has two bytes; NULL: it has not.  Reads nothing. */
static inline struct prof_fold_edge *far_edge(const struct prof_fold_pass *pass) {
  const uint8_t *at = pass->side->at;
  if (pass->side_end - at < 2 || at[0] < 0x80 || at[1] >= 0x80)
    return NULL;
  const uint32_t edge = (at[0] & 0x7fu) | (uint32_t)at[1] << 7;
  return edge < pass->edge_count ? &pass->edges[edge] : NULL;
}

/* Finds the node of a call of the edge by `node` anew; false: there is none yet, or it isn't so easily found. */
static inline bool find(const struct prof_fold_pass *pass, struct prof_fold_edge *edge, uint32_t node,
                        const struct prof_fold_frame *top) {
  const struct prof_fold_core *core = pass->core;
  const uint32_t to = core->table[prof_fold_slot(core->table_shift, node, edge->key)];
  if (core->nodes[to].function != edge->key || core->nodes[to].parent != node || prof_fold_edge_bits(edge) ||
      (pass->forks && top == core->stack))
    return false;
  edge->from = node;
  edge->to = to;
  return true;
}

typedef uint32_t take_leaves(struct prof_fold_core *, const struct prof_fold_edge *, const struct prof_fold_block *,
                             uint32_t at, uint32_t end, int64_t cost, int64_t *inner); /* as take_run */

/* As prof_fold_plain. */
static inline __attribute__((always_inline)) uint32_t take(struct prof_fold_pass *pass,
                                                           const struct prof_fold_block *block, uint32_t serial,
                                                           uint32_t at, take_leaves *leaves) {
  struct prof_fold_core *const core = pass->core;
  const uint8_t *const ops = block->ops;
  const uint64_t *const times = block->times;
  const uint32_t last = core->beyond ? at : block->count - 1;
  struct prof_fold_edge *const edges = pass->edges;
  struct prof_fold_frame *top = pass->top;
  uint32_t node = pass->node;
  const int64_t leaf_cost = -prof_fold_net(core, 0, 1);
  while (at < last) {
    const uint32_t op = ops[at];
    const uint64_t time = times[at];
    if (op == 0) {
      if (top == pass->bottom || top->node > PROF_FOLD_NODE)
        break;
      const uint64_t duration = time - pass->late - top->entry;
      const int64_t net = prof_fold_net(core, duration, serial + at - top->serial), inner = top->inner;
      top--;
      top->inner += net;
      if (inner == 0)
        count_leaf(core, node, core->nodes[node].function, duration, net);
      else
        count_outer(core, node, duration, net, inner);
      node = top->node & PROF_FOLD_NODE;
      at++;
      continue;
    }
    struct prof_fold_edge *edge = &edges[op - 1];
    if (op >= PROF_CHUNK_OP_FAR && (op > PROF_CHUNK_OP_FAR || (edge = far_edge(pass)) == NULL))
      break;
    if ((edge->from != node && !find(pass, edge, node, top)) || top == pass->limit)
      break;
    if (op == PROF_CHUNK_OP_FAR)
      pass->side->at += 2;
    if (ops[at + 1] == 0) {
      if (are_leaves(ops, at, last, op)) {
        at = leaves(core, edge, block, at, last, leaf_cost, &top->inner);
        continue;
      }
      const uint64_t duration = times[at + 1] - time;
      const int64_t net = (int64_t)duration - leaf_cost;
      top->inner += net;
      count_leaf(core, edge->to, edge->key, duration, net);
      at += 2;
      continue;
    }
    node = edge->to;
    *++top = (struct prof_fold_frame){time - pass->late, 0, node, serial + at};
    at++;
  }
  pass->top = top;
  pass->node = node;
  return at;
}

/* Not inlined: it would take the registers of the loop around it. */
static __attribute__((noinline)) uint32_t leaves_anywhere(struct prof_fold_core *core,
                                                          const struct prof_fold_edge *edge,
                                                          const struct prof_fold_block *block, uint32_t at,
                                                          uint32_t end, int64_t cost, int64_t *inner) {
  return take_run(core, edge, block, at, end, cost, inner);
}

static uint32_t take_anywhere(struct prof_fold_pass *pass, const struct prof_fold_block *block, uint32_t serial,
                              uint32_t at) {
  return take(pass, block, serial, at, leaves_anywhere);
}

#if defined __x86_64__
/* The same by instructions that not every processor has; without them the bucket of a duration costs most. */
__attribute__((noinline, target("lzcnt,bmi,bmi2"))) static uint32_t
leaves_quickly(struct prof_fold_core *core, const struct prof_fold_edge *edge, const struct prof_fold_block *block,
               uint32_t at, uint32_t end, int64_t cost, int64_t *inner) {
  return take_run(core, edge, block, at, end, cost, inner);
}

__attribute__((target("lzcnt,bmi,bmi2"))) static uint32_t
take_quickly(struct prof_fold_pass *pass, const struct prof_fold_block *block, uint32_t serial, uint32_t at) {
  return take(pass, block, serial, at, leaves_quickly);
}
#endif

prof_fold_plain *prof_fold_plain_choose(void) {
#if defined __x86_64__
  if (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2")) /* has LZCNT then */
    return take_quickly;
#endif
  return take_anywhere;
}
