/*
 * tools/analysis/counter_tracks.c - see counter_tracks.h.
 */
#include "analysis/counter_tracks.h"

#include <math.h>

#include "base/diag.h"

static uint64_t ns_at(const prof_trace *trace, uint64_t ticks) {
  const uint64_t start = prof_trace_info(trace)->start_ticks;
  return ticks > start ? prof_trace_ns(trace, ticks - start) : 0;
}

static void find_span(const prof_trace *trace, const struct prof_filter *filter, struct prof_counter_tracks *out) {
  size_t thread_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  uint64_t last = 0;
  for (size_t i = 0; i < thread_count; i++)
    last = ns_at(trace, threads[i].end_ticks) > last ? ns_at(trace, threads[i].end_ticks) : last;
  for (size_t i = 0; i < out->list.count; i++) {
    const struct prof_track *track = out->list.items[i].track;
    const uint64_t end = track->items.items[track->items.count - 1].begin_ns;
    last = end > last ? end : last;
  }
  const uint64_t wall = prof_trace_info(trace)->wall_ns;
  out->begin_ns = filter->begin_ticks ? ns_at(trace, filter->begin_ticks) : 0;
  out->end_ns = wall > last ? wall : last + 1;
  if (filter->end_ticks != UINT64_MAX && ns_at(trace, filter->end_ticks) < out->end_ns)
    out->end_ns = ns_at(trace, filter->end_ticks);
  if (out->end_ns <= out->begin_ns)
    out->end_ns = out->begin_ns + 1;
}

prof_status prof_counter_tracks_find(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag,
                                     struct prof_counter_tracks *out) {
  *out = (struct prof_counter_tracks){.begin_ns = 0};
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  prof_status status = prof_tracks_find(trace, filter, diag, &out->tracks);
  for (size_t i = 0; status == PROF_OK && i < out->tracks.list.count; i++) {
    const struct prof_track *track = &out->tracks.list.items[i];
    const struct prof_counter_track row = {.name = track->name,
                                           .unit = track->unit,
                                           .pid = track->process < count ? processes[track->process].pid : 0,
                                           .has_values = track->values.count > 0,
                                           .values = track->values,
                                           .track = track};
    if (track->kind == PROF_TRACK_COUNTER && !prof_vec_push(&out->list, row))
      status = prof_diag_memory(diag);
  }
  if (status == PROF_OK && out->tracks.hides)
    status =
        prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                       "leave it out, or record without --mode=summary",
                       "a summary keeps a program's counters by process: no filter by thread or call chooses them");
  if (status == PROF_OK && out->list.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                            prof_trace_summary(trace, NULL)
                                ? "record with --machine, or report PROF_COUNTER of prof.h"
                                : "record with --machine or --memory, or report PROF_COUNTER of prof.h",
                            "no counter is in what is shown");
  if (status == PROF_OK)
    find_span(trace, filter, out);
  return status;
}

void prof_counter_tracks_free(struct prof_counter_tracks *rows) {
  prof_vec_fini(&rows->list);
  prof_tracks_fini(&rows->tracks);
}

/* In which part a time lies. */
static size_t part_of(const struct prof_counter_tracks *rows, uint64_t time_ns, size_t parts) {
  const double share = (double)(time_ns > rows->begin_ns ? time_ns - rows->begin_ns : 0) /
                       (double)(rows->end_ns - rows->begin_ns) * (double)parts;
  const size_t part = share < (double)parts ? (size_t)share : parts;
  return part < parts ? part : parts - 1;
}

void prof_counter_track_parts(const struct prof_counter_tracks *rows, const struct prof_counter_track *row,
                              size_t parts, double *out) {
  double now = NAN;
  size_t next = 0;
  for (size_t part = 0; part < parts; part++) {
    double most = now;
    for (; next < row->track->items.count; next++) {
      const struct prof_track_item *item = &row->track->items.items[next];
      if (part_of(rows, item->begin_ns, parts) > part)
        break;
      if (!isfinite(item->value))
        continue;
      now = item->value;
      most = !(most >= now) ? now : most;
    }
    out[part] = most;
  }
}
