/*
 * tools/analysis/slow_calls.c - see slow_calls.h.
 *
 *    walk 1: outermost calls -> the longest ones     walk 2: in each of these, calls by their path -> nodes -> sorted
 */
#include "analysis/slow_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/walk.h"

/* ---- which calls ---- */

struct choice {
  struct prof_slow_calls *calls;
  size_t most;
  uint64_t begin_ns; /* of the outermost call that is open; threads come one after another */
  bool cut;
};

static void insert(struct choice *choice, const struct prof_slow_tree *call) {
  struct prof_slow_tree *items = choice->calls->items;
  size_t at = prof_search(0, choice->calls->count, middle, items[middle].duration_ns >= call->duration_ns);
  if (at == choice->most)
    return;
  choice->calls->count += choice->calls->count < choice->most;
  memmove(items + at + 1, items + at, (choice->calls->count - at - 1) * sizeof *items);
  items[at] = *call;
}

static bool choose(void *context, const struct prof_walk_event *event) {
  struct choice *choice = context;
  if (event->depth > 0)
    return true;
  if (event->kind == PROF_WALK_ENTER) {
    choice->begin_ns = event->time_ns;
    choice->cut = event->cut;
  } else if (event->kind == PROF_WALK_LEAVE) {
    choice->calls->all++;
    insert(choice, &(struct prof_slow_tree){.thread = event->thread,
                                            .function = event->function,
                                            .begin_ns = choice->begin_ns,
                                            .duration_ns = event->duration_ns,
                                            .cut = event->cut || choice->cut});
  }
  return true;
}

/* ---- what ran in them ---- */

struct pass {
  struct prof_slow_calls *calls;
  struct prof_slow_tree *now; /* NULL: in none of them */
  PROF_VEC(uint32_t) stack;   /* nodes of the calls that are open; PROF_NONE: left out */
  bool failed;
};

/* Begins at one nanosecond are told apart by the walk's order: the first one that has no nodes yet. */
static struct prof_slow_tree *chosen(const struct prof_slow_calls *calls, const struct prof_walk_event *event) {
  for (size_t i = 0; i < calls->count; i++) {
    struct prof_slow_tree *call = &calls->items[i];
    if (call->thread == event->thread && call->begin_ns == event->time_ns && call->function == event->function &&
        call->nodes.count == 0)
      return call;
  }
  return NULL;
}

static uint32_t node_of(struct prof_slow_tree *call, uint32_t parent, uint32_t function) {
  const struct prof_slow_node *nodes = call->nodes.items;
  const uint32_t hash = prof_index_hash(parent, function);
  if (parent == PROF_NONE)
    return PROF_NONE;
  if (call->nodes.count >= PROF_SLOW_NODES)
    return prof_index_find(&call->known, hash, i, nodes[i].parent == parent && nodes[i].function == function);
  const struct prof_slow_node node = {.parent = parent, .function = function, .depth = nodes[parent].depth + 1};
  return prof_index_meet(&call->known, &call->nodes, hash, i,
                         nodes[i].parent == parent && nodes[i].function == function, node);
}

static bool enter(struct pass *pass, const struct prof_walk_event *event) {
  uint32_t node = 0;
  if (event->depth == 0) {
    pass->now = chosen(pass->calls, event);
    pass->stack.count = 0;
    const struct prof_slow_node whole = {.parent = PROF_NONE, .function = event->function};
    if (pass->now && !prof_vec_push(&pass->now->nodes, whole))
      return false;
  }
  if (!pass->now)
    return true;
  if (event->depth > 0) {
    uint32_t parent = pass->stack.count ? pass->stack.items[pass->stack.count - 1] : PROF_NONE;
    const bool full = pass->now->nodes.count >= PROF_SLOW_NODES;
    node = node_of(pass->now, parent, event->function);
    if (node == PROF_NONE && parent != PROF_NONE && !full)
      return false; /* no memory */
    pass->now->omitted += node == PROF_NONE;
  }
  return prof_vec_push(&pass->stack, node);
}

