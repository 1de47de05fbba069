/*
 * tools/viewer/span_scan.c - see span_scan.h.
 *
 * A chunk that follows the one before it goes on with the same stack; else the stack is what the chunk lists.
 */
#include "viewer/span_scan.h"

#include <string.h>

#include "fold/piece.h"
#include "fold/steps.h"
#include "names/loop_frames.h"
#include "trace/read/cursor_inline.h"
#include "viewer/walk_calls.h"

#define BLOCK 256u     /* events whose times are expanded at once */
#define DEEPEST 65536u /* docs/trace-format.md, "Depth" */

struct edge {      /* of a chunk */
  uint32_t number; /* of its frame */
  bool shown;
};

struct frame {
  uint64_t begin_ns, net; /* net: ticks without waits for the recorder */
  uint32_t number;
  uint32_t depth; /* among those that are shown: so many are outside of it */
  bool shown, cut;
};

struct prof_span_scan {
  const prof_trace *trace;
  bool loops;
  uint32_t unknown; /* number of the unknown function */
  uint64_t start;   /* ticks */
  struct prof_slowest *slowest;
  struct prof_lane_span within; /* end 0: everything is wanted */
  uint64_t *least;              /* by frame: ticks; calls that took no more are not among the longest */
  struct prof_chunk chunk;
  PROF_VEC(struct edge) edges;
  struct frame *stack;
  uint32_t count;             /* of the stack */
  uint64_t beyond;            /* open frames that are too deep to be held */
  uint64_t last_ns, last_net; /* of the event before */
  struct prof_wait_clock clock;
  struct prof_side side;
  uint64_t added; /* ticks of TIME steps, which expanded times lack */
  /* of the part */
  const struct prof_span_part *part;
  struct prof_lanes *lanes;
  uint32_t of_depth[PROF_SPAN_DEPTH]; /* lanes; PROF_NONE: none yet */
  uint64_t deep_calls;
};

struct prof_span_scan *prof_span_scan_new(const prof_trace *trace, bool loops, struct prof_slowest *slowest) {
  struct prof_span_scan *scan = calloc(1, sizeof *scan);
  size_t functions;
  if (!scan)
    return NULL;
  prof_trace_functions(trace, &functions);
  scan->trace = trace;
  scan->loops = loops;
  scan->unknown = (uint32_t)functions;
  scan->start = prof_trace_info(trace)->start_ticks;
  scan->slowest = slowest;
  scan->least = calloc(slowest->frames + 1, sizeof *scan->least);
  scan->stack = malloc(DEEPEST * sizeof *scan->stack);
  if (scan->least && scan->stack)
    return scan;
  prof_span_scan_free(scan);
  return NULL;
}

void prof_span_scan_within(struct prof_span_scan *scan, const struct prof_lane_span *within) {
  scan->within = *within;
}

void prof_span_scan_free(struct prof_span_scan *scan) {
  if (!scan)
    return;
  prof_chunk_free(&scan->chunk);
  prof_vec_fini(&scan->edges);
  free(scan->least);
  free(scan->stack);
  free(scan);
}

static uint64_t ns_of(const struct prof_span_scan *scan, uint64_t time) {
  return time > scan->start ? prof_trace_ns(scan->trace, time - scan->start) : 0;
}

/* ---- frames that are left ---- */

static void add_slow(struct prof_span_scan *scan, const struct frame *frame, uint64_t ticks) {
  if (frame->number >= scan->slowest->frames)
    return;
  if (ticks <= scan->least[frame->number] && scan->slowest->counts[frame->number] == PROF_SLOWEST_EACH)
    return;
  const struct prof_slow_call call = {frame->begin_ns, prof_trace_ns(scan->trace, ticks), scan->part->thread,
                                      frame->depth};
  prof_slowest_add(scan->slowest, frame->number, &call);
  if (scan->slowest->counts[frame->number] < PROF_SLOWEST_EACH)
    return;
  uint64_t least =
      prof_trace_ticks(scan->trace, scan->slowest->calls[frame->number][PROF_SLOWEST_EACH - 1].duration_ns);
  scan->least[frame->number] = least > 2 ? least - 2 : 0; /* conversions round */
}

