/*
 * tools/model/fold_marks.c - see fold_marks.h.
 */
#include "model/fold_marks.h"

#include "model/fold_piece.h"

static struct prof_fold_mark *first_from(struct prof_fold_mark *low, struct prof_fold_mark *high, uint64_t time) {
  while (low < high) {
    struct prof_fold_mark *middle = low + (high - low) / 2;
    if (middle->time < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct prof_mark_run prof_mark_run_begin(const struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  const struct prof_fold_marks *marks = worker->marks;
  if (marks == NULL)
    return (struct prof_mark_run){0};
  struct prof_fold_mark *begin = marks->items + marks->first[piece->thread],
                        *end = marks->items + marks->first[piece->thread + 1];
  begin = first_from(begin, end, piece->marks_begin);
  return (struct prof_mark_run){.at = begin,
                                .end = first_from(begin, end, piece->marks_end),
                                .error_ticks = marks->error_ticks,
                                .hand = worker->hand};
}

void prof_mark_run_assign(struct prof_mark_run *run, uint64_t time, uint32_t node, bool stalled) {
  for (; run->at < run->end && run->at->time < time; run->at++) {
    struct prof_fold_mark *mark = run->at;
    mark->node = node;
    mark->hand = run->hand;
    mark->state = stalled ? PROF_MARK_STALLED : PROF_MARK_PLACED;
    mark->near =
        time - mark->time <= run->error_ticks || (run->before > 0 && mark->time - run->before <= run->error_ticks);
  }
}

void prof_mark_run_skip(struct prof_mark_run *run, uint64_t time) {
  run->at = first_from(run->at, run->end, time);
}
