/*
 * tools/analysis/spans.c - see spans.h: begins and ends, sorted by process, name, number and time, then taken in pairs.
 */
#include "analysis/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/walk.h"

struct edge {
  const char *name;
  uint64_t id, time_ns;
  uint32_t process, thread;
  bool ends;
};

struct finding {
  const prof_trace *trace;
  const struct prof_thread_info *threads;
  PROF_VEC(struct edge) edges;
  bool failed; /* no memory */
};

static bool take(void *context, const struct prof_walk_event *event) {
  struct finding *finding = context;
  if (event->kind != PROF_WALK_POINT)
    return true;
  const struct prof_site_info site = prof_trace_site(finding->trace, event->site);
  const struct prof_point *point = &prof_trace_points(finding->trace, NULL)[site.point];
  if (point->kind != PROF_POINT_IS_SPAN_BEGIN && point->kind != PROF_POINT_IS_SPAN_END)
    return true;
  const struct edge edge = {.name = point->name,
                            .id = event->value,
                            .time_ns = event->time_ns,
                            .process = finding->threads[event->thread].process,
                            .thread = event->thread,
                            .ends = point->kind == PROF_POINT_IS_SPAN_END};
  finding->failed = !prof_vec_push(&finding->edges, edge);
  return !finding->failed;
}

/* An end before a begin of the same time: one span follows another. */
static int by_span(const void *left, const void *right) {
  const struct edge *a = left, *b = right;
  return strcmp(a->name, b->name) ?: prof_order(a->process, b->process) ?: prof_order(a->id, b->id)
      ?: prof_order(a->time_ns, b->time_ns) ?: prof_order(b->ends, a->ends);
}

static bool same_span(const struct edge *a, const struct edge *b) {
  return a->id == b->id && a->process == b->process && strcmp(a->name, b->name) == 0;
}

static int by_total(const void *left, const void *right) {
  const struct prof_frame_name *a = left, *b = right;
  return prof_order(b->figures.total_ns, a->figures.total_ns) ?: strcmp(a->name, b->name);
}

/* The spans of one name, edges [*at, end).  False: no memory. */
static bool add_row(const struct edge *edges, size_t count, size_t *at, struct prof_frames *out,
                    struct prof_span_faults *faults) {
  struct prof_durations durations = {0};
  const struct edge *open = NULL, *first = &edges[*at];
  bool good = true;
  for (; *at < count && strcmp(edges[*at].name, first->name) == 0; (*at)++) {
    const struct edge *edge = &edges[*at];
    const bool goes_on = open && same_span(open, edge);
    faults->unfinished += open && (!goes_on || !edge->ends);
    faults->unmatched += edge->ends && !goes_on;
    if (edge->ends && goes_on)
      good &= prof_vec_push(&durations, edge->time_ns - open->time_ns);
    open = edge->ends ? NULL : edge;
  }
  faults->unfinished += open != NULL;
  if (durations.count)
    out->rows[out->count++] = (struct prof_frame_name){.name = first->name, .figures = prof_durations_sum(&durations)};
  prof_vec_fini(&durations);
  return good;
}

static bool make_rows(struct finding *finding, struct prof_frames *out, struct prof_span_faults *faults) {
  size_t point_count;
  prof_trace_points(finding->trace, &point_count);
  out->rows = calloc(point_count + 1, sizeof *out->rows);
  if (!out->rows)
    return false;
  for (size_t at = 0; at < finding->edges.count;)
    if (!add_row(finding->edges.items, finding->edges.count, &at, out, faults))
      return false;
  qsort(out->rows, out->count, sizeof *out->rows, by_total);
  return true;
}

/* Walks, and sorts what it found. */
static prof_status find_edges(struct finding *finding, const prof_trace *trace, const struct prof_filter *filter,
                              struct prof_diag *diag) {
  *finding = (struct finding){.trace = trace, .threads = prof_trace_threads(trace, NULL)};
  prof_status status = prof_walk_points(trace, filter, PROF_WALK_BY_THREAD, take, finding, diag);
  if (status == PROF_OK && finding->failed)
    status = prof_diag_memory(diag);
  if (status == PROF_OK && finding->edges.count)
    qsort(finding->edges.items, finding->edges.count, sizeof *finding->edges.items, by_span);
  return status;
}

static prof_status none(const prof_trace *trace, struct prof_diag *diag) {
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                        "mark spans with PROF_SPAN_BEGIN and _END of prof.h, or ask for more",
                        "no span ended in what is shown");
}

prof_status prof_spans_find(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag,
                            struct prof_frames *out, struct prof_span_faults *faults) {
  struct finding finding;
  *out = (struct prof_frames){.rows = NULL};
  *faults = (struct prof_span_faults){0};
  prof_status status = find_edges(&finding, trace, filter, diag);
  if (status == PROF_OK && !make_rows(&finding, out, faults))
    status = prof_diag_memory(diag);
  if (status == PROF_OK && out->count == 0)
    status = none(trace, diag);
  prof_vec_fini(&finding.edges);
  if (status != PROF_OK)
    prof_frames_free(out);
  return status;
}

prof_status prof_spans_list(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag,
                            struct prof_span_list *out) {
  struct finding finding;
  *out = (struct prof_span_list){.list = {NULL, 0, 0}};
  prof_status status = find_edges(&finding, trace, filter, diag);
  for (size_t i = 1; status == PROF_OK && i < finding.edges.count; i++) {
    const struct edge *begin = &finding.edges.items[i - 1], *end = begin + 1;
    if (begin->ends || !end->ends || !same_span(begin, end))
      continue;
    const struct prof_ended_span span = {begin->name,  begin->id,      begin->time_ns,
                                         end->time_ns, begin->process, begin->thread};
    if (!prof_vec_push(&out->list, span))
      status = prof_diag_memory(diag);
  }
  if (status == PROF_OK && out->list.count == 0)
    status = none(trace, diag);
  prof_vec_fini(&finding.edges);
  return status;
}
