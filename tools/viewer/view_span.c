/*
 * tools/viewer/view_span.c - see view_span.h.
 *
 * The decoded part is wider than what was asked for, by one step of the index on each side: so a call that lies in the
 * span and is cut at an end of that part is longer than a step, and stands in the index by itself.
 */
#include "viewer/view_span.h"

#include "base/diag.h"
#include "fold/walk.h"
#include "viewer/walk_calls.h"

#define MOST_DECODED 1000000u /* events; about 60 ms */
#define MOST_RECORDS 600000u  /* of an answer; 3 to 8 bytes each */

struct decoding {
  const struct prof_view_span_source *source;
  const struct prof_view_span *span;
  struct prof_lanes *lanes;
  uint32_t thread; /* the present one; PROF_NONE: none yet */
  struct prof_walk_calls calls;
};

/* `whole` is the same call, as far as the index knows it: that of a sketch may lack its end. */
static void extend(struct prof_lane_call *call, const struct prof_lane_call *whole) {
  uint64_t begin = call->begin, end = begin + call->length, whole_end = whole->begin + whole->length;
  call->begin = begin < whole->begin ? begin : whole->begin;
  call->length = (end > whole_end ? end : whole_end) - call->begin;
  call->flags = whole->flags;
}

static bool visit(void *context, const struct prof_walk_event *event) {
  struct decoding *decoding = context;
  struct prof_lane_call call;
  if (event->thread != decoding->thread)
    prof_walk_calls_begin(&decoding->calls);
  decoding->thread = event->thread;
  if (!prof_walk_calls_take(&decoding->calls, event, &call))
    return true;
  const struct prof_lane_call *whole = NULL;
  if (call.flags)
    whole = prof_span_index_call(decoding->source->index, event->thread, event->depth, call.begin);
  if (whole && whole->frame == call.frame)
    extend(&call, whole);
  if (call.begin >= decoding->span->end || call.begin + call.length < decoding->span->begin)
    return true;
  uint32_t lane = prof_walk_calls_lane(&decoding->calls, event, decoding->lanes);
  if (lane != PROF_NONE)
    prof_lanes_add(decoding->lanes, lane, &call);
  return !decoding->lanes->failed;
}

/* The recording's filter, within the part that is decoded. */
static struct prof_filter filter_of(const struct prof_view_span_source *source, const struct prof_view_span *span) {
  const prof_trace *trace = source->recording->trace;
  const struct prof_filter *filter = &source->recording->filter;
  uint64_t margin = 1ull << source->index->lanes.shift, least = prof_trace_ns(trace, filter->min_ticks) + 1;
  margin = (margin > least ? margin : least) + 2 * prof_trace_ns(trace, 1);
  return prof_filter_within(filter, trace, span->begin > margin ? span->begin - margin : 0,
                            span->end < UINT64_MAX - margin ? span->end + margin : UINT64_MAX);
}

/* Events between two times, if they are spread evenly within chunks. */
static double events_between(const prof_trace *trace, const struct prof_filter *filter) {
  size_t count;
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, &count);
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const struct prof_chunk_ref *chunk = &chunks[i];
    if (chunk->last_time < filter->begin_ticks || chunk->first_time >= filter->end_ticks ||
        (filter->threads && !filter->threads[chunk->thread]))
      continue;
    uint64_t begin = chunk->first_time > filter->begin_ticks ? chunk->first_time : filter->begin_ticks,
             end = chunk->last_time < filter->end_ticks ? chunk->last_time : filter->end_ticks;
    sum += (double)chunk->events * ((double)(end - begin) + 1) / ((double)(chunk->last_time - chunk->first_time) + 1);
  }
  return sum;
}

/* The step is at most a column of the picture, which has at least one. */
static uint32_t shift_of(const struct prof_view_span *span) {
  uint64_t column = (span->end - span->begin) / span->columns;
  uint32_t shift = 0;
  while (shift < 62 && column >> (shift + 1))
    shift++;
  return shift;
}

static void begin(struct prof_lanes *lanes, uint32_t shift) {
  prof_lanes_init(lanes, PROF_LANES_NO_LIMIT);
  lanes->shift = shift;
}

static prof_status decode(const struct prof_view_span_source *source, const struct prof_view_span *span,
                          const struct prof_filter *filter, struct prof_diag *diag, struct prof_lanes *out) {
  struct decoding decoding = {.source = source, .span = span, .lanes = out, .thread = PROF_NONE};
  prof_walk_calls_init(&decoding.calls, source->recording->trace);
  prof_status status = prof_walk(source->recording->trace, filter, PROF_WALK_BY_THREAD, visit, &decoding, diag);
  return status == PROF_EMPTY ? PROF_OK : status; /* nothing happened there */
}

static void cut(const struct prof_lanes *from, const struct prof_view_span *span, struct prof_lanes *out) {
  const struct prof_lane_span within = {span->begin, span->end};
  for (size_t i = 0; i < from->items.count && !out->failed; i++)
    prof_lanes_cut(out, &from->items.items[i], from->shift, &within);
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

void prof_view_span_cut(const struct prof_lanes *index, const struct prof_lanes *extra,
                        const struct prof_view_span *span, uint64_t most_records, struct prof_lanes *out) {
  uint32_t wanted = span->columns ? shift_of(span) : 0;
  begin(out, larger(wanted, larger(index->shift, extra->shift)));
  cut(index, span, out);
  cut(extra, span, out);
  out->most = most_records;
  prof_lanes_finish(out);
}

prof_status prof_view_span_lanes(const struct prof_view_span_source *source, const struct prof_view_span *span,
                                 struct prof_diag *diag, struct prof_lanes *out) {
  struct prof_filter filter = filter_of(source, span);
  uint32_t wanted = shift_of(span);
  if (wanted >= source->index->lanes.shift || events_between(source->recording->trace, &filter) > MOST_DECODED) {
    prof_view_span_cut(&source->index->lanes, source->extra, span, MOST_RECORDS, out);
    return out->failed ? prof_diag_memory(diag) : PROF_OK;
  }
  begin(out, larger(wanted, source->extra->shift));
  prof_status status = decode(source, span, &filter, diag, out);
  cut(source->extra, span, out);
  out->most = MOST_RECORDS;
  prof_lanes_finish(out);
  return status == PROF_OK && out->failed ? prof_diag_memory(diag) : status;
}

void prof_view_span_number(struct prof_lanes *lanes, struct prof_view_frames *frames) {
  for (size_t i = 0; i < lanes->items.count; i++) {
    struct prof_lane *lane = &lanes->items.items[i];
    for (size_t j = 0; j < lane->calls.count && lane->kind == PROF_LANE_CALLS; j++)
      lane->calls.items[j].frame = prof_view_frame(frames, lane->calls.items[j].frame);
    for (size_t j = 0; j < lane->cells.count && lane->kind == PROF_LANE_CALLS; j++)
      lane->cells.items[j].frame = prof_view_frame(frames, lane->cells.items[j].frame);
  }
}
