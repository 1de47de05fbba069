/*
 * tools/fold/walk_stream.c - see walk_stream.h.
 *
 * For each step, frames that have become long enough are given out first; then the step changes the stack.  A step can
 * give many events, so the stream holds all that remains to be done.
 */
#include "fold/walk_stream.h"

#include <stdlib.h>
#include <string.h>

#include "fold/piece.h"
#include "names/loop_frames.h"

#define PROF_WALK_NO_TEXT (UINT64_MAX - 1u) /* this and the next one say why there is no text (wire/point.h) */
#define DEEPEST 65536u                      /* docs/trace-format.md, "Depth" */

static const struct prof_chunk_ref *ref_at(const struct prof_walk_stream *stream, uint32_t position) {
  const struct prof_thread_info *threads = prof_trace_threads(stream->trace, NULL);
  const uint32_t *chunks = prof_trace_thread_chunks(stream->trace) + threads[stream->thread].first_chunk;
  return &prof_trace_chunks(stream->trace, NULL)[chunks[position]];
}

static size_t chunk_at(const struct prof_walk_stream *stream, uint32_t position) {
  return (size_t)(ref_at(stream, position) - prof_trace_chunks(stream->trace, NULL));
}

void prof_walk_stream_begin(struct prof_walk_stream *stream, const prof_trace *trace, const struct prof_filter *filter,
                            uint32_t thread, uint64_t *first_time) {
  memset(stream, 0, sizeof *stream);
  stream->trace = trace;
  stream->filter = filter;
  stream->thread = thread;
  stream->count = prof_trace_threads(trace, NULL)[thread].chunk_count;
  stream->fresh = true;
  stream->within = filter->begin_ticks == 0;
  while (stream->position < stream->count && ref_at(stream, stream->position)->last_time < filter->begin_ticks)
    stream->position++;
  *first_time = UINT64_MAX;
  if (stream->position == stream->count)
    return;
  const struct prof_chunk_ref *ref = ref_at(stream, stream->position);
  bool goes_on = stream->position > 0 && !(ref->flags & PROF_CHUNK_RUN_BEGIN);
  if (ref->first_time < filter->end_ticks || goes_on)
    *first_time = filter->begin_ticks;
  if (goes_on && ref->first_time > filter->begin_ticks)
    stream->position--; /* whether it can be read decides where open frames begin */
  else if (ref->first_time > filter->begin_ticks)
    *first_time = ref->first_time < filter->end_ticks ? ref->first_time : UINT64_MAX;
  stream->after_hole = !goes_on && ref->sequence > 0;
  stream->callers_from = stream->position;
  if (filter->by_caller && *first_time != UINT64_MAX) {
    stream->callers = prof_caller_ends_thread(trace, filter, thread, stream->position);
    stream->failed = !stream->callers;
  }
}

void prof_walk_stream_end(struct prof_walk_stream *stream) {
  prof_chunk_free(&stream->chunk);
  prof_vec_fini(&stream->stack);
  prof_vec_fini(&stream->staying);
  prof_vec_fini(&stream->held);
  prof_caller_scan_fini(&stream->caller_scan);
  free(stream->callers);
  memset(stream, 0, sizeof *stream);
}

static uint64_t ns_of(const struct prof_walk_stream *stream, uint64_t time) {
  uint64_t start = prof_trace_info(stream->trace)->start_ticks;
  return time > start ? prof_trace_ns(stream->trace, time - start) : 0;
}

/* Where the innermost frame stands in the eyes of the filter. */
static struct prof_filter_state state_of(const struct prof_walk_stream *stream) {
  const size_t count = stream->stack.count;
  return count ? stream->stack.items[count - 1].state : (struct prof_filter_state){0};
}

/* The same of a frame that is entered in one of state `outer`. */
static struct prof_filter_state state_within(const struct prof_walk_stream *stream, struct prof_filter_state outer,
                                             const struct prof_walk_frame *frame) {
  size_t function_count;
  prof_trace_functions(stream->trace, &function_count);
  const struct prof_site_frame of = prof_frame_of_site(stream->trace, frame->site, stream->filter->loops);
  return prof_filter_frame(stream->filter, outer, of.number != PROF_NONE ? of.number : (uint32_t)function_count,
                           of.is_loop, of.is_quiet, frame->leads);
}

