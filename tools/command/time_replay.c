/*
 * tools/command/time_replay.c - see time_replay.h.
 *
 * A pause belongs to all calls that are open.  A call's part is the sum of its thread's pauses at its exit, less that
 * at its entry.
 */
#include "time_replay.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/vec.h"

struct pause {
  uint64_t begin_ns, end_ns;
  uint64_t off_ns, waiting_ns; /* sums of the pauses before it */
  bool waits;
};

struct entry { /* of a frame */
  uint64_t time_ns;
  uint64_t before_ns; /* its part, before it went on where a frame around it was left */
};

struct lane {                     /* of a thread */
  size_t begin, end;              /* pauses */
  PROF_VEC(struct entry) entries; /* of the frames that are open */
  PROF_VEC(struct entry) staying; /* those that go on, the innermost first */
};

struct prof_time_replay {
  prof_walk_visit *visit;
  void *context;
  enum prof_time_kind time;
  struct pause *pauses; /* by thread, then time */
  struct lane *lanes;
  size_t thread_count;
};

static uint64_t since_start_ns(const prof_trace *trace, uint64_t ticks) {
  uint64_t start = prof_trace_info(trace)->start_ticks;
  return ticks > start ? prof_trace_ns(trace, ticks - start) : 0;
}

/* Copies the pauses, which the samples have by thread and time. */
static void take_pauses(struct prof_time_replay *replay, const prof_trace *trace, const struct prof_samples *samples) {
  size_t count = 0;
  for (size_t i = 0; i < samples->pause_count; i++) {
    const struct prof_pause *from = &samples->pauses[i];
    struct lane *lane = &replay->lanes[from->thread];
    if (from->stalled)
      continue;
    struct pause pause = {.begin_ns = since_start_ns(trace, from->begin),
                          .end_ns = since_start_ns(trace, from->end),
                          .waits = from->waits};
    if (lane->end > lane->begin) {
      const struct pause *before = &replay->pauses[count - 1];
      uint64_t ns = before->end_ns - before->begin_ns;
      pause.off_ns = before->off_ns + ns;
      pause.waiting_ns = before->waiting_ns + (before->waits ? ns : 0);
    } else {
      lane->begin = count;
    }
    replay->pauses[count++] = pause;
    lane->end = count;
  }
}

prof_status prof_time_replay_new(const struct prof_reader *reader, prof_walk_visit *visit, void *context,
                                 struct prof_diag *diag, struct prof_time_replay **out) {
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_time_replay *replay = calloc(1, sizeof *replay);
  *out = replay;
  prof_status status =
      replay ? prof_reader_fold_samples(reader, false, &profile, &samples, diag) : prof_diag_memory(diag);
  if (status == PROF_OK && samples->has_sparse_pauses)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "--time=elapsed; prof report has estimates",
                            "waits of single calls were not recorded: threads switched too often");
  if (status == PROF_OK) {
    prof_trace_threads(reader->recording.trace, &replay->thread_count);
    replay->visit = visit;
    replay->context = context;
    replay->time = reader->recording.time;
    replay->pauses = malloc((samples->pause_count + 1) * sizeof *replay->pauses);
    replay->lanes = calloc(replay->thread_count + 1, sizeof *replay->lanes);
    if (replay->pauses && replay->lanes)
      take_pauses(replay, reader->recording.trace, samples);
    else
      status = prof_diag_memory(diag);
  }
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status;
}

void prof_time_replay_free(struct prof_time_replay *replay) {
  if (!replay)
    return;
  for (size_t i = 0; replay->lanes && i < replay->thread_count; i++) {
    prof_vec_fini(&replay->lanes[i].entries);
    prof_vec_fini(&replay->lanes[i].staying);
  }
  free(replay->lanes);
  free(replay->pauses);
  free(replay);
}

struct off { /* ns */
  uint64_t all, waiting;
};

/* Sums of the thread's pauses up to that time. */
static struct off off_until(const struct prof_time_replay *replay, const struct lane *lane, uint64_t time_ns) {
  /* the first one that begins then or later */
  size_t low = prof_search(lane->begin, lane->end, middle, replay->pauses[middle].begin_ns < time_ns);
  if (low == lane->begin)
    return (struct off){0};
  const struct pause *last = &replay->pauses[low - 1];
  uint64_t end_ns = last->end_ns < time_ns ? last->end_ns : time_ns, ns = end_ns - last->begin_ns;
  return (struct off){last->off_ns + ns, last->waiting_ns + (last->waits ? ns : 0)};
}

static uint64_t part_of(const struct prof_time_replay *replay, const struct lane *lane, uint64_t entry_ns,
                        const struct prof_walk_event *event) {
  struct off before = off_until(replay, lane, entry_ns), after = off_until(replay, lane, event->time_ns);
  uint64_t all = after.all - before.all, waiting = after.waiting - before.waiting, elapsed = event->piece_ns;
  if (replay->time == PROF_TIME_WAITING)
    return waiting < elapsed ? waiting : elapsed;
  return all < elapsed ? elapsed - all : 0;
}

bool prof_time_replay_visit(void *context, const struct prof_walk_event *event) {
  struct prof_time_replay *replay = context;
  struct lane *lane = &replay->lanes[event->thread];
  struct prof_walk_event shown = *event;
  if (event->kind == PROF_WALK_ENTER && event->depth <= lane->entries.count) {
    lane->entries.count = event->depth;
    struct entry entry = {event->time_ns, 0};
    if (event->goes_on && lane->staying.count)
      entry.before_ns = lane->staying.items[--lane->staying.count].before_ns;
    if (!prof_vec_push(&lane->entries, entry))
      return false;
  } else if (event->kind == PROF_WALK_LEAVE && event->depth < lane->entries.count) {
    lane->entries.count = event->depth;
    struct entry entry = lane->entries.items[event->depth];
    entry.before_ns += part_of(replay, lane, entry.time_ns, event);
    shown.duration_ns = entry.before_ns;
    if (event->goes_on && !prof_vec_push(&lane->staying, entry))
      return false;
  }
  return replay->visit(replay->context, &shown);
}
