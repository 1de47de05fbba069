/*
 * tools/analysis/call_values.c - see call_values.h: a stack of open calls takes the values; a call that ends hands its
 * own over.
 */
#include "analysis/call_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/text.h"
#include "fold/walk.h"
#include "fold/walk_stream.h"
#include "names/point_value.h"

#define NAME_BYTES 400 /* of an escaped name */
#define ASKS 65536     /* events between two questions whether to stop; a power of two */

struct taking {
  const prof_trace *trace;
  struct prof_call_values_list *out;
  size_t most;
  const struct prof_call_wish *only; /* NULL: all */
  bool found, over;                  /* of `only` */
  bool failed;
  uint32_t thread;                        /* of the open calls */
  PROF_VEC(struct prof_call_values) open; /* shown, the outermost first */
};

static void call_fini(struct prof_call_values *call) {
  free(call->arguments);
  free(call->returned);
  for (size_t i = 0; i < call->lines.count; i++)
    free(call->lines.items[i]);
  prof_vec_fini(&call->lines);
}

void prof_call_values_free(struct prof_call_values_list *list) {
  for (size_t i = 0; i < list->items.count; i++)
    call_fini(&list->items.items[i]);
  prof_vec_fini(&list->items);
}

static bool is_of_call(const struct prof_point *point) {
  return point->kind == PROF_POINT_IS_ARGUMENT || point->kind == PROF_POINT_IS_RETURNED ||
         point->kind == PROF_POINT_IS_VALUE;
}

bool prof_call_values_any(const prof_trace *trace) {
  size_t count;
  const struct prof_point *points = prof_trace_points(trace, &count);
  for (size_t i = 0; i < count; i++)
    if (is_of_call(&points[i]))
      return true;
  return false;
}

/* ---- one event ---- */

static void add_line(struct taking *taking, struct prof_call_values *call, const struct prof_point *point,
                     const char *shown) {
  char name[NAME_BYTES], tail[PROF_POINT_TAIL_BYTES];
  char *line = NULL;
  if (call->lines_all++ >= PROF_CALL_VALUE_LINES)
    return;
  prof_text_escape(name, sizeof name, point->name, strlen(point->name));
  if (asprintf(&line, "%s%s", name, prof_point_tail(point, shown, tail)) < 0)
    line = NULL;
  if (!line || !prof_vec_push(&call->lines, line)) {
    free(line);
    taking->failed = true;
  }
}

static void take_value(struct taking *taking, const struct prof_walk_event *event) {
  const struct prof_site_info site = prof_trace_site(taking->trace, event->site);
  const struct prof_point *point = prof_point_of(taking->trace, &site);
  struct prof_call_values *call = taking->open.count ? &taking->open.items[taking->open.count - 1] : NULL;
  char shown[PROF_POINT_SHOWN_BYTES];
  if (!point || !is_of_call(point) || !call || call->depth + 1 != event->depth)
    return;
  prof_point_shown(&site, event->value, event->text, shown);
  if (point->kind == PROF_POINT_IS_ARGUMENT) {
    taking->failed |= !prof_point_list_add(&call->arguments, point->name, shown);
  } else if (point->kind == PROF_POINT_IS_RETURNED) {
    free(call->returned);
    call->returned = strdup(shown);
    taking->failed |= !call->returned;
  } else {
    add_line(taking, call, point, shown);
  }
}

static int by_length(const void *left, const void *right) {
  const struct prof_call_values *a = left, *b = right;
  return prof_order(b->duration_ns, a->duration_ns) ?: prof_order(a->thread, b->thread)
                                                       ?: prof_order(a->begin_ns, b->begin_ns)
                                                              ?: prof_order(a->depth, b->depth);
}

/* Leaves the longest ones. */
static void cut(struct prof_call_values_list *list, size_t most) {
  if (list->items.count > 1)
    qsort(list->items.items, list->items.count, sizeof *list->items.items, by_length);
  while (list->items.count > most)
    call_fini(&list->items.items[--list->items.count]);
}

static void end_call(struct taking *taking, struct prof_call_values call) {
  const bool is_wanted = !taking->only || taking->found;
  taking->over = is_wanted && taking->only != NULL;
  if (!is_wanted || !(call.arguments || call.returned || call.lines_all)) {
    call_fini(&call);
    return;
  }
  taking->out->all++;
  if (taking->out->items.count >= 2 * taking->most)
    cut(taking->out, taking->most);
  if (!prof_vec_push(&taking->out->items, call)) {
    call_fini(&call);
    taking->failed = true;
  }
}

