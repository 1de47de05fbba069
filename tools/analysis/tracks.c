/*
 * tools/analysis/tracks.c - see tracks.h.
 *
 * One walk for frames, marks, counters and values; requests and spans are those of requests.h and spans.h, memory is
 * that of measures/memory_times.h, readings are those of tally/reading_values.h.  Of a summary all are those of
 * tally/track_tally.h.
 */
#include "analysis/tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measures/memory_times.h"
#include "analysis/requests.h"
#include "analysis/spans.h"
#include "base/diag.h"
#include "base/order.h"
#include "fold/walk.h"
#include "names/point_value.h"
#include "tally/reading_values.h"

#define MOST_TRACKS 256
#define MOST_ITEMS 32768 /* of a track, while it is made */
#define MOST_MEMORY 2000 /* points of a curve */

/* ---- fewer items ---- */

static uint64_t length_of(const struct prof_track_item *item) {
  return item->end_ns - item->begin_ns;
}

/* Of a group the longest item, or the first one. */
static struct prof_track_item longest_of(const struct prof_track_item *items, size_t count) {
  struct prof_track_item best = items[0];
  uint32_t stands = 0;
  for (size_t i = 0; i < count; i++) {
    if (length_of(&items[i]) > length_of(&best))
      best = items[i];
    stands += items[i].count;
  }
  best.count = stands;
  return best;
}

/* The least and the largest value of a group, in the order of time. */
static size_t extremes_of(const struct prof_track_item *items, size_t count, struct prof_track_item out[2]) {
  size_t least = 0, most = 0;
  uint32_t stands = 0;
  for (size_t i = 0; i < count; i++) {
    least = items[i].value < items[least].value || isnan(items[least].value) ? i : least;
    most = items[i].value > items[most].value || isnan(items[most].value) ? i : most;
    stands += items[i].count;
  }
  const size_t first = least < most ? least : most, second = least < most ? most : least;
  out[0] = items[first];
  out[1] = items[second];
  out[0].count = first == second ? stands : stands / 2;
  out[1].count = stands - out[0].count;
  return first == second ? 1 : 2;
}

static void thin(struct prof_track *track, size_t most) {
  const bool values = track->kind >= PROF_TRACK_COUNTER;
  const size_t groups = values ? (most + 1) / 2 : most, all = track->items.count;
  struct prof_track_item *items = track->items.items;
  size_t kept = 0;
  for (size_t group = 0; group < groups; group++) {
    const size_t begin = all * group / groups, count = all * (group + 1) / groups - begin;
    struct prof_track_item out[2];
    size_t made = 1;
    if (count == 0)
      continue;
    if (values)
      made = extremes_of(items + begin, count, out);
    else
      out[0] = longest_of(items + begin, count);
    for (size_t i = 0; i < made; i++) /* behind what was read: a group has at least as many items as it leaves */
      items[kept++] = out[i];
  }
  track->items.count = kept;
}

/* ---- finding them ---- */

struct finding {
  const prof_trace *trace;
  const struct prof_thread_info *threads;
  struct prof_tracks *tracks;
  bool failed; /* no memory */
};

/* The track of this kind, name and owner; a new one if there is none.  NULL: no memory, or there are too many. */
static struct prof_track *track_of(struct finding *finding, enum prof_track_kind kind, const char *name,
                                   const char *unit, uint32_t process, uint32_t thread) {
  struct prof_tracks *tracks = finding->tracks;
  for (size_t i = 0; i < tracks->list.count; i++) {
    struct prof_track *track = &tracks->list.items[i];
    if (track->kind == kind && track->process == process && track->thread == thread && !strcmp(track->name, name) &&
        !strcmp(track->unit, unit))
      return track;
  }
  if (tracks->list.count >= MOST_TRACKS)
    return NULL;
  const struct prof_track fresh = {.kind = kind, .name = name, .unit = unit, .process = process, .thread = thread};
  if (!prof_vec_push(&tracks->list, fresh)) {
    finding->failed = true;
    return NULL;
  }
  return &tracks->list.items[tracks->list.count - 1];
}

