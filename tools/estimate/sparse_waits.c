/*
 * tools/estimate/sparse_waits.c - see sparse_waits.h.
 */
#include "estimate/sparse_waits.h"

#include <math.h>
#include <stdlib.h>

struct place { /* of a node */
  uint32_t root;
  uint32_t samples;
  bool sparse; /* it has a pause that stands for more */
};

struct sums {                /* of a thread, by its root */
  double over, over_waiting; /* more than nodes took, in ticks; of it, waiting */
  double running, samples, spare;
};

struct task {
  struct prof_node *nodes;
  uint32_t count;
  struct place *places;
  struct sums *sums;
};

static double off_of(const struct prof_node *node) {
  return (double)node->self_off.waiting + (double)node->self_off.preempted;
}

static bool is_placed(const struct prof_fold_mark *mark, const struct prof_node *nodes) {
  return mark->state == PROF_MARK_PLACED && mark->node != PROF_NONE && nodes[mark->node].parent != 0;
}

static bool are_sparse(const struct prof_fold_marks *marks, size_t mark_count) {
  for (size_t i = 0; i < mark_count; i++)
    if (marks->items[i].off_ticks != 0 && marks->items[i].times > 1)
      return true;
  return false;
}

static void count_marks(const struct task *task, const struct prof_fold_marks *marks, size_t mark_count) {
  for (size_t i = 0; i < mark_count; i++) {
    const struct prof_fold_mark *mark = &marks->items[i];
    if (!is_placed(mark, task->nodes))
      continue;
    task->places[mark->node].samples += mark->off_ticks == 0;
    task->places[mark->node].sparse |= mark->off_ticks != 0 && mark->times > 1;
  }
}

/* What a node has too much is taken off it. */
static void take_over(const struct task *task, uint32_t i) {
  struct prof_node *node = &task->nodes[i];
  struct sums *sums = &task->sums[task->places[i].root];
  double off = off_of(node), self = (double)node->self_ticks;
  sums->samples += task->places[i].samples;
  if (off <= self) {
    sums->running += self - off;
  } else if (task->places[i].sparse) {
    double kept = self / off;
    sums->over += off - self;
    sums->over_waiting += (double)node->self_off.waiting * (1 - kept);
    node->self_off.waiting = (uint64_t)((double)node->self_off.waiting * kept);
    node->self_off.preempted = (uint64_t)((double)node->self_off.preempted * kept);
  }
}

/* Of the time that a node seems to have run, what its samples don't show. */
static double spare_of(const struct task *task, uint32_t i) {
  const struct sums *sums = &task->sums[task->places[i].root];
  double running = fmax((double)task->nodes[i].self_ticks - off_of(&task->nodes[i]), 0);
  double ran = fmax(sums->running - sums->over, 0);
  double shown = sums->samples > 0 ? ran * task->places[i].samples / sums->samples : 0;
  return fmax(running - shown, 0);
}

static void give(const struct task *task, uint32_t i) {
  const struct sums *sums = &task->sums[task->places[i].root];
  if (sums->over <= 0 || sums->spare <= 0)
    return;
  double more = spare_of(task, i) * fmin(sums->over / sums->spare, 1), waiting = sums->over_waiting / sums->over;
  task->nodes[i].self_off.waiting += (uint64_t)(more * waiting);
  task->nodes[i].self_off.preempted += (uint64_t)(more * (1 - waiting));
}

bool prof_sparse_waits_move(struct prof_node *nodes, uint32_t count, const struct prof_fold_marks *marks,
                            size_t mark_count) {
  if (!are_sparse(marks, mark_count))
    return true;
  struct task task = {nodes, count, calloc(count, sizeof *task.places), calloc(count, sizeof *task.sums)};
  bool done = task.places != NULL && task.sums != NULL;
  if (done)
    count_marks(&task, marks, mark_count);
  for (uint32_t i = 1; i < count && done; i++) {
    task.places[i].root = nodes[i].parent == 0 ? i : task.places[nodes[i].parent].root;
    if (nodes[i].parent != 0)
      take_over(&task, i);
  }
  for (uint32_t i = 1; i < count && done; i++)
    if (nodes[i].parent != 0)
      task.sums[task.places[i].root].spare += spare_of(&task, i);
  for (uint32_t i = 1; i < count && done; i++)
    if (nodes[i].parent != 0)
      give(&task, i);
  free(task.places);
  free(task.sums);
  return done;
}