static __attribute__((noinline)) void add_call(struct prof_span_scan *scan, const struct frame *frame, uint64_t length,
                                               bool cut) {
  uint32_t *lane = &scan->of_depth[frame->depth];
  if (*lane == PROF_NONE)
    *lane = prof_lanes_add_lane(scan->lanes, PROF_LANE_CALLS, scan->part->thread, frame->depth);
  const struct prof_lane_call call = {.begin = frame->begin_ns,
                                      .length = length,
                                      .frame = frame->number,
                                      .flags = (frame->cut ? PROF_LANE_CUT_BEGIN : 0) | (cut ? PROF_LANE_CUT_END : 0)};
  if (*lane != PROF_NONE)
    prof_lanes_add(scan->lanes, *lane, &call);
}

/* Adds a short call to the cell that the lane ends with; false: that is of another step, or the call is not short. */
static inline bool add_to_cell(struct prof_span_scan *scan, const struct frame *frame, uint64_t length) {
  uint32_t shift = scan->lanes->shift, index = scan->of_depth[frame->depth];
  if (index == PROF_NONE || length >> shift != 0 || shift == 0)
    return false;
  struct prof_lane *lane = &scan->lanes->items.items[index];
  struct prof_lane_cell *cell = lane->cells.count ? &lane->cells.items[lane->cells.count - 1] : NULL;
  if (!cell || cell->bucket != frame->begin_ns >> shift || cell->calls == UINT32_MAX)
    return false;
  cell->cover += length;
  cell->calls++;
  prof_lane_cell_vote(cell, frame->number, length);
  return true;
}

/* Of a call that is cut, the part inside; waits for the recorder count in it. */
static __attribute__((noinline)) void leave_within(struct prof_span_scan *scan, const struct frame *frame, uint64_t ns,
                                                   uint64_t net) {
  const struct prof_lane_span *within = &scan->within;
  if (ns < within->begin || frame->begin_ns >= within->end)
    return;
  if (frame->begin_ns >= within->begin && ns <= within->end) {
    add_slow(scan, frame, net - frame->net);
    return;
  }
  struct frame part = *frame;
  part.begin_ns = frame->begin_ns > within->begin ? frame->begin_ns : within->begin;
  uint64_t end = ns < within->end ? ns : within->end;
  add_slow(scan, &part, prof_trace_ticks(scan->trace, end > part.begin_ns ? end - part.begin_ns : 0));
}

static inline __attribute__((always_inline)) void leave(struct prof_span_scan *scan, uint64_t ns, uint64_t net,
                                                        bool cut) {
  const struct frame *frame = &scan->stack[--scan->count];
  if (!frame->shown)
    return;
  if (frame->depth >= PROF_SPAN_DEPTH) {
    scan->deep_calls++;
    return;
  }
  if (__builtin_expect(scan->within.end != 0, 0)) {
    leave_within(scan, frame, ns, net);
    return;
  }
  uint64_t length = ns > frame->begin_ns ? ns - frame->begin_ns : 0;
  if (!add_to_cell(scan, frame, length))
    add_call(scan, frame, length, cut);
  uint64_t ticks = net - frame->net;
  if (ticks > scan->least[frame->number] || scan->slowest->counts[frame->number] < PROF_SLOWEST_EACH)
    add_slow(scan, frame, ticks);
}

static void leave_some(struct prof_span_scan *scan, uint64_t count, uint64_t ns, uint64_t net, bool cut) {
  count = prof_leave_beyond(&scan->beyond, count);
  for (; count > 0 && scan->count > 0; count--)
    leave(scan, ns, net, cut);
}

/* Their real ends are not known. */
static void leave_all(struct prof_span_scan *scan) {
  leave_some(scan, UINT64_MAX, scan->last_ns, scan->last_net, true);
}

/* ---- frames that are entered ---- */

static inline __attribute__((always_inline)) void enter(struct prof_span_scan *scan, uint32_t number, uint64_t ns,
                                                        uint64_t net, bool cut) {
  if (scan->count == DEEPEST) {
    scan->beyond++;
    return;
  }
  const struct edge *edge = &scan->edges.items[number];
  const struct frame *outer = scan->count ? &scan->stack[scan->count - 1] : NULL;
  scan->stack[scan->count++] = (struct frame){.begin_ns = ns,
                                              .net = net,
                                              .number = edge->number,
                                              .depth = outer ? outer->depth + outer->shown : 0,
                                              .shown = edge->shown,
                                              .cut = cut};
}