/* Whatever its function, site, times and `leads` are, it becomes the innermost frame. */
static void push(struct prof_walk_stream *stream, struct prof_walk_frame frame) {
  const struct prof_site_frame of = prof_frame_of_site(stream->trace, frame.site, stream->filter->loops);
  frame.function = of.number;
  frame.state = state_within(stream, state_of(stream), &frame);
  frame.caller = of.is_loop ? 0 : frame.caller;
  stream->left = (struct prof_walk_left){0};
  if (!prof_vec_push(&stream->stack, frame))
    stream->failed = true;
}

/* leads: see prof_filter_frame. */
static void enter(struct prof_walk_stream *stream, uint32_t edge, uint64_t time, uint64_t net, bool cut, bool leads) {
  if (stream->stack.count == DEEPEST) {
    stream->beyond++;
    return;
  }
  push(stream, (struct prof_walk_frame){.leads = leads,
                                        .cut = cut,
                                        .site = stream->chunk.edges[edge].site,
                                        .caller = stream->chunk.edges[edge].caller,
                                        .entry_time = time,
                                        .entry_net = net,
                                        .begin_net = net});
}

/* Up to which time frames were entered that are no calls of the stretch at hand. */
static uint64_t open_time(const struct prof_walk_stream *stream) {
  for (uint32_t i = stream->position + 1; i-- > 0;)
    if (ref_at(stream, i)->flags & PROF_CHUNK_RESUMED)
      return ref_at(stream, i)->first_time;
  return prof_fold_fork_time(stream->trace, stream->thread);
}

/* The open frames as the chunk lists them; after a hole they begin here. */
static void take_list(struct prof_walk_stream *stream) {
  const struct prof_chunk *chunk = &stream->chunk;
  uint64_t base_net = chunk->base_time - chunk->stalled_before, fork_time = open_time(stream);
  const struct prof_caller_ends *ends =
      stream->callers ? &stream->callers[stream->position - stream->callers_from] : NULL;
  for (uint32_t i = 0; i < chunk->frame_count; i++) {
    const struct prof_frame *frame = &chunk->frames[i];
    uint64_t net = frame->entry - frame->stalled;
    bool clip = stream->after_hole || net > base_net;
    enter(stream, frame->edge, clip ? chunk->base_time : frame->entry, clip ? base_net : net,
          clip || frame->entry <= fork_time, !ends || i < ends->begin);
  }
  stream->beyond = chunk->frames_omitted;
  stream->fresh = false;
  stream->time = chunk->base_time;
  stream->net = base_net;
}

/* All that is open is left, with its real end unknown, before anything else happens. */
static void leave_all(struct prof_walk_stream *stream) {
  stream->waits = false;
  stream->leaves = stream->stack.count + stream->beyond;
  stream->leaves_cut = true;
}

/* Keeps lost events or a wait until its place in the order has come. */
static void hold(struct prof_walk_stream *stream, struct prof_walk_held held) {
  struct prof_walk_held *last = stream->held.count ? &stream->held.items[stream->held.count - 1] : NULL;
  if (held.lost && last && last->lost && stream->held_told < stream->held.count)
    last->lost += held.lost;
  else if (!prof_vec_push(&stream->held, held))
    stream->failed = true;
}

/* The wait for the recorder is over; what lies before the range isn't shown. */
static void end_wait(struct prof_walk_stream *stream, uint64_t begin) {
  uint64_t from = begin > stream->filter->begin_ticks ? begin : stream->filter->begin_ticks;
  if (stream->time > from && !stream->reads)
    hold(stream, (struct prof_walk_held){.time = from, .ticks = stream->time - from});
  stream->waits = false;
}

/* The next chunk.  One that can't be read is a hole. */
static void load(struct prof_walk_stream *stream) {
  size_t chunk = chunk_at(stream, stream->position);
  if (prof_chunk_load(stream->trace, chunk, NULL, &stream->chunk) != PROF_OK) {
    stream->position++;
    stream->fresh = stream->after_hole = true;
    leave_all(stream);
    return;
  }
  stream->loaded = true;
  prof_cursor_begin(&stream->cursor, &stream->chunk);
  prof_wait_clock_begin(&stream->clock, &stream->chunk);
  if (stream->callers && !prof_caller_scan_chunk(&stream->caller_scan, stream->trace, stream->filter, &stream->chunk,
                                                 stream->callers[stream->position - stream->callers_from].end))
    stream->failed = true;
  bool listed_anew = stream->after_hole || (ref_at(stream, stream->position)->flags & PROF_CHUNK_RESUMED);
  if (stream->fresh && listed_anew && stream->chunk.base_time >= stream->filter->end_ticks) {
    stream->position = stream->count; /* what is listed begins behind the range */
    stream->loaded = false;
  } else if (stream->fresh) {
    take_list(stream);
  }
}

