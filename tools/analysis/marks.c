/*
 * tools/analysis/marks.c - see marks.h.
 */
#include "analysis/marks.h"

#include <string.h>

#include "base/diag.h"
#include "fold/walk.h"

struct finding {
  const prof_trace *trace;
  struct prof_marks *out;
  bool frames, failed;
};

static bool is_mark(const struct finding *finding, const struct prof_point *point) {
  return point->kind == PROF_POINT_IS_MARK || (finding->frames && point->kind == PROF_POINT_IS_FRAME);
}

static bool take(void *context, const struct prof_walk_event *event) {
  struct finding *finding = context;
  if (event->kind != PROF_WALK_POINT)
    return true;
  const struct prof_site_info site = prof_trace_site(finding->trace, event->site);
  const struct prof_point *point = &prof_trace_points(finding->trace, NULL)[site.point];
  const struct prof_mark mark = {point->name, event->time_ns};
  if (is_mark(finding, point))
    finding->failed |= !prof_vec_push(&finding->out->list, mark);
  return !finding->failed;
}

prof_status prof_marks_find(const prof_trace *trace, bool frames, struct prof_diag *diag, struct prof_marks *out) {
  struct finding finding = {.trace = trace, .out = out, .frames = frames};
  size_t count;
  const struct prof_point *points = prof_trace_points(trace, &count);
  *out = (struct prof_marks){.list = {NULL, 0, 0}};
  while (count > 0 && !is_mark(&finding, &points[count - 1]))
    count--;
  if (count == 0)
    return PROF_OK;
  prof_status status = prof_walk_points(trace, NULL, PROF_WALK_BY_TIME, take, &finding, diag);
  if (status == PROF_EMPTY)
    status = PROF_OK;
  return status == PROF_OK && finding.failed ? prof_diag_memory(diag) : status;
}

void prof_marks_fini(struct prof_marks *marks) {
  prof_vec_fini(&marks->list);
}

bool prof_marks_time(const struct prof_marks *marks, const char *name, uint64_t count, uint64_t *time_ns) {
  for (size_t i = 0; i < marks->list.count; i++) {
    if (strcmp(marks->list.items[i].name, name) != 0 || --count > 0)
      continue;
    *time_ns = marks->list.items[i].time_ns;
    return true;
  }
  return false;
}
