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
                                .hand = worker->hand,
                                .slices = prof_light_slices_of(worker->trace, piece->thread)};
}

void prof_mark_run_note(struct prof_mark_run *run, uint64_t time, uint32_t node, uint32_t function) {
  if (run->group_time != time)
    run->group_count = 0;
  run->group_time = time;
  run->group[run->group_count++ % PROF_MARK_GROUP] = (struct prof_mark_choice){node, function};
}

/* Chooses among `count`, whose functions must be the mark's if `by_function`.  false: none is. */
static bool choose(struct prof_fold_mark *mark, const struct prof_mark_choice *group, uint32_t count,
                   bool by_function) {
  uint32_t fitting[PROF_MARK_GROUP], found = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!by_function || group[i].function == mark->function)
      fitting[found++] = group[i].node;
  if (found == 0)
    return false;
  mark->near = false;
  for (uint32_t i = 1; i < found; i++)
    mark->near |= fitting[i] != fitting[0];
  mark->node = fitting[(uint32_t)((mark->time * 0x9e3779b97f4a7c15ull) >> 32) % found];
  return true;
}

/* Did the events before the mark share a time that need not be theirs?  It may be one read before the slice began. */
static bool is_group(const struct prof_mark_run *run, const struct prof_fold_mark *mark) {
  return run->group_count > 1 && run->group_time == run->before &&
         (prof_light_slices_hold(&run->slices, run->before) || prof_light_slices_hold(&run->slices, mark->time));
}

static uint32_t gap_of(uint64_t before, uint64_t after) {
  uint64_t gap = before ? after - before : 0;
  return gap < UINT32_MAX ? (uint32_t)gap : UINT32_MAX;
}

void prof_mark_run_assign(struct prof_mark_run *run, uint64_t time, uint32_t node, bool stalled) {
  uint32_t count = run->group_count < PROF_MARK_GROUP ? run->group_count : PROF_MARK_GROUP;
  for (; run->at < run->end && run->at->time < time; run->at++) {
    struct prof_fold_mark *mark = run->at;
    mark->node = node;
    mark->hand = run->hand;
    mark->state = stalled ? PROF_MARK_STALLED : PROF_MARK_PLACED;
    mark->gap_ticks = gap_of(run->before, time);
    mark->near =
        time - mark->time <= run->error_ticks || (run->before > 0 && mark->time - run->before <= run->error_ticks);
    if (is_group(run, mark) && (mark->function == PROF_NONE || !choose(mark, run->group, count, true)))
      (void)choose(mark, run->group, count, false);
  }
}

void prof_mark_run_skip(struct prof_mark_run *run, uint64_t time) {
  run->at = first_from(run->at, run->end, time);
}
