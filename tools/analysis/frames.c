/*
 * tools/analysis/frames.c - see frames.h.
 *
 *    walk 1: marks -> durations, the longest frames     walk 2: in each of these, calls by their path -> nodes
 *
 * Points of one name are one: `of_point` leads from the points of all modules to names.
 */
#include "analysis/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/walk.h"

struct name {
  struct prof_frame_name row;
  struct prof_durations durations;
  uint64_t begin_ns; /* of the frame that is open in the present thread */
  bool open;
  bool cut; /* events were lost in it */
  struct prof_slow_builder builder;
};

struct finding {
  const prof_trace *trace;
  struct name *names;
  uint32_t *of_point; /* PROF_NONE: no frame */
  size_t count, most;
  uint32_t thread;
  bool failed; /* no memory */
};

static int by_name(const void *left, const void *right, void *context) {
  const struct prof_point *points = context;
  return strcmp(points[*(const uint32_t *)left].name, points[*(const uint32_t *)right].name);
}

/* Numbers the names of frames.  order: room for an index of each point. */
static void number_names(struct finding *finding, const struct prof_point *points, size_t count, uint32_t *order) {
  size_t frames = 0;
  for (size_t i = 0; i < count; i++) {
    finding->of_point[i] = PROF_NONE;
    if (points[i].kind == PROF_POINT_IS_FRAME)
      order[frames++] = (uint32_t)i;
  }
  qsort_r(order, frames, sizeof *order, by_name, (void *)points);
  for (size_t i = 0; i < frames; i++) {
    const char *name = points[order[i]].name;
    if (finding->count == 0 || strcmp(finding->names[finding->count - 1].row.name, name) != 0)
      finding->names[finding->count++].row.name = name;
    finding->of_point[order[i]] = (uint32_t)finding->count - 1;
  }
}

/* false: no memory. */
static bool make_names(struct finding *finding) {
  size_t count;
  const struct prof_point *points = prof_trace_points(finding->trace, &count);
  finding->names = calloc(count + 1, sizeof *finding->names);
  finding->of_point = malloc((count + 1) * sizeof *finding->of_point);
  uint32_t *order = malloc((count + 1) * sizeof *order);
  bool good = finding->names && finding->of_point && order;
  if (good)
    number_names(finding, points, count, order);
  free(order);
  if (!good)
    return false;
  for (size_t i = 0; i < finding->count && finding->most; i++)
    if (!(finding->names[i].row.slowest = calloc(finding->most, sizeof(struct prof_slow_tree))))
      return false;
  return true;
}

/* NULL: the event marks no frame. */
static struct name *marked(struct finding *finding, const struct prof_walk_event *event) {
  if (event->kind != PROF_WALK_POINT)
    return NULL;
  const struct prof_site_info site = prof_trace_site(finding->trace, event->site);
  const uint32_t name = finding->of_point[site.point];
  return name == PROF_NONE ? NULL : &finding->names[name];
}

/* Another thread follows: its frames begin with marks of its own. */
static void change_thread(struct finding *finding, uint32_t thread) {
  if (thread == finding->thread)
    return;
  finding->thread = thread;
  for (size_t i = 0; i < finding->count; i++)
    finding->names[i].open = false;
}

static bool measure(void *context, const struct prof_walk_event *event) {
  struct finding *finding = context;
  change_thread(finding, event->thread);
  struct name *name = marked(finding, event);
  for (size_t i = 0; i < finding->count && event->kind == PROF_WALK_GAP; i++)
    finding->names[i].cut = true;
  if (!name)
    return true;
  if (name->open) {
    const struct prof_slow_tree frame = {.thread = event->thread,
                                         .function = PROF_NONE,
                                         .begin_ns = name->begin_ns,
                                         .duration_ns = event->time_ns - name->begin_ns,
                                         .cut = name->cut};
    finding->failed |= !prof_vec_push(&name->durations, frame.duration_ns);
    if (finding->most)
      prof_slow_insert(name->row.slowest, &name->row.slowest_count, finding->most, &frame);
  }
  name->open = true;
  name->cut = false;
  name->begin_ns = event->time_ns;
  return !finding->failed;
}