static void add(struct finding *finding, struct prof_track *track, struct prof_track_item item) {
  item.count = 1;
  if (!track)
    return;
  if (track->items.count >= MOST_ITEMS)
    thin(track, MOST_ITEMS / 2);
  track->all++;
  finding->failed |= !prof_vec_push(&track->items, item);
  if (track->kind <= PROF_TRACK_SPANS)
    finding->failed |= !prof_vec_push(&track->durations, length_of(&item));
}

/* A counter's value; what it counts for in the mean: amount / weight. */
static void add_value(struct finding *finding, struct prof_track *track, const struct prof_track_item *item,
                      struct prof_reading_part part) {
  add(finding, track, *item);
  if (!track || !isfinite(item->value))
    return;
  struct prof_track_values *values = &track->values;
  const bool is_first = values->count++ == 0;
  if (is_first || item->begin_ns >= track->last_ns) {
    values->last = item->value;
    track->last_ns = item->begin_ns;
  }
  values->min = is_first || item->value < values->min ? item->value : values->min;
  values->max = is_first || item->value > values->max ? item->value : values->max;
  values->has_mean = part.weight > 0;
  track->amount += part.amount;
  track->weight += part.weight;
}

/* A mark ends one frame and begins the next. */
static void add_frame(struct finding *finding, struct prof_track *track, const struct prof_track_item *mark) {
  struct prof_track_item frame = *mark;
  frame.begin_ns = track->open_ns;
  if (track->is_open)
    add(finding, track, frame);
  track->is_open = true;
  track->open_ns = mark->end_ns;
}

static bool take(void *context, const struct prof_walk_event *event) {
  struct finding *finding = context;
  if (event->kind != PROF_WALK_POINT)
    return true;
  const struct prof_site_info site = prof_trace_site(finding->trace, event->site);
  const struct prof_point *point = prof_point_of(finding->trace, &site);
  if (!point)
    return true;
  const uint32_t process = finding->threads[event->thread].process, thread = event->thread;
  const struct prof_track_item item = {.begin_ns = event->time_ns,
                                       .end_ns = event->time_ns,
                                       .name = point->name,
                                       .value = prof_point_number(&site, event->value),
                                       .thread = thread};
  struct prof_track *track;
  switch (point->kind) {
  case PROF_POINT_IS_FRAME:
    track = track_of(finding, PROF_TRACK_FRAMES, point->name, "", process, thread);
    if (track)
      add_frame(finding, track, &item);
    break;
  case PROF_POINT_IS_MARK:
    add(finding, track_of(finding, PROF_TRACK_MARKS, "", "", process, PROF_NONE), item);
    break;
  case PROF_POINT_IS_COUNTER:
    add_value(finding, track_of(finding, PROF_TRACK_COUNTER, point->name, point->unit, process, PROF_NONE), &item,
              (struct prof_reading_part){item.value, 1});
    break;
  case PROF_POINT_IS_VALUE:
    add(finding, track_of(finding, PROF_TRACK_VALUE, point->name, point->unit, process, thread), item);
    break;
  default:
    break;
  }
  return !finding->failed;
}

/* Is there a point of one of these kinds? */
static bool has_points(const prof_trace *trace, uint32_t kinds) {
  size_t count;
  const struct prof_point *points = prof_trace_points(trace, &count);
  for (size_t i = 0; i < count; i++)
    if (points[i].kind < 32 && kinds & 1u << points[i].kind)
      return true;
  return false;
}

