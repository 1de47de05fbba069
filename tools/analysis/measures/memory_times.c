/*
 * tools/analysis/measures/memory_times.c - see memory_times.h.
 */
#include "analysis/measures/memory_times.h"

#include <stdlib.h>

#include "base/diag.h"
#include "measure.h"

/* ---- parts of the time ---- */

struct filling {
  struct prof_memory_tally tally;
  struct prof_memory_part *parts;
  size_t count, at;                   /* the present part; count: all are over */
  uint64_t calls, bytes, freed_bytes; /* before it */
};

/* False: no memory. */
static bool end_part(struct filling *filling) {
  struct prof_memory_part *part = &filling->parts[filling->at++];
  if (!prof_memory_tally_end_all(&filling->tally, part->end_ticks))
    return false;
  const struct prof_memory_tally *tally = &filling->tally;
  part->live_bytes = tally->totals[false].live_bytes;
  part->mapped_bytes = tally->totals[true].live_bytes;
  part->calls = tally->calls - filling->calls;
  part->bytes = tally->bytes - filling->bytes;
  part->freed_bytes = tally->freed_bytes - filling->freed_bytes;
  filling->calls = tally->calls;
  filling->bytes = tally->bytes;
  filling->freed_bytes = tally->freed_bytes;
  if (filling->at < filling->count)
    filling->parts[filling->at].peak_bytes = part->live_bytes;
  return true;
}

static bool take_part(void *context, const struct prof_measured *event) {
  struct filling *filling = context;
  while (filling->at < filling->count && event->time_ticks >= filling->parts[filling->at].end_ticks)
    if (!end_part(filling))
      return false;
  if (!prof_memory_tally_take(&filling->tally, event))
    return false;
  const uint64_t live = filling->tally.totals[false].live_bytes;
  if (filling->at < filling->count && live > filling->parts[filling->at].peak_bytes)
    filling->parts[filling->at].peak_bytes = live;
  return true;
}

prof_status prof_memory_times_fill(const prof_trace *trace, const struct prof_filter *filter,
                                   struct prof_memory_part *parts, size_t count, struct prof_diag *diag,
                                   struct prof_memory_times *out) {
  struct filling filling = {.parts = parts, .count = count};
  struct prof_measured_paths paths = {0};
  prof_status status = prof_memory_tally_init(&filling.tally, trace, PROF_MEMORY_BY_SIZE, NULL, &paths)
                           ? prof_measured_walk(trace, filter, take_part, &filling, &paths, diag)
                           : prof_diag_memory(diag);
  while (status == PROF_OK && filling.at < count)
    status = end_part(&filling) ? PROF_OK : prof_diag_memory(diag);
  const struct prof_memory_total *heap = &filling.tally.totals[false];
  const uint64_t start = prof_trace_info(trace)->start_ticks;
  *out = (struct prof_memory_times){.recorded = filling.tally.recorded,
                                    .peak_bytes = heap->peak_bytes,
                                    .peak_ns =
                                        heap->peak_ticks > start ? prof_trace_ns(trace, heap->peak_ticks - start) : 0};
  prof_memory_tally_fini(&filling.tally);
  prof_measured_paths_fini(&paths);
  return status;
}

/* ---- curves ---- */

const char *const prof_memory_curve_names[2] = {"heap", "mapped memory"};

struct curve {
  uint64_t cell;               /* the present one; UINT64_MAX: none yet */
  size_t highest;              /* its point with the largest value, so far */
  uint64_t live_bytes;         /* now */
  uint64_t drawn_bytes, ticks; /* what was drawn last, and when it began */
};

struct drawing {
  const prof_trace *trace;
  struct prof_memory_tally tally;
  struct prof_memory_curves *out;
  struct curve *curves; /* two per process */
  size_t curve_count;
  uint64_t begin_ticks, cell_ticks, end_ticks;
};

static struct prof_memory_point drawn(const struct drawing *drawing, const struct curve *curve) {
  const size_t at = (size_t)(curve - drawing->curves);
  const uint64_t start = prof_trace_info(drawing->trace)->start_ticks;
  return (struct prof_memory_point){(uint32_t)(at / 2), at % 2,
                                    curve->ticks > start ? prof_trace_ns(drawing->trace, curve->ticks - start) : 0,
                                    curve->drawn_bytes};
}

/* The curve leaves its cell: behind the largest value it goes on with the last one.  False: no memory. */
static bool end_cell(struct drawing *drawing, const struct curve *curve) {
  const struct prof_memory_point point = drawn(drawing, curve);
  return curve->cell == UINT64_MAX || drawing->out->points.items[curve->highest].bytes == curve->drawn_bytes ||
         prof_vec_push(&drawing->out->points, point);
}

static bool draw(struct drawing *drawing, struct curve *curve, uint64_t ticks) {
  const uint64_t cell = ticks > drawing->begin_ticks ? (ticks - drawing->begin_ticks) / drawing->cell_ticks : 0;
  const bool begins = cell != curve->cell;
  if (begins && !end_cell(drawing, curve))
    return false;
  curve->drawn_bytes = curve->live_bytes;
  curve->ticks = ticks;
  curve->cell = cell;
  const struct prof_memory_point point = drawn(drawing, curve);
  if (begins)
    curve->highest = drawing->out->points.count;
  else if (point.bytes > drawing->out->points.items[curve->highest].bytes)
    drawing->out->points.items[curve->highest] = point;
  return !begins || prof_vec_push(&drawing->out->points, point);
}