static void finish_chunk(struct prof_walk_stream *stream) {
  bool whole = stream->cursor.index >= stream->chunk.event_count;
  stream->loaded = false;
  stream->position++;
  uint32_t next =
      stream->position < stream->count && whole ? ref_at(stream, stream->position)->flags : PROF_CHUNK_RUN_BEGIN;
  stream->fresh = next & PROF_CHUNK_RESUMED; /* nothing is open before it, but for what it lists */
  if (!(next & PROF_CHUNK_RUN_BEGIN))
    return;
  stream->fresh = stream->after_hole = true;
  leave_all(stream);
}

/* What is open when the range begins counts from there. */
static void begin_range(struct prof_walk_stream *stream) {
  const uint64_t begin = stream->filter->begin_ticks;
  const uint64_t net = prof_wait_clock_net_before(&stream->clock, &stream->step, begin);
  for (size_t i = 0; i < stream->stack.count; i++) {
    struct prof_walk_frame *frame = &stream->stack.items[i];
    if (frame->entry_time >= begin)
      continue;
    frame->entry_time = begin;
    frame->entry_net = frame->begin_net = net;
    frame->cut = true;
  }
  stream->told = 0;
  stream->within = true;
}

/* The next step of the present chunk; false: the chunk or the range is over. */
static bool fetch(struct prof_walk_stream *stream) {
  if (!prof_cursor_next(&stream->cursor, &stream->step)) {
    finish_chunk(stream);
    return false;
  }
  if (!stream->within && stream->step.time >= stream->filter->begin_ticks)
    begin_range(stream);
  bool over = stream->step.time >= stream->filter->end_ticks;
  stream->time = over ? stream->filter->end_ticks : stream->step.time;
  stream->net = over ? prof_wait_clock_net_before(&stream->clock, &stream->step, stream->time)
                     : prof_wait_clock_net(&stream->clock, stream->time);
  if (over) {
    if (stream->waits)
      end_wait(stream, stream->wait_begin);
    stream->position = stream->count;
    stream->loaded = false;
    leave_all(stream);
    return false;
  }
  return true;
}

/* Does the filter show what happens here, outside of calls too? */
static bool shows(const struct prof_walk_stream *stream) {
  const struct prof_filter_state state = state_of(stream);
  return !state.within_without && (state.within_only || !stream->filter->has_only);
}

/* Is the innermost call shown?  Arguments and returned values belong to it. */
static bool shows_call(const struct prof_walk_stream *stream) {
  size_t at = stream->stack.count;
  while (at > 0 && !stream->stack.items[at - 1].state.shown &&
         prof_frame_loop(stream->trace, stream->stack.items[at - 1].function) != PROF_NONE)
    at--;
  return at > 0 && stream->stack.items[at - 1].state.shown;
}

/* A text comes in several values; it is held when the last one has come. */
static void take_text(struct prof_walk_stream *stream, const struct prof_step *step) {
  struct prof_walk_held *text = &stream->text;
  const bool none = step->count >= PROF_WALK_NO_TEXT;
  if (text->site != step->value || none) {
    *text = (struct prof_walk_held){.time = stream->time, .site = step->value};
    stream->text_bytes = 0;
  }
  text->value = none ? step->count : 0;
  for (int i = 0; i < 8 && !none; i++)
    text->text[stream->text_bytes++] = (char)(step->count >> (8 * i));
  if (!none && stream->text_bytes < PROF_WALK_TEXT_BYTES && !memchr(text->text, 0, stream->text_bytes))
    return;
  text->text[PROF_WALK_TEXT_BYTES - 1] = 0;
  hold(stream, *text);
  text->site = 0;
}

/* A value that a point reports, if it is asked for and lies in what is shown. */
static void take_value(struct prof_walk_stream *stream, const struct prof_step *step) {
  const bool wanted = stream->wants_points && stream->within;
  if (!wanted && !stream->waits)
    return;
  const struct prof_site_info site = prof_trace_site(stream->trace, step->value);
  stream->reads |= stream->waits && (site.kind & PROF_SITE_SHOWN_MASK) == PROF_SITE_TEXT;
  if (!wanted)
    return;
  const bool of_call = (site.kind & PROF_SITE_KIND_MASK) == PROF_SITE_VALUE;
  if (site.point == PROF_NONE || !(of_call ? shows_call(stream) : shows(stream)))
    return;
  if ((site.kind & PROF_SITE_SHOWN_MASK) == PROF_SITE_TEXT)
    take_text(stream, step);
  else
    hold(stream, (struct prof_walk_held){.time = stream->time, .site = step->value, .value = step->count});
}

