/*
 * tools/estimate/cold_paths.c - see cold_paths.h.
 */
#include "estimate/cold_paths.h"

#include <stdlib.h>
#include <string.h>

#include "names/loop_frames.h"

bool prof_cold_paths_take(struct prof_cold_paths *paths, struct prof_fold_worker *worker,
                          struct prof_coverage *coverage) {
  if (!worker->cold)
    return true;
  paths->counted = worker->cold;
  paths->ticks = worker->cold_ticks;
  worker->cold = NULL;
  coverage->folded_paths = worker->cold_paths;
  paths->figures = calloc(prof_frame_count(worker->trace), sizeof *paths->figures);
  return paths->figures != NULL;
}

bool prof_cold_paths_take_places(struct prof_cold_paths *paths, struct prof_fold_worker *worker, const uint32_t *moved,
                                 uint32_t place_count) {
  if (!worker->cold_places)
    return true;
  paths->counted_places = calloc(place_count + 1, sizeof *paths->counted_places);
  paths->places = calloc(place_count + 1, sizeof *paths->places);
  paths->place_count = place_count;
  for (uint32_t i = 0; paths->counted_places && i < worker->cold_place_count && i < place_count; i++)
    paths->counted_places[moved[i]] = worker->cold_places[i];
  return paths->counted_places && paths->places;
}

bool prof_cold_paths_widen(struct prof_cold_paths *paths, uint32_t place_count) {
  if (!paths->places || place_count <= paths->place_count)
    return true;
  struct prof_fold_cold *counted = realloc(paths->counted_places, ((size_t)place_count + 1) * sizeof *counted);
  paths->counted_places = counted ? counted : paths->counted_places;
  struct prof_cold_figures *places = realloc(paths->places, ((size_t)place_count + 1) * sizeof *places);
  paths->places = places ? places : paths->places;
  if (!counted || !places)
    return false;
  size_t more = place_count - paths->place_count;
  memset(counted + paths->place_count, 0, (more + 1) * sizeof *counted);
  memset(places + paths->place_count, 0, (more + 1) * sizeof *places);
  paths->place_count = place_count;
  return true;
}

void prof_cold_paths_drop_places(struct prof_cold_paths *paths) {
  free(paths->counted_places);
  free(paths->places);
  paths->counted_places = NULL;
  paths->places = NULL;
  paths->place_count = 0;
}

void prof_cold_paths_fini(struct prof_cold_paths *paths) {
  prof_cold_paths_drop_places(paths);
  free(paths->counted);
  free(paths->figures);
  memset(paths, 0, sizeof *paths);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t scaled(double ticks, double scale) {
  return ticks * scale > 0 ? (uint64_t)(ticks * scale + 0.5) : 0;
}

/* A part of what the nodes had; not more than the time that it is of. */
static struct prof_off_ticks off_of(const struct prof_off_ticks *all, double part, uint64_t ticks) {
  struct prof_off_ticks off = {.waiting = smaller(scaled((double)all->waiting, part), ticks)};
  off.preempted = smaller(scaled((double)all->preempted, part), ticks - off.waiting);
  return off;
}

void prof_cold_paths_scale(struct prof_cold_paths *paths, const struct prof_node *nodes, uint32_t node_count,
                           uint32_t frame_count) {
  if (!paths->counted)
    return;
  double now = 0;
  struct prof_off_ticks off = {0, 0};
  for (uint32_t i = 1; i < node_count; i++) {
    if (!nodes[i].cold)
      continue;
    now += (double)nodes[i].total_ticks;
    prof_off_add(&off, &nodes[i].off);
  }
  double scale = paths->ticks ? now / (double)paths->ticks : 1;
  for (uint32_t i = 0; i < frame_count; i++) {
    const struct prof_fold_cold *from = &paths->counted[i];
    struct prof_cold_figures *to = &paths->figures[i];
    *to = (struct prof_cold_figures){.calls = from->calls,
                                     .total_ticks = scaled((double)from->total, scale),
                                     .self_ticks = from->self < 0 ? -(int64_t)scaled(-(double)from->self, scale)
                                                                  : (int64_t)scaled((double)from->self, scale),
                                     .sum_ticks = scaled((double)from->sum, scale)};
    uint64_t self = to->self_ticks > 0 ? (uint64_t)to->self_ticks : 0;
    to->self_off = off_of(&off, now > 0 ? (double)self / now : 0, self);
    to->off = off_of(&off, now > 0 ? (double)to->total_ticks / now : 0, to->total_ticks);
  }
  for (uint32_t i = 0; i < paths->place_count; i++) {
    struct prof_cold_figures *to = &paths->places[i];
    *to = (struct prof_cold_figures){.calls = paths->counted_places[i].calls,
                                     .total_ticks = scaled((double)paths->counted_places[i].total, scale)};
    to->off = off_of(&off, now > 0 ? (double)to->total_ticks / now : 0, to->total_ticks);
  }
}

void prof_cold_paths_join_loops(struct prof_cold_paths *paths, const prof_trace *trace) {
  size_t count, functions;
  const struct prof_loop *loops = prof_trace_loops(trace, &count);
  prof_trace_functions(trace, &functions);
  for (uint32_t i = 0; paths->counted && i < count; i++) {
    struct prof_fold_cold *from = &paths->counted[prof_frame_of_loop(trace, i)];
    paths->counted[loops[i].function < functions ? loops[i].function : functions].self += from->self;
    *from = (struct prof_fold_cold){0};
  }
}

bool prof_cold_paths_add(const struct prof_cold_paths *paths, uint32_t frame, struct prof_function_figures *to) {
  const struct prof_cold_figures *from = paths->figures ? &paths->figures[frame] : NULL;
  if (!from || !(from->calls || from->sum_ticks || from->self_ticks))
    return false;
  to->calls += from->calls;
  to->total_ticks += from->total_ticks;
  to->self_ticks = prof_cold_self(to->self_ticks, from->self_ticks);
  to->sum_ticks += from->sum_ticks;
  prof_off_add(&to->off, &from->off);
  prof_off_add(&to->self_off, &from->self_off);
  return true;
}