static prof_status find_requests(struct finding *finding, const struct prof_filter *filter, struct prof_diag *diag) {
  struct prof_requests requests;
  if (!has_points(finding->trace, 1u << PROF_POINT_IS_REQUEST))
    return PROF_OK;
  prof_status status = prof_requests_find(finding->trace, filter, diag, &requests);
  for (size_t i = 0; status == PROF_OK && i < requests.count; i++) {
    const struct prof_request *request = &requests.items[i];
    add(finding, track_of(finding, PROF_TRACK_REQUESTS, "", "", PROF_NONE, PROF_NONE),
        (struct prof_track_item){.begin_ns = request->begin_ns,
                                 .end_ns = request->begin_ns + request->duration_ns,
                                 .id = request->id,
                                 .name = "",
                                 .thread = PROF_NONE});
  }
  if (status == PROF_OK)
    prof_requests_free(&requests);
  return status == PROF_EMPTY ? PROF_OK : status;
}

static prof_status find_spans(struct finding *finding, const struct prof_filter *filter, struct prof_diag *diag) {
  struct prof_span_list spans = {.list = {NULL, 0, 0}};
  if (!has_points(finding->trace, 1u << PROF_POINT_IS_SPAN_BEGIN))
    return PROF_OK;
  prof_status status = prof_spans_list(finding->trace, filter, diag, &spans);
  for (size_t i = 0; status == PROF_OK && i < spans.list.count; i++) {
    const struct prof_ended_span *span = &spans.list.items[i];
    add(finding, track_of(finding, PROF_TRACK_SPANS, span->name, "", span->process, PROF_NONE),
        (struct prof_track_item){.begin_ns = span->begin_ns,
                                 .end_ns = span->end_ns,
                                 .id = span->id,
                                 .name = span->name,
                                 .thread = span->thread});
  }
  prof_vec_fini(&spans.list);
  return status == PROF_EMPTY ? PROF_OK : status;
}

static prof_status find_memory(struct finding *finding, const struct prof_filter *filter, struct prof_diag *diag) {
  struct prof_memory_curves curves;
  prof_status status = prof_memory_curves_find(finding->trace, filter, MOST_MEMORY, diag, &curves);
  for (size_t i = 0; status == PROF_OK && i < curves.points.count; i++) {
    const struct prof_memory_point *point = &curves.points.items[i];
    const struct prof_track_item item = {.begin_ns = point->time_ns,
                                         .end_ns = point->time_ns,
                                         .name = "",
                                         .value = (double)point->bytes,
                                         .thread = PROF_NONE};
    add_value(finding,
              track_of(finding, PROF_TRACK_COUNTER, prof_memory_curve_names[point->mapped], "bytes", point->process,
                       PROF_NONE),
              &item, (struct prof_reading_part){0});
  }
  prof_memory_curves_fini(&curves);
  return status;
}

/* Each reading is a value from then on. */
static void find_readings(struct finding *finding, const struct prof_filter *filter) {
  size_t count;
  const struct prof_reading_series *all = prof_trace_reading_series(finding->trace, &count);
  const uint64_t start = prof_trace_info(finding->trace)->start_ticks;
  for (size_t i = 0; i < count; i++)
    for (size_t at = 0; at < all[i].count; at++) {
      const uint64_t time = all[i].readings[at].time;
      struct prof_track_item item = {.name = "", .thread = PROF_NONE};
      if (time < start || (filter->active && (time < filter->begin_ticks || time >= filter->end_ticks)) ||
          !prof_reading_value(finding->trace, &all[i], at, &item.value))
        continue;
      item.begin_ns = item.end_ns = prof_trace_ns(finding->trace, time - start);
      add_value(finding, track_of(finding, PROF_TRACK_COUNTER, all[i].name, all[i].unit, all[i].process, PROF_NONE),
                &item, prof_reading_part(finding->trace, &all[i], at));
    }
}

/* ---- of a summary ---- */

/* 1: all threads of the process are shown, 0: none, -1: some. */
static int shows_process(const struct finding *finding, const struct prof_filter *filter, uint32_t process) {
  size_t count, all = 0, shown = 0;
  prof_trace_threads(finding->trace, &count);
  for (size_t i = 0; i < count; i++)
    if (finding->threads[i].process == process) {
      all++;
      shown += !filter->threads || filter->threads[i];
    }
  return shown == all ? 1 : shown == 0 ? 0 : -1;
}