/* The frame around some others is left: they are left before it, and entered again after it. */
static void leave_around(struct prof_walk_stream *stream, const struct prof_step *step) {
  const size_t count = stream->stack.count;
  const uint64_t inside = prof_step_around(step, count, &stream->beyond);
  if (inside == UINT64_MAX)
    return;
  struct prof_walk_frame *left = &stream->stack.items[count - 1 - inside];
  if (prof_frame_of_site(stream->trace, left->site, stream->filter->loops).is_quiet) { /* part of its function */
    memmove(left, left + 1, (size_t)inside * sizeof *left);
    stream->told -= stream->told > count - 1 - inside;
    stream->stack.count--;
    return;
  }
  struct prof_filter_state state = left == stream->stack.items ? (struct prof_filter_state){0} : left[-1].state;
  for (struct prof_walk_frame *frame = left + 1; frame < stream->stack.items + count; frame++) {
    state = state_within(stream, state, frame);
    frame->went_on = state.shown;
  }
  stream->leaves = inside + 1;
  stream->stay = inside;
  stream->beyond_staying = stream->beyond;
  stream->beyond = 0;
}

/* A frame that is about to be left stays open. */
static void keep_staying(struct prof_walk_stream *stream, struct prof_walk_frame frame) {
  frame.went_on &= frame.told;
  frame.cut |= frame.told;
  frame.told = false;
  frame.entry_time = stream->time;
  frame.entry_net = stream->net;
  if (!prof_vec_push(&stream->staying, frame))
    stream->failed = true;
}

static void enter_staying(struct prof_walk_stream *stream) {
  while (stream->staying.count > 0)
    push(stream, stream->staying.items[--stream->staying.count]);
  stream->beyond = stream->beyond_staying;
  stream->beyond_staying = 0;
}

/* What the step does to the stack. */
static void apply(struct prof_walk_stream *stream) {
  const struct prof_step *step = &stream->step;
  const struct prof_effect *effect = &prof_effects[step->op];
  bool waits = stream->waits;
  if (waits || (effect->goes && !stream->clock.waited && stream->cursor.index == 1)) /* else events lie in it */
    end_wait(stream, waits ? stream->wait_begin : stream->clock.since);
  stream->reads &= !effect->goes;
  if (effect->stops || (waits && !effect->goes)) { /* in parts, each in its place */
    stream->wait_begin = stream->time;
    stream->waits = true;
  }
  prof_wait_clock_take(&stream->clock, step);
  stream->leaves = prof_step_frames(step);
  stream->leaves_cut = false;
  if (effect->cuts)
    leave_all(stream);
  else if (effect->around)
    leave_around(stream, step);
  else if (effect->enters)
    enter(stream, step->value, stream->time, stream->net, false,
          !stream->callers || prof_caller_scan_next(&stream->caller_scan));
  else if (step->op == PROF_OP_MEASURE)
    stream->measured = stream->measures;
  else if (effect->tells)
    take_value(stream, step);
  else if (effect->loses && stream->within && step->count)
    hold(stream, (struct prof_walk_held){.time = stream->time, .lost = step->count});
}

/*
 * What is held comes after all frames that were entered before it and will be given out.  A wait outside of shown calls
 * is dropped.
 */
static bool tell_held(struct prof_walk_stream *stream, struct prof_walk_event *event) {
  const struct prof_walk_held *held = &stream->held.items[stream->held_told];
  uint32_t depth = 0;
  for (size_t i = 0; i < stream->stack.count && stream->stack.items[i].entry_time <= held->time; i++) {
    const struct prof_walk_frame *frame = &stream->stack.items[i];
    if (frame->state.shown && !frame->told)
      return false;
    depth = frame->told ? frame->state.depth : depth;
  }
  *event = (struct prof_walk_event){.kind = held->site   ? PROF_WALK_POINT
                                            : held->lost ? PROF_WALK_GAP
                                                         : PROF_WALK_WAIT,
                                    .thread = stream->thread,
                                    .function = PROF_NONE,
                                    .depth = depth,
                                    .time_ns = ns_of(stream, held->time),
                                    .duration_ns = ns_of(stream, held->time + held->ticks) - ns_of(stream, held->time),
                                    .lost = held->lost,
                                    .site = held->site,
                                    .value = held->value};
  if (held->site && (prof_trace_site(stream->trace, held->site).kind & PROF_SITE_SHOWN_MASK) == PROF_SITE_TEXT &&
      !held->value) {
    memcpy(stream->text_told, held->text, sizeof stream->text_told);
    event->text = stream->text_told;
  }
  if (++stream->held_told == stream->held.count)
    stream->held.count = stream->held_told = 0;
  return event->lost || event->site || depth > 0;
}

