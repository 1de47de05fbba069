/*
 * tools/command/gpu/gpu_replay.c - see gpu_replay.h.
 */
#include "gpu_replay.h"

#include "base/diag.h"
#include "gpu_time.h"

/* false: the caller stopped. */
static bool give_until(struct prof_gpu_replay *replay, uint64_t time_ns) {
  while (!replay->stopped && replay->next < replay->events.count &&
         replay->events.items[replay->next].time_ns <= time_ns)
    replay->stopped = !replay->give(replay->context, &replay->events.items[replay->next++]);
  return !replay->stopped;
}

static bool take(void *context, const struct prof_walk_event *event) {
  struct prof_gpu_replay *replay = context;
  if (give_until(replay, event->time_ns))
    replay->stopped = !replay->visit(replay->visit_context, event);
  return !replay->stopped;
}

prof_status prof_gpu_replay_walk(const struct prof_reader *reader, struct prof_gpu_replay *replay,
                                 struct prof_diag *diag) {
  if (!prof_gpu_time_is_there(reader))
    return prof_walk_points(reader->recording.trace, &reader->recording.filter, PROF_WALK_BY_TIME, replay->visit,
                            replay->visit_context, diag);
  prof_status status = prof_gpu_study_open(&replay->study, reader->recording.trace, &reader->recording.filter,
                                           reader->recording.names, reader->common->demangle, diag);
  if (status != PROF_OK)
    return status;
  replay->is_open = true;
  if (prof_gpu_events_list(&replay->study, &replay->events) != PROF_OK)
    return prof_diag_memory(diag);
  status = prof_walk_points(reader->recording.trace, &reader->recording.filter, PROF_WALK_BY_TIME, take, replay, diag);
  if (status == PROF_EMPTY && replay->events.count > 0)
    status = PROF_OK;
  if (status == PROF_OK)
    give_until(replay, UINT64_MAX);
  return status;
}

void prof_gpu_replay_fini(struct prof_gpu_replay *replay) {
  if (!replay->is_open)
    return;
  prof_gpu_events_free(&replay->events);
  prof_gpu_study_close(&replay->study);
  replay->is_open = false;
}
