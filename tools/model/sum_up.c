/*
 * tools/model/sum_up.c - see sum_up.h.
 */
#include "model/sum_up.h"

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static void sum_up_times(struct prof_node *nodes, uint32_t count) {
  for (uint32_t i = count - 1; i > 0; i--) { /* self gathers the children's totals first */
    struct prof_node *node = &nodes[i], *parent = &nodes[node->parent];
    bool real = node->parent != 0;
    if (!real)
      node->total_ticks = node->self_ticks;
    uint64_t children = node->self_ticks;
    if (node->forker) /* it had its own time only */
      node->total_ticks += children;
    node->self_ticks = real && node->total_ticks > children ? node->total_ticks - children : 0;
    parent->self_ticks += node->total_ticks;
  }
  nodes[0].total_ticks = nodes[0].self_ticks;
  nodes[0].self_ticks = 0;
}

/*
 * Pauses lie in their nodes' own times, and these in total times.  An own time that came out too small, because of
 * damage, holds no more than itself.
 */
static void sum_up_off(struct prof_node *nodes, uint32_t count, const struct prof_fold_marks *marks, size_t marked) {
  for (size_t i = 0; i < marked; i++) {
    const struct prof_fold_mark *mark = &marks->items[i];
    if (mark->off_ticks == 0 || mark->state != PROF_MARK_PLACED || mark->node == PROF_NONE ||
        nodes[mark->node].parent == 0)
      continue;
    struct prof_off_ticks *off = &nodes[mark->node].self_off;
    *(mark->waits ? &off->waiting : &off->preempted) += mark->counted_ticks;
  }
  for (uint32_t i = count - 1; i > 0; i--) { /* children stand behind their parents */
    struct prof_node *node = &nodes[i];
    struct prof_off_ticks *self = &node->self_off;
    self->waiting = smaller(self->waiting, node->self_ticks);
    self->preempted = smaller(self->preempted, node->self_ticks - self->waiting);
    prof_off_add(&node->off, self);
    prof_off_add(&nodes[node->parent].off, &node->off);
  }
}

void prof_sum_up(struct prof_node *nodes, uint32_t count, const struct prof_fold_marks *marks, size_t mark_count) {
  sum_up_times(nodes, count);
  sum_up_off(nodes, count, marks, mark_count);
}
