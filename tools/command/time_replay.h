/*
 * tools/command/time_replay.h - calls in the order of time, with durations of one kind of time.
 *
 * Job: for `prof replay --time=running|waiting`: an event's duration (fold/walk.h) becomes the time that the call's
 * thread ran, or waited, in it.  In: events in time order.  Out: the same, for another visitor.
 */
#ifndef PROF_COMMAND_TIME_REPLAY_H
#define PROF_COMMAND_TIME_REPLAY_H

#include "fold/walk.h"
#include "reader.h"

struct prof_time_replay;

/* Free *out, which may be NULL, with prof_time_replay_free.  PROF_EMPTY: no calls; other statuses as of the fold. */
prof_status prof_time_replay_new(const struct prof_reader *, prof_walk_visit *, void *context, struct prof_diag *,
                                 struct prof_time_replay **out) PROF_MUST_CHECK;
void prof_time_replay_free(struct prof_time_replay *);

/* A visitor; its context is a struct prof_time_replay. */
bool prof_time_replay_visit(void *replay, const struct prof_walk_event *);

#endif