static bool add_up(void *context, const struct prof_walk_event *event) {
  struct pass *pass = context;
  if (event->kind == PROF_WALK_ENTER)
    pass->failed = !enter(pass, event);
  if (event->kind != PROF_WALK_LEAVE || !pass->now || pass->stack.count == 0)
    return !pass->failed;
  uint32_t node = pass->stack.items[--pass->stack.count];
  if (node != PROF_NONE) {
    pass->now->nodes.items[node].calls++;
    pass->now->nodes.items[node].total_ns += event->duration_ns;
  }
  if (event->depth == 0)
    pass->now = NULL;
  return true;
}

/* ---- their order ---- */

static int by_total(const void *left, const void *right, void *context) {
  const struct prof_slow_node *nodes = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return prof_order(nodes[a].parent, nodes[b].parent) ?: prof_order(nodes[b].total_ns, nodes[a].total_ns)
                                                       ?: prof_order(a, b);
}

/* Depth first.  sorted: nodes by parent, the root apart; begin[i]: where those of parent i begin in it. */
static void lay_out(const struct prof_slow_tree *call, const uint32_t *sorted, const uint32_t *begin, uint32_t *stack,
                    struct prof_slow_node *out) {
  const struct prof_slow_node *nodes = call->nodes.items;
  const uint32_t count = (uint32_t)call->nodes.count;
  uint32_t depth = 0, done = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const uint32_t index = stack[--depth];
    out[done++] = nodes[index];
    uint32_t end = begin[index];
    while (end < count && nodes[sorted[end]].parent == index)
      end++;
    for (uint32_t i = end; i-- > begin[index];) /* the first is on top */
      stack[depth++] = sorted[i];
  }
}

static bool sort(struct prof_slow_tree *call) {
  const uint32_t count = (uint32_t)call->nodes.count;
  uint32_t *sorted = malloc((count + 1) * sizeof *sorted), *begin = malloc((count + 1) * sizeof *begin),
           *stack = malloc((count + 1) * sizeof *stack);
  struct prof_slow_node *out = malloc((count + 1) * sizeof *out);
  const bool done = sorted && begin && stack && out;
  if (done && count > 0) {
    for (uint32_t i = 0; i < count; i++) {
      sorted[i] = i;
      begin[i] = count;
    }
    qsort_r(sorted, count, sizeof *sorted, by_total, call->nodes.items);
    for (uint32_t i = count; i-- > 0;)
      if (call->nodes.items[sorted[i]].parent != PROF_NONE)
        begin[call->nodes.items[sorted[i]].parent] = i;
    lay_out(call, sorted, begin, stack, out);
    memcpy(call->nodes.items, out, count * sizeof *out);
  }
  free(sorted);
  free(begin);
  free(stack);
  free(out);
  prof_index_fini(&call->known);
  return done;
}

/* ---- both ---- */

void prof_slow_calls_free(struct prof_slow_calls *calls) {
  for (size_t i = 0; i < calls->count; i++) {
    prof_vec_fini(&calls->items[i].nodes);
    prof_index_fini(&calls->items[i].known);
  }
  free(calls->items);
  *calls = (struct prof_slow_calls){.items = NULL};
}

prof_status prof_slow_calls_find(const prof_trace *trace, const struct prof_filter *filter, size_t most,
                                 struct prof_diag *diag, struct prof_slow_calls *out) {
  *out = (struct prof_slow_calls){.items = calloc(most, sizeof *out->items)};
  if (!out->items)
    return prof_diag_memory(diag);
  struct choice choice = {.calls = out, .most = most};
  prof_status status = prof_walk(trace, filter, PROF_WALK_BY_THREAD, choose, &choice, diag);
  if (status == PROF_OK && out->count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "widen the filters (-F -N -D -t --tid --range)",
                            "no calls to show");
  struct pass pass = {.calls = out};
  if (status == PROF_OK)
    status = prof_walk(trace, filter, PROF_WALK_BY_THREAD, add_up, &pass, diag);
  for (size_t i = 0; status == PROF_OK && i < out->count; i++)
    pass.failed |= !sort(&out->items[i]);
  prof_vec_fini(&pass.stack);
  if (status == PROF_OK && pass.failed)
    status = prof_diag_memory(diag);
  if (status != PROF_OK)
    prof_slow_calls_free(out);
  return status;
}
