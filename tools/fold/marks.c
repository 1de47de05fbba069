/*
 * tools/fold/marks.c - see marks.h.
 */
#include "fold/marks.h"

#include "base/order.h"

void prof_mark_run_note(struct prof_mark_run *run, uint64_t time, struct prof_mark_choice choice) {
  if (run->group_time != time)
    run->group_count = 0;
  run->group_time = time;
  run->group[run->group_count++ % PROF_MARK_GROUP] = choice;
}

static uint32_t group_size(const struct prof_mark_run *run) {
  return run->group_count < PROF_MARK_GROUP ? run->group_count : PROF_MARK_GROUP;
}

/* What was open after the event that has so many of the group behind it. */
static const struct prof_mark_choice *choice_at(const struct prof_mark_run *run, uint32_t behind) {
  return &run->group[(run->group_count - 1 - behind) % PROF_MARK_GROUP];
}

/* Chooses among the group, of whom the functions must be the mark's if `by_function`.  false: none is. */
static bool choose(const struct prof_mark_run *run, struct prof_fold_mark *mark, bool by_function) {
  uint32_t fitting[PROF_MARK_GROUP], found = 0;
  for (uint32_t behind = group_size(run); behind-- > 0;) {
    const struct prof_mark_choice *choice = choice_at(run, behind);
    if (!by_function || choice->function == mark->function)
      fitting[found++] = choice->node;
  }
  if (found == 0)
    return false;
  mark->near = false;
  for (uint32_t i = 1; i < found; i++)
    mark->near |= fitting[i] != fitting[0];
  mark->node = fitting[(uint32_t)((mark->time * 0x9e3779b97f4a7c15ull) >> 32) % found];
  return true;
}

/*
 * The frames that a pause may lie in.  One event enters a frame or leaves some, so that the outermost one of them was
 * open all along.
 */
static void find_options(const struct prof_mark_run *run, struct prof_fold_mark *mark) {
  struct prof_mark_option options[PROF_MARK_GROUP];
  uint32_t count = 0, outermost = 0, least_depth = UINT32_MAX;
  for (uint32_t behind = group_size(run); behind-- > 0;) {
    const struct prof_mark_choice *choice = choice_at(run, behind);
    uint32_t at = 0;
    while (at < count && options[at].node != choice->node)
      at++;
    if (at == count)
      options[count++] = (struct prof_mark_option){.node = choice->node};
    options[at].times++;
    options[at].behind = (uint16_t)behind;
    if (choice->depth < least_depth) {
      least_depth = choice->depth;
      outermost = at;
    }
  }
  if (count == 1)
    return;
  if (run->options->count > UINT32_MAX - PROF_MARK_GROUP || !prof_vec_reserve(run->options, count)) {
    *run->failed = true;
    return;
  }
  mark->options_begin = (uint32_t)run->options->count;
  mark->options_count = (uint8_t)count;
  struct prof_mark_option first = options[outermost];
  options[outermost] = options[0];
  options[0] = first;
  for (uint32_t i = 0; i < count; i++)
    run->options->items[run->options->count++] = options[i];
}

/* A mark behind events that share a time. */
static void place_in_group(const struct prof_mark_run *run, struct prof_fold_mark *mark) {
  if (mark->off_ticks == 0) {
    if (mark->function == PROF_NONE || !choose(run, mark, true))
      (void)choose(run, mark, false);
  } else if (mark->choice == PROF_MARK_NO_CHOICE) {
    find_options(run, mark);
  } else if (mark->choice < group_size(run)) {
    mark->node = choice_at(run, mark->choice)->node;
  }
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

/* A pause ends before the next event, but for the clocks' error; the time of frames ends with the last one. */
static uint64_t counted_of(const struct prof_fold_mark *mark, uint64_t next) {
  uint64_t until = next == UINT64_MAX ? mark->time : next;
  return mark->off_ticks < until - mark->time ? mark->off_ticks : until - mark->time;
}

void prof_mark_run_assign(struct prof_mark_run *run, uint64_t time, uint32_t node, bool stalled) {
  for (; run->at < run->end && run->at->time < time; run->at++) {
    struct prof_fold_mark *mark = run->at;
    mark->node = mark->charged = node;
    mark->counted_ticks = counted_of(mark, time);
    mark->hand = run->hand;
    mark->state = stalled ? PROF_MARK_STALLED : PROF_MARK_PLACED;
    mark->gap_ticks = gap_of(run->before, time);
    mark->near = time - mark->time <= run->clock_error_ticks ||
                 (run->before > 0 && mark->time - run->before <= run->clock_error_ticks);
    if (is_group(run, mark))
      place_in_group(run, mark);
  }
}

void prof_mark_run_skip(struct prof_mark_run *run, uint64_t time) {
  run->at += prof_search(0, (size_t)(run->end - run->at), i, run->at[i].time < time);
}

bool prof_mark_options_add(prof_mark_options *into, const prof_mark_options *from, const uint32_t *moved) {
  if (into->count + from->count > UINT32_MAX || !prof_vec_reserve(into, from->count + 1))
    return false;
  for (size_t i = 0; i < from->count; i++) {
    into->items[into->count] = from->items[i];
    into->items[into->count++].node = moved[from->items[i].node];
  }
  return true;
}