static struct curve *curve_of(const struct drawing *drawing, uint32_t process, size_t mapped) {
  return &drawing->curves[2 * (size_t)process + mapped];
}

/* Curves of processes that ended before this time fall to nothing; those of their heirs rise.  False: no memory. */
static bool end_curves(struct drawing *drawing, uint64_t before_ticks) {
  const struct prof_process_end *end;
  bool good;
  while ((good = prof_memory_tally_end(&drawing->tally, before_ticks, &end)) && end)
    for (size_t mapped = 0; mapped < 2 && good; mapped++) {
      struct curve *curve = curve_of(drawing, end->process, mapped);
      const uint64_t handed = drawing->tally.handed_bytes[mapped];
      const bool in_time = end->ticks < drawing->end_ticks;
      curve->live_bytes = 0;
      if (curve->drawn_bytes > 0 && in_time && !draw(drawing, curve, end->ticks))
        return false;
      if (handed == 0)
        continue;
      curve = curve_of(drawing, end->heir, mapped);
      curve->live_bytes += handed;
      if (in_time && !draw(drawing, curve, end->ticks))
        return false;
    }
  return good;
}

static bool take_curve(void *context, const struct prof_measured *event) {
  struct drawing *drawing = context;
  const struct prof_memory_total *totals = drawing->tally.totals;
  if (!end_curves(drawing, event->time_ticks))
    return false;
  const uint64_t before[2] = {totals[0].live_bytes, totals[1].live_bytes};
  if (!prof_memory_tally_take(&drawing->tally, event))
    return false;
  for (size_t mapped = 0; mapped < 2 && event->process < drawing->curve_count / 2; mapped++) {
    struct curve *curve = curve_of(drawing, event->process, mapped);
    const uint64_t changed = totals[mapped].live_bytes - before[mapped];
    curve->live_bytes += changed; /* while realloc is at work both blocks are gone */
    if (changed != 0 && event->operation != PROF_MEASURE_RESIZE_FROM && event->time_ticks < drawing->end_ticks &&
        !draw(drawing, curve, event->time_ticks))
      return false;
  }
  return true;
}

/* Puts the points, which are in time order, in the order of their curves.  False: no memory. */
static bool sort_by_curve(struct drawing *drawing) {
  const size_t count = drawing->out->points.count;
  struct prof_memory_point *sorted = malloc((count + 1) * sizeof *sorted), *items = drawing->out->points.items;
  size_t *next = calloc(drawing->curve_count + 1, sizeof *next);
  const bool good = sorted && next;
  for (size_t i = 0; good && i < count; i++)
    next[2 * (size_t)items[i].process + items[i].mapped + 1]++;
  for (size_t i = 1; good && i < drawing->curve_count; i++)
    next[i] += next[i - 1];
  for (size_t i = 0; good && i < count; i++)
    sorted[next[2 * (size_t)items[i].process + items[i].mapped]++] = items[i];
  for (size_t i = 0; good && i < count; i++)
    items[i] = sorted[i];
  free(sorted);
  free(next);
  return good;
}

static bool finish(struct drawing *drawing) {
  bool good = end_curves(drawing, UINT64_MAX);
  for (size_t i = 0; i < drawing->curve_count && good; i++)
    good = end_cell(drawing, &drawing->curves[i]);
  return good && sort_by_curve(drawing);
}

prof_status prof_memory_curves_find(const prof_trace *trace, const struct prof_filter *filter, size_t most,
                                    struct prof_diag *diag, struct prof_memory_curves *out) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct drawing drawing = {
      .trace = trace, .out = out, .begin_ticks = info->start_ticks, .end_ticks = filter->end_ticks};
  struct prof_measured_paths paths = {0};
  *out = (struct prof_memory_curves){.points = {NULL, 0, 0}};
  if (!prof_measured_asked(trace, "--memory"))
    return PROF_OK;
  size_t processes;
  prof_trace_processes(trace, &processes);
  drawing.curve_count = 2 * processes;
  drawing.curves = calloc(drawing.curve_count + 1, sizeof *drawing.curves);
  drawing.cell_ticks = (info->last_ticks > info->start_ticks ? info->last_ticks - info->start_ticks : 0) / most * 2 + 1;
  for (size_t i = 0; drawing.curves && i < drawing.curve_count; i++)
    drawing.curves[i].cell = UINT64_MAX;
  prof_status status =
      prof_memory_tally_init(&drawing.tally, trace, PROF_MEMORY_BY_SIZE, NULL, &paths) && drawing.curves
          ? prof_measured_walk(trace, filter, take_curve, &drawing, &paths, diag)
          : prof_diag_memory(diag);
  if (status == PROF_OK && !finish(&drawing))
    status = prof_diag_memory(diag);
  free(drawing.curves);
  prof_memory_tally_fini(&drawing.tally);
  prof_measured_paths_fini(&paths);
  return status;
}

void prof_memory_curves_fini(struct prof_memory_curves *curves) {
  prof_vec_fini(&curves->points);
}
