/*
 * tools/fold/core.c - see core.h: making, growing and merging cores; frames that are left around others.
 */
#include "fold/core.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_NODES 1024u
#define CACHE_LINE (uintptr_t)64

static void table_put(struct prof_fold_core *core, uint32_t node) {
  const struct prof_fold_node *at = &core->nodes[node];
  uint32_t mask = (1u << (64 - core->table_shift)) - 1;
  uint32_t slot = prof_fold_slot(core->table_shift, at->parent, at->function);
  while (core->table[slot])
    slot = (slot + 1) & mask;
  core->table[slot] = node;
}

/* Room for `capacity` nodes (a power of two) and a table twice as large; false: no memory, nothing changed. */
static bool grow(struct prof_fold_core *core, uint32_t capacity) {
  if (capacity == 0 || capacity > 1u << 29)
    return false;
  uint32_t *table = calloc((size_t)capacity * 2, sizeof *table);
  struct prof_fold_node *nodes = table ? aligned_alloc(CACHE_LINE, (size_t)capacity * sizeof *nodes) : NULL;
  if (!nodes) {
    free(table);
    return false;
  }
  if (core->node_count)
    memcpy(nodes, core->nodes, core->node_count * sizeof *nodes);
  free(core->nodes);
  free(core->table);
  core->table = table;
  core->table_shift = 63 - (uint32_t)__builtin_ctz(capacity);
  core->nodes = nodes;
  core->node_capacity = capacity;
  for (uint32_t node = 1; node < core->node_count; node++)
    table_put(core, node);
  return true;
}

/* Histograms of so many functions, those that there are taken over; false: no memory, nothing changed. */
static bool make_functions(struct prof_fold_core *core, uint32_t function_count) {
  /* One more, so that node 0, where failed look-ups land, has a histogram to count into; and one to align them. */
  void *memory = calloc((size_t)function_count + 2, sizeof *core->functions);
  if (!memory)
    return false;
  struct prof_histogram *functions = (struct prof_histogram *)(((uintptr_t)memory + CACHE_LINE - 1) & -CACHE_LINE);
  if (core->functions_memory)
    memcpy(functions, core->functions, core->function_count * sizeof *functions);
  uint32_t *calling_of = calloc((size_t)function_count + 1, sizeof *calling_of);
  if (!calling_of) {
    free(memory);
    return false;
  }
  if (core->calling_of)
    memcpy(calling_of, core->calling_of, core->function_count * sizeof *calling_of);
  free(core->calling_of);
  core->calling_of = calling_of;
  free(core->functions_memory);
  core->functions_memory = memory;
  core->functions = functions;
  core->function_count = function_count;
  return true;
}

bool prof_fold_init(struct prof_fold_core *core, uint32_t function_count) {
  memset(core, 0, sizeof *core);
  core->stack = malloc((PROF_FOLD_DEPTH + 1) * sizeof *core->stack);
  core->node_count = 0;
  if (!core->stack || !grow(core, FIRST_NODES) || !make_functions(core, function_count)) {
    prof_fold_fini(core);
    return false;
  }
  core->nodes[0] = (struct prof_fold_node){.parent = PROF_FOLD_TOP, .function = function_count};
  core->node_count = 1;
  core->stack[0] = (struct prof_fold_frame){0};
  return true;
}

bool prof_fold_widen(struct prof_fold_core *core, uint32_t function_count) {
  if (function_count <= core->function_count)
    return true;
  if (!make_functions(core, function_count))
    return false;
  core->nodes[0].function = function_count;
  return true;
}

void prof_fold_fini(struct prof_fold_core *core) {
  free(core->nodes);
  free(core->table);
  free(core->functions_memory);
  free(core->calling_of);
  free(core->callings);
  free(core->stack);
  prof_vec_fini(&core->opens);
  prof_histogram_pool_free(&core->histograms);
  memset(core, 0, sizeof *core);
}

struct prof_fold_calling *prof_fold_calling_of(struct prof_fold_core *core, uint32_t function) {
  uint32_t *index = &core->calling_of[function];
  if (*index)
    return &core->callings[*index];
  uint32_t count = core->calling_count ? core->calling_count : 1; /* the first one is never used */
  if (count >= core->calling_capacity) {
    uint32_t capacity = core->calling_capacity ? core->calling_capacity * 2 : 64;
    struct prof_fold_calling *callings = realloc(core->callings, capacity * sizeof *callings);
    if (!callings) {
      core->failed = true;
      return NULL;
    }
    core->callings = callings;
    core->calling_capacity = capacity;
  }
  core->callings[count] = (struct prof_fold_calling){0};
  core->calling_count = count + 1;
  *index = count;
  return &core->callings[count];
}