/* The ENTER of the outermost frame that was not given out and has become long enough. */
static bool tell_entry(struct prof_walk_stream *stream, struct prof_walk_event *event) {
  while (stream->within && stream->told < stream->stack.count) {
    struct prof_walk_frame *frame = &stream->stack.items[stream->told];
    if (frame->state.shown && stream->net - frame->begin_net < stream->filter->min_ticks)
      return false; /* those inside it are shorter still */
    stream->told++;
    if (!frame->state.shown)
      continue;
    frame->told = true;
    *event = (struct prof_walk_event){.kind = PROF_WALK_ENTER,
                                      .thread = stream->thread,
                                      .function = frame->function,
                                      .depth = frame->state.depth - 1,
                                      .time_ns = ns_of(stream, frame->entry_time),
                                      .goes_on = frame->went_on,
                                      .cut = frame->cut};
    return true;
  }
  return false;
}

/* One of the frames to be left; true: it was shown. */
static bool tell_leave(struct prof_walk_stream *stream, struct prof_walk_event *event) {
  stream->leaves = prof_leave_beyond(&stream->beyond, stream->leaves);
  if (stream->leaves == 0)
    return false;
  stream->leaves--;
  if (stream->stack.count == 0) {
    stream->leaves = 0;
    return false;
  }
  const struct prof_walk_frame *frame = &stream->stack.items[--stream->stack.count];
  const bool stays = stream->stay > 0;
  stream->stay -= stays;
  if (stays)
    keep_staying(stream, *frame);
  stream->left = (struct prof_walk_left){frame->function, frame->site, frame->caller, frame->state};
  if (stream->told > stream->stack.count)
    stream->told = stream->stack.count;
  if (!frame->told)
    return false;
  *event = (struct prof_walk_event){.kind = PROF_WALK_LEAVE,
                                    .thread = stream->thread,
                                    .function = frame->function,
                                    .depth = frame->state.depth - 1,
                                    .time_ns = ns_of(stream, stream->time),
                                    .duration_ns = prof_trace_ns(stream->trace, stream->net - frame->begin_net),
                                    .piece_ns = prof_trace_ns(stream->trace, stream->net - frame->entry_net),
                                    .goes_on = stays && frame->went_on,
                                    .cut = stream->leaves_cut || stays};
  return true;
}

static void tell_measure(struct prof_walk_stream *stream, struct prof_walk_event *event) {
  const struct prof_walk_frame *top = stream->stack.count ? &stream->stack.items[stream->stack.count - 1] : NULL;
  *event = (struct prof_walk_event){.kind = PROF_WALK_MEASURE,
                                    .thread = stream->thread,
                                    .function = top ? top->function : PROF_NONE,
                                    .depth = state_of(stream).depth,
                                    .time_ns = ns_of(stream, stream->time),
                                    .within = shows(stream)};
  stream->measured = false;
}

bool prof_walk_stream_next(struct prof_walk_stream *stream, struct prof_walk_event *event) {
  while (!stream->failed) {
    if (stream->measured) {
      tell_measure(stream, event);
      return true;
    }
    const size_t held = stream->held.count - stream->held_told;
    if (held > 0 && tell_held(stream, event))
      return true;
    if (stream->held.count - stream->held_told < held)
      continue; /* one was dropped: the next one may be due */
    if (tell_entry(stream, event))
      return true;
    if (stream->leaves) {
      if (tell_leave(stream, event))
        return true;
    } else if (stream->staying.count > 0 || stream->beyond_staying > 0) {
      enter_staying(stream);
    } else if (stream->has_step) {
      stream->has_step = false;
      apply(stream);
    } else if (stream->loaded) {
      stream->has_step = fetch(stream);
    } else if (stream->position < stream->count) {
      load(stream);
    } else {
      return false;
    }
  }
  return false;
}
