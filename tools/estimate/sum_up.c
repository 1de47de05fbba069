/*
 * tools/estimate/sum_up.c - see sum_up.h.
 */
#include "estimate/sum_up.h"

#include "estimate/sparse_waits.h"
#include "estimate/spin_waits.h"

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
    if (node->forker) /* it had its self time only */
      node->total_ticks += children;
    node->self_ticks = real && node->total_ticks > children ? node->total_ticks - children : 0;
    parent->self_ticks += node->total_ticks;
  }
  nodes[0].total_ticks = nodes[0].self_ticks;
  nodes[0].self_ticks = 0;
}

/*
 * Pauses lie in their nodes' self times.  A self time that came out too small, because of
 * damage, holds no more than itself.
 */
static bool take_pauses(struct prof_node *nodes, uint32_t count, const struct prof_fold_marks *marks, size_t marked) {
  for (size_t i = 0; i < marked; i++) {
    const struct prof_fold_mark *mark = &marks->items[i];
    if (mark->off_ticks == 0 || mark->state != PROF_MARK_PLACED || mark->node == PROF_NONE ||
        nodes[mark->node].parent == 0)
      continue;
    struct prof_off_ticks *off = &nodes[mark->node].self_off;
    uint64_t ticks =
        mark->times > 1 ? (uint64_t)((double)mark->counted_ticks * (double)mark->times) : mark->counted_ticks;
    *(mark->waits ? &off->waiting : &off->preempted) += ticks;
  }
  if (!prof_sparse_waits_move(nodes, count, marks, marked))
    return false;
  for (uint32_t i = 1; i < count; i++) {
    struct prof_off_ticks *self = &nodes[i].self_off;
    self->waiting = smaller(self->waiting, nodes[i].self_ticks);
    self->preempted = smaller(self->preempted, nodes[i].self_ticks - self->waiting);
  }
  return true;
}

static void sum_up_off(struct prof_node *nodes, uint32_t count) {
  for (uint32_t i = count - 1; i > 0; i--) { /* children stand behind their parents */
    prof_off_add(&nodes[i].off, &nodes[i].self_off);
    prof_off_add(&nodes[nodes[i].parent].off, &nodes[i].off);
  }
}

bool prof_sum_up(struct prof_node *nodes, uint32_t count, const struct prof_fold_marks *marks, size_t mark_count,
                 bool knows_pauses, uint64_t *spun_ticks) {
  *spun_ticks = 0;
  sum_up_times(nodes, count);
  bool done = take_pauses(nodes, count, marks, mark_count);
  done = done && (!knows_pauses || prof_spin_waits_add(nodes, count, marks, mark_count, spun_ticks));
  sum_up_off(nodes, count);
  return done;
}