static bool read_edges(struct prof_span_scan *scan) {
  const struct prof_chunk *chunk = &scan->chunk;
  scan->edges.count = 0;
  if (!prof_vec_reserve(&scan->edges, chunk->edge_count + 1))
    return false;
  for (uint32_t i = 0; i < chunk->edge_count; i++) {
    const struct prof_site_frame of = prof_frame_of_site(scan->trace, chunk->edges[i].site, scan->loops);
    scan->edges.items[scan->edges.count++] =
        (struct edge){of.number != PROF_NONE ? of.number : scan->unknown, !of.is_quiet};
  }
  return true;
}

static const struct prof_chunk_ref *ref_at(const struct prof_span_scan *scan, uint32_t position) {
  const struct prof_thread_info *thread = &prof_trace_threads(scan->trace, NULL)[scan->part->thread];
  return &prof_trace_chunks(scan->trace, NULL)[prof_trace_thread_chunks(scan->trace)[thread->first_chunk + position]];
}

/* As in walk_stream.c: up to which time frames were entered that are no calls of the stretch at hand. */
static uint64_t open_time(const struct prof_span_scan *scan, uint32_t position) {
  for (uint32_t i = position + 1; i-- > 0;)
    if (ref_at(scan, i)->flags & PROF_CHUNK_RESUMED)
      return ref_at(scan, i)->first_time;
  return prof_fold_fork_time(scan->trace, scan->part->thread);
}

/* The open frames as the chunk lists them; after a hole they begin here. */
static void take_list(struct prof_span_scan *scan, uint32_t position, bool after_hole) {
  const struct prof_chunk *chunk = &scan->chunk;
  uint64_t base_net = chunk->base_time - chunk->stalled_before, fork_time = open_time(scan, position);
  for (uint32_t i = 0; i < chunk->frame_count; i++) {
    const struct prof_frame *frame = &chunk->frames[i];
    uint64_t net = frame->entry - frame->stalled;
    bool clip = after_hole || net > base_net;
    enter(scan, frame->edge, ns_of(scan, clip ? chunk->base_time : frame->entry), clip ? base_net : net,
          clip || frame->entry <= fork_time);
  }
  scan->beyond = chunk->frames_omitted;
  scan->last_ns = ns_of(scan, chunk->base_time);
  scan->last_net = base_net;
}

/* The part of a call up to where it goes on at another place. */
static void add_part(struct prof_span_scan *scan, const struct frame *frame, uint64_t ns) {
  uint64_t length = ns > frame->begin_ns ? ns - frame->begin_ns : 0;
  if (frame->shown && frame->depth < PROF_SPAN_DEPTH && !add_to_cell(scan, frame, length))
    add_call(scan, frame, length, true);
}

/* The frame around some others is left.  These are one call each, but drawn in parts. */
static void leave_around(struct prof_span_scan *scan, const struct prof_step *step, uint64_t ns, uint64_t net) {
  const uint64_t inside = prof_step_around(step, scan->count, &scan->beyond);
  if (inside == UINT64_MAX)
    return;
  const uint32_t count = scan->count, at = count - 1 - (uint32_t)inside;
  const bool moves = scan->stack[at].shown && scan->within.end == 0;
  for (uint32_t i = count - 1; i > at && moves; i--)
    add_part(scan, &scan->stack[i], ns);
  scan->count = at + 1;
  leave(scan, ns, net, false);
  for (uint32_t i = at; i + 1 < count; i++) {
    struct frame *frame = &scan->stack[i];
    const struct frame *outer = i ? frame - 1 : NULL;
    *frame = scan->stack[i + 1];
    frame->depth = outer ? outer->depth + outer->shown : 0;
    frame->cut |= moves;
    frame->begin_ns = moves ? ns : frame->begin_ns;
  }
  scan->count = count - 1;
}

/* ---- steps ---- */

