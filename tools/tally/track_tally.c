/*
 * tools/tally/track_tally.c - see track_tally.h: values of a stretch into parts of the time.
 */
#include "tally/track_tally.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "fold/walk.h"
#include "names/point_value.h"
#include "tally/reading_values.h"

#define FIRST_SHIFT 20u /* about a millisecond */
#define KEPT_READINGS 4 /* before the first one without a value: it may be a rate from there */

static void fini_track(struct prof_track_sum *track) {
  free(track->name);
  free(track->unit);
  prof_vec_fini(&track->parts);
  prof_vec_fini(&track->readings);
}

void prof_track_tally_fini(struct prof_track_tally *tally) {
  for (size_t i = 0; i < tally->tracks.count; i++)
    fini_track(&tally->tracks.items[i]);
  prof_vec_fini(&tally->tracks);
  prof_index_fini(&tally->known);
  *tally = (struct prof_track_tally){.part_count = 0};
}

/* Of a reading's step, the end lies behind the clear. */
static void keep_last(struct prof_track_sum *track) {
  if (track->readings.count > 1)
    track->readings.items[0] = track->readings.items[track->readings.count - 1];
  track->readings.count = track->readings.count > 0;
  track->next = 0;
}

void prof_track_tally_clear(struct prof_track_tally *tally) {
  for (size_t i = 0; i < tally->tracks.count; i++) {
    struct prof_track_sum *track = &tally->tracks.items[i];
    track->count = track->others = 0;
    track->amount = track->weight = 0;
    track->parts.count = 0;
    keep_last(track);
  }
  tally->part_count = 0;
  tally->left_out = 0;
}

/* ---- tracks ---- */

static bool is_like(const struct prof_track_sum *a, const struct prof_track_sum *b) {
  return a->process == b->process && a->what == b->what && a->is_sum == b->is_sum && a->divisor == b->divisor &&
         strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0;
}

static uint32_t hash_of(const struct prof_track_sum *track) {
  uint64_t text = 0;
  for (const char *at = track->name; *at; at++)
    text = text * 31 + (unsigned char)*at;
  return prof_index_hash((uint64_t)track->process << 32 | track->what, text);
}

uint32_t prof_track_tally_meet(struct prof_track_tally *tally, const struct prof_track_sum *like) {
  const uint32_t hash = hash_of(like);
  const struct prof_track_sum *all = tally->tracks.items;
  uint32_t at = prof_index_find(&tally->known, hash, i, is_like(&all[i], like));
  if (at != UINT32_MAX || tally->tracks.count >= PROF_TRACK_ROWS)
    return at;
  struct prof_track_sum fresh = {.process = like->process,
                                 .what = like->what,
                                 .is_sum = like->is_sum,
                                 .divisor = like->divisor,
                                 .name = strdup(like->name),
                                 .unit = strdup(like->unit)};
  at = (uint32_t)tally->tracks.count;
  if (fresh.name && fresh.unit && prof_vec_push(&tally->tracks, fresh)) {
    if (prof_index_add(&tally->known, hash, at))
      return at;
    tally->tracks.count--;
  }
  fini_track(&fresh);
  return UINT32_MAX;
}

/* ---- parts ---- */

/* `other` lies behind `part`, or among its values. */
static void merge_part(struct prof_track_part *part, const struct prof_track_part *other) {
  part->count += other->count;
  part->least = other->least.value < part->least.value ? other->least : part->least;
  part->most = other->most.value > part->most.value ? other->most : part->most;
  part->last = other->last.time_ns >= part->last.time_ns ? other->last : part->last;
}

/* Parts become twice as long. */
static void widen(struct prof_track_tally *tally) {
  tally->shift++;
  tally->part_count = 0;
  for (size_t i = 0; i < tally->tracks.count; i++) {
    struct prof_track_sum *track = &tally->tracks.items[i];
    size_t kept = 0;
    for (size_t at = 0; at < track->parts.count; at++) {
      struct prof_track_part part = track->parts.items[at];
      part.number /= 2;
      if (kept > 0 && track->parts.items[kept - 1].number == part.number)
        merge_part(&track->parts.items[kept - 1], &part);
      else
        track->parts.items[kept++] = part;
    }
    track->parts.count = kept;
    tally->part_count += kept;
  }
}