void prof_fold_count_calling(struct prof_fold_core *core, uint32_t function, uint64_t net, int64_t self) {
  struct prof_fold_calling *calling = prof_fold_calling_of(core, function);
  if (!calling)
    return;
  prof_histogram_add(&core->histograms, &calling->total, net);
  if (self != INT64_MIN)
    prof_histogram_add(&core->histograms, &calling->self, self > 0 ? (uint64_t)self : 0);
}

uint32_t prof_fold_child_new(struct prof_fold_core *core, uint32_t parent, uint32_t function) {
  if (core->node_count == core->node_capacity && !grow(core, core->node_capacity * 2)) {
    core->failed = true;
    return 0;
  }
  uint32_t node = core->node_count++;
  core->nodes[node] = (struct prof_fold_node){.parent = parent, .function = function};
  table_put(core, node);
  return node;
}

void prof_fold_begin(struct prof_fold_core *core, uint32_t root) {
  core->depth = core->inherited = core->left_loop = 0;
  core->beyond = 0;
  core->stack[0] = (struct prof_fold_frame){.entry = 0, .node = prof_fold_child(core, 0, root)};
}

void prof_fold_add_open(struct prof_fold_core *core, uint32_t node, uint64_t ticks) {
  struct prof_fold_open open = {.ticks = ticks, .node = node};
  core->nodes[node].total += ticks;
  core->failed |= !prof_vec_push(&core->opens, open);
}

void prof_fold_leave_inherited(struct prof_fold_core *core, uint64_t time) {
  if (core->depth == 0)
    return;
  const struct prof_fold_frame *frame = &core->stack[core->depth--];
  core->inherited = core->depth;
  if (!(frame->node & PROF_FOLD_QUIET))
    prof_fold_add_open(core, frame->node & PROF_FOLD_NODE, time - frame->entry);
  if (frame->node & PROF_FOLD_LOOP && !(frame->node & PROF_FOLD_QUIET))
    core->left_loop = frame->node & PROF_FOLD_NODE;
}

void prof_fold_close_up(struct prof_fold_core *core, uint32_t at) {
  const uint32_t left = core->stack[at].node & PROF_FOLD_NODE;
  uint32_t outer = core->stack[at].node & PROF_FOLD_QUIET ? left : core->nodes[left].parent;
  for (uint32_t i = at + 1; i <= core->depth; i++) {
    struct prof_fold_frame *frame = &core->stack[i - 1];
    const uint32_t bits = core->stack[i].node & ~PROF_FOLD_NODE;
    *frame = core->stack[i];
    if (!(bits & PROF_FOLD_QUIET))
      outer = prof_fold_child(core, outer, core->nodes[frame->node & PROF_FOLD_NODE].function);
    frame->node = outer | bits;
  }
  core->depth--;
  core->inherited -= at <= core->inherited;
}

/*
 * What the frames above `at` took so far becomes their nodes' (sign 1), or is taken off these (-1), as the whole call
 * is added where it ends.  Frames that are no calls begin anew instead.
 */
static void add_ages(struct prof_fold_core *core, uint32_t at, uint64_t time, uint64_t sign) {
  for (uint32_t i = at + 1; i <= core->depth; i++) {
    struct prof_fold_frame *frame = &core->stack[i];
    const uint32_t node = frame->node & PROF_FOLD_NODE;
    if (i <= core->inherited) {
      if (!(frame->node & PROF_FOLD_QUIET) && time != frame->entry)
        prof_fold_add_open(core, node, time - frame->entry);
      frame->entry = time;
      frame->serial = core->serial;
    } else if (!(frame->node & PROF_FOLD_QUIET)) {
      core->nodes[node].total += sign * (time - frame->entry);
    }
  }
}