/* A step that is no plain entry or exit; `time` is the expanded one.  false: malformed. */
static __attribute__((noinline)) bool take_rare(struct prof_span_scan *scan, uint8_t op, uint64_t time) {
  struct prof_step step;
  uint64_t added = 0;
  if (!prof_side_take(&scan->side, &scan->chunk, op, &step, &added))
    return false;
  scan->added += added;
  step.time = time + scan->added;
  const struct prof_effect *effect = &prof_effects[step.op];
  uint64_t net = prof_wait_clock_net(&scan->clock, step.time), ns = ns_of(scan, step.time);
  prof_wait_clock_take(&scan->clock, &step);
  scan->last_ns = ns;
  scan->last_net = net;
  if (effect->cuts)
    leave_all(scan);
  else if (effect->enters)
    enter(scan, step.value, ns, net, false);
  else if (effect->leaves)
    leave_some(scan, prof_step_frames(&step), ns, net, false);
  else if (effect->around)
    leave_around(scan, &step, ns, net);
  return true;
}

static inline __attribute__((always_inline)) void take_plain(struct prof_span_scan *scan, uint8_t op, uint64_t time) {
  uint64_t ns = ns_of(scan, time), net = prof_wait_clock_net(&scan->clock, time);
  scan->last_ns = ns;
  scan->last_net = net;
  if (op)
    enter(scan, op - 1u, ns, net, false);
  else if (scan->beyond)
    scan->beyond--;
  else if (scan->count)
    leave(scan, ns, net, false);
}

/* false: malformed. */
static bool take_events(struct prof_span_scan *scan) {
  const struct prof_chunk *chunk = &scan->chunk;
  struct prof_times position;
  uint64_t times[BLOCK];
  prof_times_begin(&position, chunk);
  scan->side = (struct prof_side){chunk->side};
  scan->added = 0;
  for (uint32_t at = 0, count; (count = prof_times_next(&position, times, BLOCK)) > 0; at += count)
    for (uint32_t i = 0; i < count; i++) {
      uint8_t op = chunk->ops[at + i];
      if (op == PROF_CHUNK_OP_SPECIAL && prof_side_pass_value(&scan->side, chunk))
        continue;
      if (op < PROF_CHUNK_OP_FAR)
        take_plain(scan, op, times[i] + scan->added);
      else if (!take_rare(scan, op, times[i]))
        return false;
    }
  return true;
}

static prof_status take_chunks(struct prof_span_scan *scan) {
  const struct prof_span_part *part = scan->part;
  uint32_t all = prof_trace_threads(scan->trace, NULL)[part->thread].chunk_count;
  bool fresh = true;
  const struct prof_chunk_ref *first = ref_at(scan, part->first);
  bool goes_on = part->first > 0 && !(first->flags & PROF_CHUNK_RUN_BEGIN);
  bool after_hole = !goes_on && first->sequence > 0;
  for (uint32_t at = part->first; at < part->first + part->count; at++) {
    size_t number = (size_t)(ref_at(scan, at) - prof_trace_chunks(scan->trace, NULL));
    prof_status status = prof_chunk_load(scan->trace, number, NULL, &scan->chunk);
    if (status != PROF_OK)
      return status == PROF_NO_MEMORY ? status : PROF_CORRUPT;
    if (!read_edges(scan))
      return PROF_NO_MEMORY;
    prof_wait_clock_begin(&scan->clock, &scan->chunk);
    if (fresh)
      take_list(scan, at, after_hole);
    if (!take_events(scan))
      return PROF_CORRUPT;
    uint32_t next = at + 1 < all ? ref_at(scan, at + 1)->flags : PROF_CHUNK_RUN_BEGIN;
    fresh = next & PROF_CHUNK_RESUMED;
    if (next & PROF_CHUNK_RUN_BEGIN) {
      fresh = after_hole = true;
      leave_all(scan);
    }
  }
  if (part->ends)
    leave_some(scan, UINT64_MAX, scan->last_ns > scan->within.end ? scan->last_ns : scan->within.end + 1,
               scan->last_net, true);
  return scan->lanes && scan->lanes->failed ? PROF_NO_MEMORY : PROF_OK;
}

prof_status prof_span_scan_run(struct prof_span_scan *scan, const struct prof_span_part *part, struct prof_lanes *lanes,
                               uint64_t *deep_calls) {
  scan->part = part;
  scan->lanes = lanes;
  scan->count = 0;
  scan->beyond = 0;
  scan->deep_calls = 0;
  for (unsigned i = 0; i < PROF_SPAN_DEPTH; i++)
    scan->of_depth[i] = PROF_NONE;
  prof_status status = take_chunks(scan);
  *deep_calls += scan->deep_calls;
  return status;
}