/* What a program reports is kept by process, and of all calls. */
static bool is_hidden(struct finding *finding, const struct prof_filter *filter, const struct prof_track_sum *kept,
                      uint32_t process) {
  if (!filter->active || kept->what != 0)
    return false;
  const int shows = shows_process(finding, filter, process);
  const bool chooses = filter->has_only || filter->hides || filter->depth || filter->by_caller;
  finding->tracks->hides |= shows < 0 || (shows && chooses);
  return shows <= 0 || chooses;
}

static void add_moment(struct finding *finding, struct prof_track *track, struct prof_track_moment moment,
                       uint64_t count) {
  const struct prof_track_item item = {.begin_ns = moment.time_ns,
                                       .end_ns = moment.time_ns,
                                       .name = "",
                                       .value = moment.value,
                                       .thread = PROF_NONE,
                                       .count = (uint32_t)(count < UINT32_MAX ? count : UINT32_MAX)};
  finding->failed |= !prof_vec_push(&track->items, item);
}

/* The least, greatest and last value, each once; the last one stands for all others. */
static void add_moments(struct finding *finding, struct prof_track *track, const struct prof_track_part *part) {
  const struct prof_track_moment *least = &part->least, *most = &part->most, *last = &part->last;
  const bool is_least = least->time_ns == last->time_ns && least->value == last->value;
  const bool is_most = most->time_ns == last->time_ns && most->value == last->value;
  const bool is_one = least->time_ns == most->time_ns && least->value == most->value;
  const bool shows_least = !is_least, shows_most = !is_most && !is_one;
  if (shows_least)
    add_moment(finding, track, *least, 1);
  if (shows_most)
    add_moment(finding, track, *most, 1);
  add_moment(finding, track, *last, part->count - shows_least - shows_most);
}

static void add_kept(struct finding *finding, struct prof_track *track, const struct prof_track_sum *kept) {
  struct prof_track_values *values = &track->values;
  values->count = kept->count;
  values->has_mean = kept->weight > 0;
  track->amount = kept->amount;
  track->weight = kept->weight;
  track->all = kept->count + kept->others;
  if (kept->count == 0)
    add_moment(finding, track, (struct prof_track_moment){0, NAN}, kept->others);
  for (size_t i = 0; i < kept->parts.count; i++) {
    const struct prof_track_part *part = &kept->parts.items[i];
    values->min = i == 0 || part->least.value < values->min ? part->least.value : values->min;
    values->max = i == 0 || part->most.value > values->max ? part->most.value : values->max;
    values->last = part->last.value;
    add_moments(finding, track, part);
  }
}

static prof_status find_kept(struct finding *finding, const struct prof_filter *filter, struct prof_diag *diag) {
  struct prof_track_tally *tally = &finding->tracks->kept;
  prof_status status = prof_track_tally_of(finding->trace, diag, tally);
  for (size_t i = 0; i < tally->tracks.count && status == PROF_OK && !finding->failed; i++) {
    const struct prof_track_sum *kept = &tally->tracks.items[i];
    const uint32_t process = prof_track_process(finding->trace, kept);
    if (kept->count + kept->others == 0 || is_hidden(finding, filter, kept, process))
      continue;
    struct prof_track *track = track_of(finding, PROF_TRACK_COUNTER, kept->name, kept->unit, process, PROF_NONE);
    if (track && track->all == 0)
      add_kept(finding, track, kept);
  }
  return status == PROF_EMPTY ? PROF_OK : status;
}

static int by_begin(const void *left, const void *right) {
  const struct prof_track_item *a = left, *b = right;
  return prof_order(a->begin_ns, b->begin_ns) ?: prof_order(b->end_ns, a->end_ns) ?: prof_order(a->id, b->id);
}