void prof_fold_leave_around(struct prof_fold_core *core, uint32_t at, uint64_t time) {
  const uint32_t depth = core->depth, inherited = core->inherited;
  const uint64_t beyond = core->beyond;
  add_ages(core, at, time, 1);
  if (at < depth && at >= inherited) { /* the inner time of both is of calls */
    const struct prof_fold_frame *inner = &core->stack[at + 1];
    const int64_t before = core->stack[at].inner;
    prof_fold_pass_on(&core->stack[at], inner, prof_fold_net(core, time - inner->entry, core->serial - inner->serial));
    core->stack[at - 1].inner -= core->stack[at].inner - before;
  }
  core->beyond = 0;
  core->depth = at;
  prof_fold_leave(core, time);
  core->depth = depth;
  core->inherited = inherited;
  prof_fold_close_up(core, at);
  core->beyond = beyond;
  add_ages(core, at - 1, time, UINT64_MAX);
}

/* false: no memory. */
static bool merge_opens(struct prof_fold_core *into, const struct prof_fold_core *from, const uint32_t *moved) {
  if (!prof_vec_reserve(&into->opens, from->opens.count + 1))
    return false;
  for (size_t i = 0; i < from->opens.count; i++)
    into->opens.items[into->opens.count++] =
        (struct prof_fold_open){from->opens.items[i].ticks, moved[from->opens.items[i].node]};
  return true;
}

bool prof_fold_merge_nodes(struct prof_fold_core *into, const struct prof_fold_core *from, uint32_t *moved) {
  moved[0] = 0;
  for (uint32_t i = 1; i < from->node_count; i++) { /* parents come first */
    const struct prof_fold_node *node = &from->nodes[i];
    moved[i] = prof_fold_child(into, moved[node->parent], node->function);
    into->nodes[moved[i]].calls += node->calls;
    into->nodes[moved[i]].total += node->total;
    into->nodes[moved[i]].uncounted += node->uncounted;
  }
  return merge_opens(into, from, moved);
}

void prof_fold_take_nodes(struct prof_fold_core *into, struct prof_fold_core *from) {
  free(into->nodes);
  free(into->table);
  into->nodes = from->nodes;
  into->table = from->table;
  into->table_shift = from->table_shift;
  into->node_count = from->node_count;
  into->node_capacity = from->node_capacity;
  into->nodes[0].function = into->function_count;
  if (into->opens.count == 0 && from->opens.count) {
    prof_vec_fini(&into->opens);
    memcpy(&into->opens, &from->opens, sizeof into->opens);
    memset(&from->opens, 0, sizeof from->opens);
  }
  from->nodes = NULL;
  from->table = NULL;
}

void prof_fold_free_nodes(struct prof_fold_core *core) {
  free(core->nodes);
  free(core->table);
  core->nodes = NULL;
  core->table = NULL;
  core->node_count = core->node_capacity = 0;
}

void prof_fold_forget_nodes(struct prof_fold_core *core) {
  core->node_count = 1;
  core->opens.count = 0;
  memset(core->table, 0, ((size_t)1 << (64 - core->table_shift)) * sizeof *core->table);
}

bool prof_fold_merge_function(struct prof_fold_core *into, uint32_t function, const struct prof_fold_core *from,
                              uint32_t of) {
  if (!prof_histogram_is_empty(&from->functions[of]))
    prof_histogram_merge(&into->histograms, &into->functions[function], &from->histograms, &from->functions[of]);
  if (!from->calling_of[of])
    return true;
  struct prof_fold_calling *calling = prof_fold_calling_of(into, function);
  const struct prof_fold_calling *other = &from->callings[from->calling_of[of]];
  if (!calling)
    return false;
  prof_histogram_merge(&into->histograms, &calling->total, &from->histograms, &other->total);
  prof_histogram_merge(&into->histograms, &calling->self, &from->histograms, &other->self);
  return true;
}

bool prof_fold_merge_moved(struct prof_fold_core *into, const struct prof_fold_core *from, uint32_t *moved) {
  if (!prof_fold_widen(into, from->function_count) || !prof_fold_merge_nodes(into, from, moved))
    return false;
  for (uint32_t i = 0; i < from->function_count; i++)
    if (!prof_fold_merge_function(into, i, from, i))
      break; /* `failed` is set */
  into->too_deep += from->too_deep;
  into->failed |= from->failed || into->histograms.failed;
  return true;
}

void prof_fold_merge(struct prof_fold_core *into, const struct prof_fold_core *from) {
  uint32_t *moved = malloc(from->node_count * sizeof *moved);
  into->failed |= !moved || !prof_fold_merge_moved(into, from, moved);
  free(moved);
}