static bool add_part(struct prof_track_tally *tally, struct prof_track_sum *track, struct prof_track_part part) {
  size_t at = track->parts.count;
  while (at > 0 && track->parts.items[at - 1].number > part.number)
    at--;
  if (at > 0 && track->parts.items[at - 1].number == part.number) {
    merge_part(&track->parts.items[at - 1], &part);
    return true;
  }
  if (!prof_vec_reserve(&track->parts, 1))
    return false;
  memmove(track->parts.items + at + 1, track->parts.items + at, (track->parts.count - at) * sizeof part);
  track->parts.items[at] = part;
  track->parts.count++;
  tally->part_count++;
  return true;
}

bool prof_track_tally_value(struct prof_track_tally *tally, uint32_t index, struct prof_track_moment moment,
                            double amount, double weight) {
  struct prof_track_sum *track = &tally->tracks.items[index];
  if (!isfinite(moment.value)) {
    track->others++;
    return true;
  }
  tally->shift = tally->shift ? tally->shift : FIRST_SHIFT;
  track->count++;
  track->amount += amount;
  track->weight += weight;
  const struct prof_track_part part = {moment.time_ns >> tally->shift, 1, moment, moment, moment};
  if (!add_part(tally, track, part))
    return false;
  while (track->parts.count > PROF_TRACK_PARTS || tally->part_count > PROF_TRACK_ALL_PARTS)
    widen(tally);
  return true;
}

/* ---- readings ---- */

static uint64_t ns_at(const prof_trace *trace, uint64_t ticks) {
  const uint64_t start = prof_trace_info(trace)->start_ticks;
  return ticks > start ? prof_trace_ns(trace, ticks - start) : 0;
}

static bool take_value(struct prof_track_tally *tally, const prof_trace *trace, uint32_t track,
                       const struct prof_reading_series *series, size_t i) {
  double value;
  if (!prof_reading_value(trace, series, i, &value))
    return true;
  const struct prof_reading_part part = prof_reading_part(trace, series, i);
  return prof_track_tally_value(tally, track, (struct prof_track_moment){ns_at(trace, series->readings[i].time), value},
                                part.amount, part.weight);
}

bool prof_track_tally_settle(struct prof_track_tally *tally, const prof_trace *trace, uint32_t index, bool all) {
  struct prof_track_sum *track = &tally->tracks.items[index];
  const struct prof_reading_series series = {.what = track->what,
                                             .is_sum = true,
                                             .divisor = track->divisor,
                                             .readings = track->readings.items,
                                             .count = track->readings.count};
  while (track->next < series.count && (all || !prof_reading_value_is_open(trace, &series, track->next)))
    if (!take_value(tally, trace, index, &series, track->next++))
      return false;
  if (track->next > KEPT_READINGS) {
    const size_t gone = track->next - KEPT_READINGS;
    memmove(track->readings.items, track->readings.items + gone, (series.count - gone) * sizeof *series.readings);
    track->readings.count -= gone;
    track->next -= gone;
  }
  return true;
}

static bool add_series(struct prof_track_tally *tally, const prof_trace *trace,
                       const struct prof_reading_series *series) {
  const struct prof_process *processes = prof_trace_processes(trace, NULL);
  const struct prof_track_sum like = {.process = series->process != PROF_NONE ? processes[series->process].number : 0,
                                      .what = series->what,
                                      .is_sum = series->is_sum,
                                      .divisor = series->divisor,
                                      .name = (char *)(uintptr_t)series->name, /* is copied */
                                      .unit = (char *)(uintptr_t)series->unit};
  const uint32_t at = prof_track_tally_meet(tally, &like);
  bool done = true;
  if (at == UINT32_MAX) {
    tally->left_out += series->count;
    return tally->tracks.count >= PROF_TRACK_ROWS;
  }
  for (size_t i = 0; i < series->count && done; i++)
    done = series->is_sum ? prof_vec_push(&tally->tracks.items[at].readings, series->readings[i])
                          : take_value(tally, trace, at, series, i);
  return done && (!series->is_sum || prof_track_tally_settle(tally, trace, at, false));
}