static int by_kind(const void *left, const void *right) {
  const struct prof_track *a = left, *b = right;
  return prof_order(a->kind, b->kind) ?: prof_order(b->all, a->all) ?: strcmp(a->name, b->name)
      ?: prof_order(a->process, b->process) ?: prof_order(a->thread, b->thread);
}

/* Of one short step the rate is that of a wider one. */
static void find_mean(struct prof_track *track) {
  struct prof_track_values *values = &track->values;
  if (!values->has_mean)
    return;
  const double mean = track->amount / track->weight;
  values->mean = mean < values->min ? values->min : mean > values->max ? values->max : mean;
}

/* Sorts items and tracks; tracks without items, as of a lone frame mark, go. */
static void finish(struct prof_tracks *tracks) {
  size_t kept = 0;
  for (size_t i = 0; i < tracks->list.count; i++) {
    struct prof_track *track = &tracks->list.items[i];
    if (track->items.count == 0)
      continue;
    qsort(track->items.items, track->items.count, sizeof *track->items.items, by_begin);
    track->figures = prof_durations_sum(&track->durations);
    prof_vec_fini(&track->durations);
    find_mean(track);
    tracks->list.items[kept++] = *track;
  }
  tracks->list.count = kept;
  if (kept)
    qsort(tracks->list.items, kept, sizeof *tracks->list.items, by_kind);
}

prof_status prof_tracks_find(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag,
                             struct prof_tracks *tracks) {
  struct finding finding = {.trace = trace, .threads = prof_trace_threads(trace, NULL), .tracks = tracks};
  prof_status status = PROF_OK;
  *tracks = (struct prof_tracks){.list = {NULL, 0, 0}};
  if (prof_trace_summary(trace, NULL)) {
    status = find_kept(&finding, filter, diag);
    if (status == PROF_OK && finding.failed)
      status = prof_diag_memory(diag);
    finish(tracks);
    return status;
  }
  if (has_points(trace, 1u << PROF_POINT_IS_FRAME | 1u << PROF_POINT_IS_MARK | 1u << PROF_POINT_IS_COUNTER |
                            1u << PROF_POINT_IS_VALUE))
    status = prof_walk_points(trace, filter, PROF_WALK_BY_THREAD, take, &finding, diag);
  if (status == PROF_EMPTY)
    status = PROF_OK;
  if (status == PROF_OK)
    status = find_requests(&finding, filter, diag);
  if (status == PROF_OK)
    status = find_spans(&finding, filter, diag);
  if (status == PROF_OK)
    status = find_memory(&finding, filter, diag);
  if (status == PROF_OK)
    find_readings(&finding, filter);
  if (status == PROF_OK && finding.failed)
    status = prof_diag_memory(diag);
  finish(tracks);
  return status;
}

void prof_tracks_thin(struct prof_tracks *tracks, uint64_t most) {
  const size_t count = tracks->list.count;
  uint64_t least = 2, limit = UINT64_MAX, sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += tracks->list.items[i].items.count;
  if (sum <= most)
    return;
  for (limit = most; limit > least; limit -= limit / 8 + 1) {
    sum = 0;
    for (size_t i = 0; i < count; i++)
      sum += tracks->list.items[i].items.count < limit ? tracks->list.items[i].items.count : limit;
    if (sum <= most)
      break;
  }
  for (size_t i = 0; i < count; i++)
    if (tracks->list.items[i].items.count > limit)
      thin(&tracks->list.items[i], limit > least ? (size_t)limit : (size_t)least);
}

void prof_tracks_fini(struct prof_tracks *tracks) {
  for (size_t i = 0; i < tracks->list.count; i++) {
    prof_vec_fini(&tracks->list.items[i].items);
    prof_vec_fini(&tracks->list.items[i].durations);
  }
  prof_vec_fini(&tracks->list);
  prof_track_tally_fini(&tracks->kept);
}
