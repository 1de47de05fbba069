/*
 * tools/export/call_rows.c - see call_rows.h.
 */
#include "call_rows.h"

#include "base/diag.h"
#include "base/vec.h"
#include "fold/walk.h"

struct open_call {
  uint64_t id, begin_ns, children_ns;
  bool cut;
};

struct walking {
  const struct prof_export_source *source;
  prof_call_row_visit *visit;
  void *context;
  PROF_VEC(struct open_call) stack;
  PROF_VEC(struct open_call) staying; /* those that go on when a frame around them is left, the innermost one first */
  uint64_t last_id;
  bool failed; /* no memory */
};

static bool leave(struct walking *walking, const struct prof_walk_event *event) {
  if (walking->stack.count == 0)
    return true;
  const struct open_call call = walking->stack.items[--walking->stack.count];
  struct open_call *outer = walking->stack.count ? &walking->stack.items[walking->stack.count - 1] : NULL;
  const uint64_t ns = event->duration_ns;
  if (outer)
    outer->children_ns += event->piece_ns;
  if (event->goes_on) {
    walking->failed = !prof_vec_push(&walking->staying, call);
    return !walking->failed;
  }
  const struct prof_call_row row = {.id = call.id,
                                    .parent = outer ? outer->id : 0,
                                    .thread = event->thread,
                                    .function = event->function,
                                    .depth = (uint32_t)walking->stack.count + 1,
                                    .begin_ns = call.begin_ns,
                                    .duration_ns = ns,
                                    .self_ns = ns > call.children_ns ? ns - call.children_ns : 0,
                                    .cut = call.cut || event->cut};
  return walking->visit(walking->context, &row);
}

static void enter(struct walking *walking, const struct prof_walk_event *event) {
  struct open_call call = {.begin_ns = event->time_ns, .cut = event->cut};
  if (event->goes_on && walking->staying.count)
    call = walking->staying.items[--walking->staying.count];
  else
    call.id = ++walking->last_id;
  walking->failed = !prof_vec_push(&walking->stack, call);
}

static bool take_event(void *context, const struct prof_walk_event *event) {
  struct walking *walking = context;
  const bool goes_on = prof_export_count(walking->source);
  if (event->kind == PROF_WALK_LEAVE)
    return leave(walking, event) && goes_on;
  if (event->kind == PROF_WALK_ENTER)
    enter(walking, event);
  return !walking->failed && goes_on;
}

prof_status prof_call_rows(const struct prof_export_source *source, prof_call_row_visit *visit, void *context,
                           struct prof_diag *diag) {
  struct walking walking = {.source = source, .visit = visit, .context = context};
  prof_status status = prof_walk(source->trace, source->filter, PROF_WALK_BY_THREAD, take_event, &walking, diag);
  prof_vec_fini(&walking.stack);
  prof_vec_fini(&walking.staying);
  return walking.failed ? prof_diag_memory(diag) : status;
}
