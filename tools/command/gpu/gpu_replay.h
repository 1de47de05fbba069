/*
 * tools/command/gpu/gpu_replay.h - merges GPU work into the calls of `prof replay`, by time.
 *
 * Before each event of the walk `give` gets the GPU work that began until then; `visit` then gets the event.
 */
#ifndef PROF_COMMAND_GPU_REPLAY_H
#define PROF_COMMAND_GPU_REPLAY_H

#include "analysis/gpu/gpu_events.h"
#include "command/reader.h"
#include "fold/walk.h"

struct prof_gpu_replay {
  struct prof_gpu_study study;
  struct prof_gpu_events events;
  size_t next;
  bool is_open, stopped;
  prof_walk_visit *visit; /* the caller's, with `visit_context` */
  void *visit_context;
  bool (*give)(void *context, const struct prof_gpu_event *);
  void *context;
};

/* Walks the calls by time as prof_walk does, with GPU work between them.  PROF_EMPTY: there is neither. */
prof_status prof_gpu_replay_walk(const struct prof_reader *, struct prof_gpu_replay *,
                                 struct prof_diag *) PROF_MUST_CHECK;
void prof_gpu_replay_fini(struct prof_gpu_replay *); /* frees the events that `give` borrowed */

#endif
