/*
 * tools/analysis/requests.c - see requests.h: parts by thread, then sorted by id and added up.
 */
#include "analysis/requests.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/walk.h"

struct part {
  uint64_t id, begin_ns, end_ns, busy_ns;
  uint32_t thread;
  bool cut;
};

struct open_part {
  struct part part;
  uint32_t depth; /* of its zone */
  bool inside;    /* of another part of the same request */
};

struct finding {
  const prof_trace *trace;
  PROF_VEC(struct part) parts;
  PROF_VEC(struct open_part) open;    /* of the present thread */
  PROF_VEC(struct open_part) staying; /* of zones that go on, the innermost first; depth PROF_NONE: of other frames */
  uint32_t thread;
  bool cut; /* the frame entered last is */
  bool failed;
};

static void begin_part(struct finding *finding, const struct prof_walk_event *event) {
  const struct prof_site_info site = prof_trace_site(finding->trace, event->site);
  if (prof_trace_points(finding->trace, NULL)[site.point].kind != PROF_POINT_IS_REQUEST || event->depth == 0)
    return;
  struct open_part open = {
      .part = {.id = event->value, .begin_ns = event->time_ns, .thread = event->thread, .cut = finding->cut},
      .depth = event->depth - 1};
  for (size_t i = 0; i < finding->open.count; i++)
    open.inside |= finding->open.items[i].part.id == event->value;
  finding->failed |= !prof_vec_push(&finding->open, open);
}

/* A frame stays open when one around it is left; both events are `goes_on`. */
static void stay(struct finding *finding, const struct prof_walk_event *event) {
  struct open_part *last = finding->open.count ? &finding->open.items[finding->open.count - 1] : NULL;
  const bool is_part = last && last->depth == event->depth;
  const struct open_part part = is_part ? *last : (struct open_part){.inside = true, .depth = PROF_NONE};
  finding->open.count -= is_part;
  finding->failed |= !prof_vec_push(&finding->staying, part);
}
static void go_on(struct finding *finding, const struct prof_walk_event *event) {
  if (!finding->staying.count)
    return;
  struct open_part part = finding->staying.items[--finding->staying.count];
  const bool is_part = part.depth != PROF_NONE;
  part.depth = event->depth;
  finding->failed |= is_part && !prof_vec_push(&finding->open, part);
}

/* A frame at this depth is left, and with it parts whose zones lie further in (filters hide them). */
static void end_parts(struct finding *finding, const struct prof_walk_event *event) {
  while (finding->open.count && finding->open.items[finding->open.count - 1].depth >= event->depth) {
    struct open_part *open = &finding->open.items[--finding->open.count];
    open->part.end_ns = event->time_ns;
    open->part.busy_ns = open->inside ? 0 : event->time_ns - open->part.begin_ns;
    open->part.cut |= event->cut;
    finding->failed |= !prof_vec_push(&finding->parts, open->part);
  }
}

static bool take(void *context, const struct prof_walk_event *event) {
  struct finding *finding = context;
  if (finding->thread != event->thread)
    finding->open.count = finding->staying.count = 0;
  finding->thread = event->thread;
  if (event->goes_on && event->kind == PROF_WALK_ENTER)
    go_on(finding, event);
  else if (event->goes_on)
    stay(finding, event);
  else if (event->kind == PROF_WALK_ENTER)
    finding->cut = event->cut;
  else if (event->kind == PROF_WALK_POINT)
    begin_part(finding, event);
  else if (event->kind == PROF_WALK_LEAVE)
    end_parts(finding, event);
  return !finding->failed;
}

static int by_id(const void *left, const void *right) {
  const struct part *a = left, *b = right;
  return prof_order(a->id, b->id) ?: prof_order(a->thread, b->thread) ?: prof_order(a->begin_ns, b->begin_ns);
}

static int by_duration(const void *left, const void *right) {
  const struct prof_request *a = left, *b = right;
  return prof_order(b->duration_ns, a->duration_ns) ?: prof_order(a->begin_ns, b->begin_ns) ?: prof_order(a->id, b->id);
}

/* The request whose parts begin at `at`; *at: behind them. */
static struct prof_request add_up(const struct part *parts, size_t count, size_t *at) {
  const struct part *first = &parts[*at];
  struct prof_request request = {.id = first->id, .begin_ns = first->begin_ns};
  uint64_t end_ns = 0;
  for (; *at < count && parts[*at].id == first->id; (*at)++) {
    const struct part *part = &parts[*at];
    request.threads += part == first || part->thread != part[-1].thread;
    request.parts++;
    request.busy_ns += part->busy_ns;
    request.cut |= part->cut;
    request.begin_ns = part->begin_ns < request.begin_ns ? part->begin_ns : request.begin_ns;
    end_ns = part->end_ns > end_ns ? part->end_ns : end_ns;
  }
  request.duration_ns = end_ns - request.begin_ns;
  return request;
}

static bool make(struct finding *finding, struct prof_requests *out) {
  struct prof_durations durations = {0};
  bool good = !finding->failed;
  out->items = calloc(finding->parts.count + 1, sizeof *out->items);
  if (finding->parts.count)
    qsort(finding->parts.items, finding->parts.count, sizeof *finding->parts.items, by_id);
  for (size_t at = 0; good && out->items && at < finding->parts.count; out->count++) {
    out->items[out->count] = add_up(finding->parts.items, finding->parts.count, &at);
    good = prof_vec_push(&durations, out->items[out->count].duration_ns);
  }
  out->figures = prof_durations_sum(&durations);
  prof_vec_fini(&durations);
  if (out->items)
    qsort(out->items, out->count, sizeof *out->items, by_duration);
  return good && out->items;
}

void prof_requests_free(struct prof_requests *requests) {
  free(requests->items);
  *requests = (struct prof_requests){.items = NULL};
}

prof_status prof_requests_find(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag,
                               struct prof_requests *out) {
  struct finding finding = {.trace = trace, .thread = PROF_NONE};
  *out = (struct prof_requests){.items = NULL};
  prof_status status = prof_walk_points(trace, filter, PROF_WALK_BY_THREAD, take, &finding, diag);
  if (status == PROF_OK && !make(&finding, out))
    status = prof_diag_memory(diag);
  if (status == PROF_OK && out->count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                            "name requests with PROF_REQUEST(id) of prof.h, or ask for more",
                            "no request is in what is shown");
  prof_vec_fini(&finding.parts);
  prof_vec_fini(&finding.open);
  prof_vec_fini(&finding.staying);
  if (status != PROF_OK)
    prof_requests_free(out);
  return status;
}
