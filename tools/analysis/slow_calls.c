/*
 * tools/analysis/slow_calls.c - see slow_calls.h.
 *
 *    walk 1: outermost calls -> the longest ones     walk 2: in each of these, calls by their path -> nodes -> sorted
 */
#include "analysis/slow_calls.h"

#include <stdlib.h>

#include "base/diag.h"
#include "fold/walk.h"

/* ---- which calls ---- */

struct choice {
  struct prof_slow_calls *calls;
  size_t most;
  uint64_t begin_ns; /* of the outermost call that is open; threads come one after another */
  bool cut;
  bool stays; /* it has left, and goes on */
};

static bool choose(void *context, const struct prof_walk_event *event) {
  struct choice *choice = context;
  if (event->depth > 0)
    return true;
  if (event->kind == PROF_WALK_ENTER && !choice->stays) {
    choice->begin_ns = event->time_ns;
    choice->cut = event->cut && !event->goes_on;
  } else if (event->kind == PROF_WALK_LEAVE && !event->goes_on) {
    choice->calls->all++;
    const struct prof_slow_tree call = {.thread = event->thread,
                                        .function = event->function,
                                        .begin_ns = choice->begin_ns,
                                        .duration_ns = event->duration_ns,
                                        .cut = event->cut || choice->cut};
    prof_slow_insert(choice->calls->items, &choice->calls->count, choice->most, &call);
  }
  choice->stays = event->goes_on && event->kind == PROF_WALK_LEAVE;
  return true;
}

/* ---- what ran in them ---- */

struct pass {
  struct prof_slow_calls *calls;
  struct prof_slow_builder builder;
  bool failed;
};

/* Begins at one nanosecond are told apart by the walk's order: the first one that has no nodes yet. */
static struct prof_slow_tree *chosen(const struct prof_slow_calls *calls, const struct prof_walk_event *event) {
  for (size_t i = 0; i < calls->count; i++) {
    struct prof_slow_tree *call = &calls->items[i];
    if (call->thread == event->thread && call->begin_ns == event->time_ns && call->function == event->function &&
        call->nodes.count == 0)
      return call;
  }
  return NULL;
}

static bool add_up(void *context, const struct prof_walk_event *event) {
  struct pass *pass = context;
  const bool stays = event->goes_on && pass->builder.tree; /* an outermost one of what a filter shows */
  if (event->depth > 0) {
    pass->failed = !prof_slow_take(&pass->builder, event);
  } else if (event->kind == PROF_WALK_ENTER && !stays) {
    struct prof_slow_tree *call = chosen(pass->calls, event);
    pass->failed = call && !prof_slow_begin(&pass->builder, call);
  } else if (event->kind == PROF_WALK_LEAVE && !stays) {
    prof_slow_end(&pass->builder, event->time_ns);
  }
  return !pass->failed;
}

/* ---- both ---- */

void prof_slow_calls_free(struct prof_slow_calls *calls) {
  for (size_t i = 0; i < calls->count; i++)
    prof_slow_tree_fini(&calls->items[i]);
  free(calls->items);
  *calls = (struct prof_slow_calls){.items = NULL};
}

prof_status prof_slow_calls_find(const prof_trace *trace, const struct prof_filter *filter, size_t most,
                                 struct prof_diag *diag, struct prof_slow_calls *out) {
  *out = (struct prof_slow_calls){.items = calloc(most, sizeof *out->items)};
  if (!out->items)
    return prof_diag_memory(diag);
  struct choice choice = {.calls = out, .most = most};
  prof_status status = prof_walk(trace, filter, PROF_WALK_BY_THREAD, choose, &choice, diag);
  if (status == PROF_OK && out->count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "widen the filters (-F -N -D -t --tid --range)",
                            "no calls to show");
  struct pass pass = {.calls = out};
  if (status == PROF_OK)
    status = prof_walk(trace, filter, PROF_WALK_BY_THREAD, add_up, &pass, diag);
  for (size_t i = 0; status == PROF_OK && i < out->count; i++)
    pass.failed |= !prof_slow_tree_sort(&out->items[i]);
  prof_slow_builder_fini(&pass.builder);
  if (status == PROF_OK && pass.failed)
    status = prof_diag_memory(diag);
  if (status != PROF_OK)
    prof_slow_calls_free(out);
  return status;
}