/* The frame that begins here, if it is among the longest: of those with equal begins the first one without nodes. */
static struct prof_slow_tree *chosen(struct name *name, const struct prof_walk_event *event) {
  for (size_t i = 0; i < name->row.slowest_count; i++) {
    struct prof_slow_tree *frame = &name->row.slowest[i];
    if (frame->thread == event->thread && frame->begin_ns == event->time_ns && frame->nodes.count == 0)
      return frame;
  }
  return NULL;
}

static bool add_up(void *context, const struct prof_walk_event *event) {
  struct finding *finding = context;
  struct name *name = marked(finding, event);
  for (size_t i = 0; i < finding->count && !name; i++)
    finding->failed |= !prof_slow_take(&finding->names[i].builder, event);
  if (name) {
    prof_slow_end(&name->builder, event->time_ns);
    struct prof_slow_tree *frame = chosen(name, event);
    finding->failed |= frame && !prof_slow_begin(&name->builder, frame);
  }
  return !finding->failed;
}

static int by_total(const void *left, const void *right) {
  const struct prof_frame_name *a = left, *b = right;
  return prof_order(b->figures.total_ns, a->figures.total_ns) ?: strcmp(a->name, b->name);
}

/* Moves the names that have frames into *out; the others are freed. */
static bool take_rows(struct finding *finding, struct prof_frames *out) {
  out->rows = calloc(finding->count + 1, sizeof *out->rows);
  for (size_t i = 0; i < finding->count && out->rows; i++) {
    struct name *name = &finding->names[i];
    name->row.figures = prof_durations_sum(&name->durations);
    if (name->row.figures.count == 0)
      continue;
    for (size_t at = 0; at < name->row.slowest_count; at++)
      finding->failed |= !prof_slow_tree_sort(&name->row.slowest[at]);
    out->rows[out->count++] = name->row;
    name->row.slowest = NULL;
    name->row.slowest_count = 0;
  }
  if (out->rows)
    qsort(out->rows, out->count, sizeof *out->rows, by_total);
  return out->rows && !finding->failed;
}

static void free_row(struct prof_frame_name *row) {
  for (size_t i = 0; i < row->slowest_count; i++)
    prof_slow_tree_fini(&row->slowest[i]);
  free(row->slowest);
}

void prof_frames_free(struct prof_frames *frames) {
  for (size_t i = 0; i < frames->count; i++)
    free_row(&frames->rows[i]);
  free(frames->rows);
  *frames = (struct prof_frames){.rows = NULL};
}

static void finding_fini(struct finding *finding) {
  for (size_t i = 0; i < finding->count; i++) {
    free_row(&finding->names[i].row);
    prof_vec_fini(&finding->names[i].durations);
    prof_slow_builder_fini(&finding->names[i].builder);
  }
  free(finding->names);
  free(finding->of_point);
}

prof_status prof_frames_find(const prof_trace *trace, const struct prof_filter *filter, size_t most,
                             struct prof_diag *diag, struct prof_frames *out) {
  struct finding finding = {.trace = trace, .most = most, .thread = PROF_NONE};
  *out = (struct prof_frames){.rows = NULL};
  prof_status status = PROF_OK;
  bool good = make_names(&finding);
  if (good && finding.count)
    status = prof_walk_points(trace, filter, PROF_WALK_BY_THREAD, measure, &finding, diag);
  if (good && finding.count && status == PROF_OK && most)
    status = prof_walk_points(trace, filter, PROF_WALK_BY_THREAD, add_up, &finding, diag);
  if (status == PROF_OK)
    good = good && !finding.failed && take_rows(&finding, out);
  finding_fini(&finding);
  if (status == PROF_OK && !good)
    status = prof_diag_memory(diag);
  else if (status == PROF_OK && out->count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                            "mark frames with PROF_FRAME(\"name\") of prof.h, or ask for more",
                            "no frame is in what is shown");
  if (status != PROF_OK)
    prof_frames_free(out);
  return status;
}