static void leave(struct taking *taking, const struct prof_walk_event *event) {
  while (taking->open.count && taking->open.items[taking->open.count - 1].depth >= event->depth) {
    struct prof_call_values call = taking->open.items[--taking->open.count];
    call.duration_ns = event->duration_ns;
    if (call.depth == event->depth)
      end_call(taking, call);
    else
      call_fini(&call);
  }
}

/* With `only`, nothing is kept but the call that is looked for. */
static void enter(struct taking *taking, const struct prof_walk_event *event) {
  const struct prof_call_values call = {.thread = event->thread, .depth = event->depth, .begin_ns = event->time_ns};
  const struct prof_call_wish *only = taking->only;
  if (only && (taking->found || event->depth != only->depth || event->time_ns != only->begin_ns))
    return;
  taking->found = only != NULL;
  taking->failed |= !prof_vec_push(&taking->open, call);
}

static bool take(void *context, const struct prof_walk_event *event) {
  struct taking *taking = context;
  while (taking->thread != event->thread && taking->open.count)
    call_fini(&taking->open.items[--taking->open.count]);
  taking->thread = event->thread;
  if (event->kind == PROF_WALK_ENTER)
    enter(taking, event);
  else if (event->kind == PROF_WALK_POINT)
    take_value(taking, event);
  else if (event->kind == PROF_WALK_LEAVE)
    leave(taking, event);
  return !taking->failed && !taking->over;
}

static void taking_fini(struct taking *taking) {
  while (taking->open.count)
    call_fini(&taking->open.items[--taking->open.count]);
  prof_vec_fini(&taking->open);
}

/* ---- many calls, or one ---- */

prof_status prof_call_values_longest(const prof_trace *trace, const struct prof_filter *filter, size_t most,
                                     struct prof_diag *diag, struct prof_call_values_list *out) {
  struct taking taking = {.trace = trace, .out = out, .most = most, .thread = PROF_NONE};
  *out = (struct prof_call_values_list){.all = 0};
  if (!prof_call_values_any(trace))
    return PROF_OK;
  prof_status status = prof_walk_points(trace, filter, PROF_WALK_BY_THREAD, take, &taking, diag);
  taking_fini(&taking);
  if (status == PROF_EMPTY)
    status = PROF_OK;
  if (status == PROF_OK && taking.failed)
    status = prof_diag_memory(diag);
  cut(out, most);
  return status;
}

/* Times of a walk are rounded to nanoseconds: it begins a little before. */
#define BEFORE_NS 2

prof_status prof_call_values_at(const prof_trace *trace, const struct prof_filter *filter,
                                const struct prof_call_wish *wish, const struct prof_stop *stop, struct prof_diag *diag,
                                struct prof_call_values_list *out) {
  struct taking taking = {.trace = trace, .out = out, .most = 1, .only = wish, .thread = wish->thread};
  struct prof_walk_stream stream;
  struct prof_walk_event event;
  uint64_t first_time, events = 0;
  size_t threads;
  *out = (struct prof_call_values_list){.all = 0};
  prof_trace_threads(trace, &threads);
  if (wish->thread >= threads)
    return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, NULL, "no thread has this number");
  if (!prof_call_values_any(trace) || (filter->threads && !filter->threads[wish->thread]))
    return PROF_OK;
  const uint64_t from = wish->begin_ns > BEFORE_NS ? wish->begin_ns - BEFORE_NS : 0;
  const struct prof_filter within = prof_filter_within(filter, trace, from, UINT64_MAX);
  bool stopped = false;
  prof_walk_stream_begin(&stream, trace, &within, wish->thread, &first_time);
  stream.wants_points = true;
  while (first_time != UINT64_MAX && !stopped && prof_walk_stream_next(&stream, &event)) {
    const bool is_beyond = event.kind != PROF_WALK_LEAVE && !taking.found && event.time_ns > wish->begin_ns;
    if (is_beyond || !take(&taking, &event))
      break;
    stopped = (++events & (ASKS - 1)) == 0 && prof_stop_wanted(stop);
  }
  const bool failed = stream.failed || taking.failed;
  prof_walk_stream_end(&stream);
  taking_fini(&taking);
  if (failed)
    return prof_diag_memory(diag);
  return stopped ? prof_diag_fill(diag, PROF_STOPPED, NULL, PROF_NO_OFFSET, NULL, "stopped") : PROF_OK;
}