/* ---- counters of the program ---- */

struct adding {
  struct prof_track_tally *tally;
  const prof_trace *trace;
  uint32_t *known;  /* by point: its track in `process`, plus 1; 0: not looked up yet */
  uint32_t process; /* index */
  size_t point_count;
  bool failed;
};

/* UINT32_MAX: there is no room. */
static uint32_t track_of(struct adding *adding, const struct prof_point *point, uint32_t process) {
  size_t at = (size_t)(point - prof_trace_points(adding->trace, NULL));
  if (process != adding->process)
    memset(adding->known, 0, adding->point_count * sizeof *adding->known);
  adding->process = process;
  if (adding->known[at] == 0) {
    const struct prof_track_sum like = {.process = prof_trace_processes(adding->trace, NULL)[process].number,
                                        .divisor = 1,
                                        .name = (char *)(uintptr_t)point->name, /* is copied */
                                        .unit = (char *)(uintptr_t)point->unit};
    const uint32_t track = prof_track_tally_meet(adding->tally, &like);
    adding->failed |= track == UINT32_MAX && adding->tally->tracks.count < PROF_TRACK_ROWS;
    adding->known[at] = track + 1;
  }
  return adding->known[at] - 1;
}

static bool take_point(void *context, const struct prof_walk_event *event) {
  struct adding *adding = context;
  if (event->kind != PROF_WALK_POINT)
    return true;
  const struct prof_site_info site = prof_trace_site(adding->trace, event->site);
  const struct prof_point *point = prof_point_of(adding->trace, &site);
  const uint32_t process = prof_trace_threads(adding->trace, NULL)[event->thread].process;
  if (!point || point->kind != PROF_POINT_IS_COUNTER || process == PROF_NONE)
    return true;
  const uint32_t track = track_of(adding, point, process);
  const double value = prof_point_number(&site, event->value);
  if (track == UINT32_MAX)
    adding->tally->left_out++;
  else
    adding->failed |=
        !prof_track_tally_value(adding->tally, track, (struct prof_track_moment){event->time_ns, value}, value, 1);
  return !adding->failed;
}

static prof_status add_points(struct prof_track_tally *tally, const prof_trace *trace, struct prof_diag *diag) {
  const struct prof_filter_spec spec = {.end_ns = UINT64_MAX};
  struct prof_filter filter = {0}; /* what is not forgotten */
  struct adding adding = {.tally = tally, .trace = trace, .process = PROF_NONE};
  const struct prof_point *points = prof_trace_points(trace, &adding.point_count);
  bool any = false;
  for (size_t i = 0; i < adding.point_count; i++)
    any |= points[i].kind == PROF_POINT_IS_COUNTER;
  if (!any)
    return PROF_OK;
  adding.known = calloc(adding.point_count, sizeof *adding.known);
  prof_status status = adding.known ? prof_filter_init(&filter, trace, &spec, diag) : prof_diag_memory(diag);
  if (status == PROF_OK)
    status = prof_walk_points(trace, &filter, PROF_WALK_BY_THREAD, take_point, &adding, diag);
  prof_filter_fini(&filter);
  free(adding.known);
  if (adding.failed)
    return prof_diag_memory(diag);
  return status == PROF_EMPTY ? PROF_OK : status;
}

prof_status prof_track_tally_add(struct prof_track_tally *tally, const prof_trace *trace, struct prof_diag *diag) {
  size_t count;
  const struct prof_reading_series *series = prof_trace_reading_series(trace, &count);
  prof_status status = add_points(tally, trace, diag);
  for (size_t i = 0; i < count && status == PROF_OK; i++)
    if (!add_series(tally, trace, &series[i]))
      status = prof_diag_memory(diag);
  return status;
}
