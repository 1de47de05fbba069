/*
 * tools/fold/chunk.c - a whole chunk folded, the fast way.  See piece.h; not for chunks behind a hole.
 *
 * Times of a block of events are expanded first; then one pass over the ops moves through the call tree.  What is rare
 * (specials, waits, depths at the limits) leaves the pass for the functions above it.  Chunks with loops, and those of
 * threads with sparse-clock intervals, have passes of their own: others pay nothing for them.
 */
#include <string.h>

#include "fold/piece.h"
#include "fold/plain_calls.h"
#include "fold/steps.h"
#include "trace/read/cursor_inline.h"

#define BLOCK 256u /* events whose times are expanded at once: 2 KB */

struct lane {
  struct prof_fold_worker *worker;
  struct prof_wait_clock clock;
  uint64_t added;  /* ticks of TIME ops so far, which the expanded times lack */
  uint32_t serial; /* of the present block's first event, less those in the block that read no clock, so far */
  struct prof_side side;
  struct prof_mark_run marks;
  uint32_t floored; /* so many outermost frames were open before the floor */
  prof_fold_plain *take_calls;
  bool sliced; /* the next ones matter */
  struct prof_light_slices slices;
  const struct prof_light_slice *slice, *slices_end; /* those that end after the last event */
};

/* Whether a time lies in a sparse-clock interval: durations from or to it are not known.  Times must not fall. */
static inline __attribute__((always_inline)) bool is_loose(struct lane *lane, uint64_t time) {
  while (lane->slice < lane->slices_end && lane->slice->end <= time)
    lane->slice++;
  return lane->slice < lane->slices_end && lane->slice->begin <= time;
}

static void leave_frames(struct prof_fold_core *core, uint64_t count, uint64_t net, bool loose) {
  uint64_t held = prof_leave_beyond(&core->beyond, count);
  for (held = held < core->depth ? held : core->depth; held > 0; held--) {
    core->stack[core->depth].node |= loose ? PROF_FOLD_LOOSE : 0;
    prof_fold_leave(core, net);
  }
}

/* All frames; their real ends are not known. */
static void cut_frames(struct lane *lane, const struct prof_fold_piece *piece, uint64_t net, bool loose) {
  struct prof_fold_worker *worker = lane->worker;
  for (uint32_t i = 1; i <= worker->core.depth; i++) /* those cut at the floor were counted there */
    worker->sums.frames_cut += !(worker->core.stack[i].node & PROF_FOLD_LOOP) && i > worker->core.inherited &&
                               (i > lane->floored || worker->core.stack[i].entry != piece->floor_net);
  lane->floored = 0;
  worker->core.beyond = 0;
  leave_frames(&worker->core, worker->core.depth, net, loose);
}

/* The frame around the `count` innermost ones. */
static void leave_around(struct lane *lane, const struct prof_step *step, uint64_t net, bool loose) {
  struct prof_fold_core *core = &lane->worker->core;
  uint64_t inside = prof_step_around(step, core->depth, &core->beyond);
  if (inside == UINT64_MAX)
    return;
  uint32_t at = core->depth - (uint32_t)inside;
  core->stack[at].node |= loose ? PROF_FOLD_LOOSE : 0;
  prof_fold_leave_around(core, at, net);
  lane->floored -= at <= lane->floored;
}

/* The recorder left calls out: their probes' time is the innermost frame's. */
static void take_left_out(struct lane *lane, uint64_t value) {
  struct prof_fold_core *core = &lane->worker->core;
  uint64_t count = prof_left_out_count(value);
  uint32_t node = core->stack[core->depth].node & PROF_FOLD_NODE;
  core->nodes[node].uncounted += count;
  lane->worker->sums.hidden += prof_left_out_is_loops(value) ? 0 : count;
  lane->serial += (uint32_t)(2 * count);
}

static void take_value(struct prof_fold_worker *worker, const struct prof_step *step) {
  uint32_t kind, loop = worker->values ? prof_fold_value_loop(worker, step->value, &kind) : PROF_NONE;
  if (loop != PROF_NONE && !prof_fold_is_of_inherited(worker, loop, kind))
    prof_fold_value_add(worker, loop, kind, step->count);
}

static void enter(struct prof_fold_worker *worker, uint32_t number, uint64_t time, uint64_t net, bool loose) {
  const struct prof_fold_edge *edge = prof_fold_edge_of(worker, number);
  struct prof_fold_core *core = &worker->core;
  const uint32_t thread_node = core->stack[0].node;
  if (worker->forks && core->depth == 0)
    core->stack[0].node = prof_fold_outer_node(worker, edge->function, time);
  prof_fold_enter_as(core, edge->key, net, prof_fold_edge_bits(edge) | (loose ? PROF_FOLD_LOOSE : 0));
  core->stack[0].node = thread_node;
}

static void take_step(struct lane *lane, const struct prof_fold_piece *piece, const struct prof_step *step) {
  struct prof_fold_worker *worker = lane->worker;
  const struct prof_effect *effect = &prof_effects[step->op];
  if (effect->tells) { /* as most steps that come here */
    if (step->value == 0)
      take_left_out(lane, step->count);
    else
      take_value(worker, step);
    return;
  }
  uint64_t net = prof_wait_clock_net(&lane->clock, step->time);
  bool loose = lane->sliced && is_loose(lane, step->time);
  prof_wait_clock_take(&lane->clock, step);
  worker->sums.unmatched += effect->unmatched;
  worker->sums.lost += effect->loses ? step->count : 0;
  if (effect->enters) {
    enter(worker, step->value, step->time, net, loose);
  } else if (effect->cuts) {
    cut_frames(lane, piece, net, loose || prof_fold_goes_on(worker, piece, step->time));
  } else if (effect->leaves) {
    worker->sums.skipped += step->count - prof_fold_loops_among(&worker->core, step->count);
    leave_frames(&worker->core, prof_step_frames(step), net, loose);
  } else if (effect->around) {
    leave_around(lane, step, net, loose);
  }
}

/* An event by its op, the slow way; `time` is the expanded one.  false: malformed. */
static __attribute__((noinline)) bool take_slowly(struct lane *lane, const struct prof_fold_piece *piece, uint8_t op,
                                                  uint64_t time) {
  struct prof_step step = {.op = op ? PROF_OP_ENTRY : PROF_OP_EXIT, .value = op - 1u};
  uint64_t added = 0;
  if (op >= PROF_CHUNK_OP_FAR && !prof_side_take(&lane->side, &lane->worker->chunk, op, &step, &added))
    return false;
  lane->added += added;
  lane->serial -= prof_op_is_untimed(step.op);
  step.time = time + lane->added;
  take_step(lane, piece, &step);
  return true;
}

/* Edge index of a far entry when it takes at most 2 bytes; else UINT32_MAX, and nothing was read. */
static inline uint32_t far_edge(struct prof_side *side, const uint8_t *end) {
  const uint8_t *at = side->at;
  if (end - at < 2 || (at[0] >= 0x80 && at[1] >= 0x80))
    return UINT32_MAX;
  bool two = at[0] >= 0x80;
  side->at += 1 + two;
  return two ? (at[0] & 0x7fu) | (uint32_t)at[1] << 7 : at[0];
}

static inline __attribute__((always_inline)) void begin_pass(struct prof_fold_pass *pass, struct lane *lane,
                                                             bool loops) {
  pass->core = &lane->worker->core;
  pass->top = pass->core->stack + pass->core->depth;
  pass->limit = pass->core->stack + PROF_FOLD_DEPTH;
  pass->bottom = pass->core->stack + pass->core->inherited;
  pass->node = loops ? pass->top->node & PROF_FOLD_NODE : pass->top->node;
  pass->late = lane->clock.stalled - lane->added;
  pass->edges = lane->worker->edges.items;
  pass->edge_count = (uint32_t)lane->worker->edges.count;
  pass->forks = lane->worker->forks != NULL;
  pass->side = &lane->side;
  pass->side_end = lane->worker->chunk.side_end;
}

static inline void put_back(const struct prof_fold_pass *pass) {
  pass->core->depth = (uint32_t)(pass->top - pass->core->stack);
}

/* At the limits of the stack: as the core does it. */
static __attribute__((noinline)) void limit_leave(struct prof_fold_pass *pass, uint64_t net) {
  put_back(pass);
  pass->core->serial = pass->serial;
  prof_fold_leave(pass->core, net);
  pass->top = pass->core->stack + pass->core->depth;
  pass->bottom = pass->core->stack + pass->core->inherited;
  pass->node = pass->top->node & PROF_FOLD_NODE;
}

/* The node of an edge's function below the one that calls it, kept in the edge for the next call. */
static __attribute__((noinline)) void find_node(const struct lane *lane, struct prof_fold_edge *edge, uint32_t caller,
                                                bool outermost, uint64_t time) {
  struct prof_fold_worker *worker = lane->worker;
  bool forked = outermost && worker->forks; /* by another thread: another time of another place */
  uint32_t outer = forked ? prof_fold_outer_node(worker, edge->function, time + lane->added) : caller;
  edge->to = prof_fold_child(&worker->core, outer, edge->key);
  edge->from = forked ? PROF_FOLD_TOP : caller | prof_fold_edge_bits(edge);
}

/*
 * loops, here and below: a constant; whether the chunk has frames of loops.  loose: likewise false where it has nothing
 * to do with sparse-clock intervals; else whether the event lies in one.
 */
static inline __attribute__((always_inline)) void pass_leave(struct prof_fold_pass *pass, uint64_t time, bool loops,
                                                             bool loose) {
  if (__builtin_expect(pass->top == pass->bottom || pass->core->beyond, 0)) {
    struct prof_fold_pass copy = *pass; /* so that the pass itself can stay in registers */
    limit_leave(&copy, time - pass->late);
    *pass = copy;
    return;
  }
  struct prof_fold_frame *top = pass->top;
  uint64_t duration = time - pass->late - top->entry;
  int64_t net = prof_fold_net(pass->core, duration, pass->serial - top->serial), inner = top->inner;
  bool loop = loops && top->node & PROF_FOLD_LOOP;
  if (loop)
    prof_fold_pass_on(top - 1, top, net);
  else
    top[-1].inner += net;
  if (loops && top->node & PROF_FOLD_QUIET)
    pass->core->nodes[pass->node].uncounted++;
  else if (loose)
    prof_fold_count_loose(pass->core, pass->node, duration);
  else
    prof_fold_count(pass->core, pass->node, duration, net, loop ? 0 : inner);
  pass->node = (--pass->top)->node;
  if (loops)
    pass->node &= PROF_FOLD_NODE;
}

/* A frame is entered; `leaf`: and left again at once, at *leaf_end.  loose: one of both. */
static inline __attribute__((always_inline)) void pass_enter(const struct lane *lane, struct prof_fold_pass *pass,
                                                             struct prof_fold_edge *edge, uint64_t time, bool leaf,
                                                             const uint64_t *leaf_end, bool loops, bool loose) {
  if (__builtin_expect(pass->top == pass->limit, 0)) {
    pass->core->too_deep += !loops || !prof_fold_edge_bits(edge);
    pass->core->beyond += !leaf;
    return;
  }
  uint32_t bits = (loops ? prof_fold_edge_bits(edge) : 0) | (loose ? PROF_FOLD_LOOSE : 0);
  if (loops && bits & PROF_FOLD_QUIET) {
    if (leaf)
      pass->core->nodes[pass->node].uncounted++;
    else
      *++pass->top = (struct prof_fold_frame){time - pass->late, 0, pass->node | bits, pass->serial};
    return;
  }
  if (edge->from != (loops ? pass->node | prof_fold_edge_bits(edge) : pass->node))
    find_node(lane, edge, pass->node, pass->top == pass->core->stack, time);
  uint32_t node = edge->to;
  if (leaf) {
    uint64_t duration = *leaf_end - time;
    int64_t net = prof_fold_net(pass->core, duration, 1);
    if (!(loops && bits & PROF_FOLD_LOOP))
      pass->top->inner += net;
    if (loose)
      prof_fold_count_loose(pass->core, node, duration);
    else
      prof_fold_count(pass->core, node, duration, net, 0);
  } else {
    *++pass->top = (struct prof_fold_frame){time - pass->late, 0, node | bits, pass->serial};
    pass->node = node;
  }
}

/* Events from *at on, the slow way: while the thread waits, for whom net time stands still.  false: malformed. */
static bool take_waiting(struct lane *lane, const struct prof_fold_piece *piece, const struct prof_fold_block *block,
                         uint32_t *at) {
  for (; lane->clock.waiting && *at < block->count; ++*at) {
    lane->worker->core.serial = lane->serial + *at;
    if (!take_slowly(lane, piece, block->ops[*at], block->times[*at]))
      return false;
  }
  return true;
}

/* Up to where a block's events from `at` on come before the next sparse-clock interval. */
static uint32_t before_slice(struct lane *lane, const struct prof_fold_block *block, uint32_t at) {
  uint32_t to = block->count;
  if (is_loose(lane, block->times[at] + lane->added))
    return at;
  while (lane->slice < lane->slices_end && block->times[to - 1] + lane->added >= lane->slice->begin)
    to--;
  return to;
}

/*
 * One block of events.  A call that calls nothing, as about every second one does, is two events in a row and never
 * gets onto the stack.  false: malformed.
 */
static inline __attribute__((always_inline)) bool take_block(struct lane *lane, const struct prof_fold_piece *piece,
                                                             const struct prof_fold_block *block, bool loops,
                                                             bool slices) {
  struct prof_fold_worker *worker = lane->worker;
  const uint8_t *ops = block->ops;
  const uint64_t *times = block->times;
  const uint32_t count = block->count, edge_count = (uint32_t)worker->edges.count;
  struct prof_fold_edge *edges = worker->edges.items;
  uint32_t i = 0;
  if (!take_waiting(lane, piece, block, &i))
    return false;
  uint32_t serial = lane->serial, reach = slices ? 0 : count; /* reach: up to there calls may be plain */
  struct prof_fold_pass pass;
  begin_pass(&pass, lane, loops);
  while (i < count) {
    if (slices && i >= reach)
      reach = before_slice(lane, block, i);
    if (i < reach) {
      i = lane->take_calls(&pass, &(struct prof_fold_block){ops, times, reach}, serial, i);
      if (i == count)
        break;
    }
    uint8_t op = ops[i];
    uint64_t time = times[i];
    uint32_t edge = op - 1u;
    pass.serial = serial + i++;
    bool loose = slices && is_loose(lane, time + lane->added);
    if (op == 0) {
      pass_leave(&pass, time, loops, slices && (loose || pass.top->node & PROF_FOLD_LOOSE));
      continue;
    }
    if (op >= PROF_CHUNK_OP_FAR)
      edge = op == PROF_CHUNK_OP_FAR ? far_edge(&lane->side, worker->chunk.side_end) : UINT32_MAX;
    if (edge < edge_count) {
      bool leaf = i < count && ops[i] == 0;
      if (slices && leaf)
        loose |= is_loose(lane, times[i] + lane->added);
      pass_enter(lane, &pass, &edges[edge], time, leaf, times + i, loops, loose);
      i += leaf;
      continue;
    }
    put_back(&pass);
    worker->core.serial = pass.serial;
    if (edge != UINT32_MAX || !take_slowly(lane, piece, op, time) || !take_waiting(lane, piece, block, &i))
      return false;
    serial = lane->serial;
    reach = slices ? 0 : count; /* the clock may have moved */
    begin_pass(&pass, lane, loops);
  }
  put_back(&pass);
  lane->serial = serial + count;
  return true;
}

/* For chunks with loops or without. */
static __attribute__((noinline)) bool take_some(struct lane *lane, const struct prof_fold_piece *piece,
                                                const struct prof_fold_block *block) {
  return take_block(lane, piece, block, true, false);
}

static __attribute__((noinline)) bool take_sliced(struct lane *lane, const struct prof_fold_piece *piece,
                                                  const struct prof_fold_block *block) {
  return take_block(lane, piece, block, true, true);
}

/* Part of a block of a chunk with sparse-clock intervals: marks get the last events that share a time. */
static __attribute__((noinline)) bool take_group(struct lane *lane, const struct prof_fold_piece *piece,
                                                 const struct prof_fold_block *part) {
  const uint64_t *times = part->times;
  uint32_t begin = part->count;
  while (begin > 0 && part->count - begin < PROF_MARK_GROUP && times[begin - 1] == times[part->count - 1])
    begin--;
  if (begin > 0 && !take_sliced(lane, piece, &(struct prof_fold_block){part->ops, times, begin}))
    return false;
  for (uint32_t i = begin; i < part->count; i++) {
    const struct prof_fold_core *core = &lane->worker->core;
    uint64_t added = lane->added;
    if (!take_sliced(lane, piece, &(struct prof_fold_block){part->ops + i, times + i, 1}))
      return false;
    uint32_t node = core->stack[core->depth].node & PROF_FOLD_NODE;
    if (added == lane->added)
      prof_mark_run_note(&lane->marks, times[i] + added,
                         (struct prof_mark_choice){node, prof_fold_function_of(lane->worker, node), core->depth});
  }
  return true;
}

/*
 * A block among whose events marks may lie, in parts: up to each mark, and specials one by one, because they may move
 * the clock.  false: malformed.
 */
static __attribute__((noinline)) bool take_marked(struct lane *lane, const struct prof_fold_piece *piece,
                                                  const struct prof_fold_block *block) {
  const uint8_t *ops = block->ops;
  const uint64_t *times = block->times;
  struct prof_mark_run *marks = &lane->marks;
  for (uint32_t at = 0, next; at < block->count; at = next) {
    uint64_t reach = marks->at < marks->end ? marks->at->time : UINT64_MAX;
    for (next = at; next < block->count && ops[next] < PROF_CHUNK_OP_FAR && times[next] + lane->added <= reach;)
      next++;
    if (next == at) {
      const struct prof_fold_core *core = &lane->worker->core;
      prof_mark_run_assign(marks, times[at] + lane->added, core->stack[core->depth].node & PROF_FOLD_NODE,
                           lane->clock.waiting);
      next++;
    }
    uint64_t added = lane->added;
    struct prof_fold_block part = {ops + at, times + at, next - at};
    if (!(lane->sliced ? take_group(lane, piece, &part) : take_some(lane, piece, &part)))
      return false;
    if (added == lane->added) /* else it was a TIME, in which nothing happens */
      marks->before = times[next - 1] + added;
  }
  return true;
}

/* No event of the block lies behind the next mark, and none moves the clock. */
static bool is_before_marks(const struct lane *lane, const struct prof_fold_block *block) {
  if (lane->sliced && lane->marks.at < lane->marks.end) /* its last events may be part of a group */
    return false;
  return lane->marks.at == lane->marks.end || (block->times[block->count - 1] + lane->added <= lane->marks.at->time &&
                                               memchr(block->ops, PROF_CHUNK_OP_SPECIAL, block->count) == NULL);
}

static __attribute__((noinline)) void find_slices(struct lane *lane, const struct prof_fold_piece *piece) {
  struct prof_light_slices slices = prof_light_slices_of(lane->worker->trace, piece->thread);
  lane->slices = slices;
  lane->slice = slices.items + prof_light_slices_before(&slices, lane->worker->chunk.base_time);
  lane->slices_end = slices.items + slices.count;
}

static void take_list(struct lane *lane, const struct prof_fold_piece *piece) {
  struct prof_fold_worker *worker = lane->worker;
  struct prof_fold_core *core = &worker->core;
  prof_fold_begin(core, piece->thread);
  for (uint32_t i = 0; i < worker->chunk.frame_count && i < PROF_FOLD_DEPTH; i++) {
    const struct prof_frame *frame = &worker->chunk.frames[i];
    bool loose = lane->sliced && prof_light_slices_hold(&lane->slices, frame->entry);
    enter(worker, frame->edge, frame->entry, prof_fold_frame_begin(worker, piece, frame), loose);
    core->inherited += frame->entry <= piece->fork_time;
    core->stack[core->depth].inner = PROF_FOLD_INNER_UNKNOWN;
    lane->floored += frame->entry < piece->floor_time;
  }
  core->beyond = worker->chunk.frames_omitted;
}

static inline __attribute__((always_inline)) bool
take_chunk(struct prof_fold_worker *worker, const struct prof_fold_piece *piece, bool loops, bool slices) {
  const struct prof_chunk *chunk = &worker->chunk;
  struct lane lane = {
      .worker = worker, .side = {chunk->side}, .take_calls = prof_fold_plain_choose(), .sliced = slices};
  struct prof_times position;
  uint64_t times[BLOCK], last = chunk->base_time;
  lane.marks = prof_mark_run_begin(worker, piece);
  if (slices)
    find_slices(&lane, piece);
  prof_wait_clock_begin(&lane.clock, chunk);
  prof_times_begin(&position, chunk);
  prof_fold_begin(&worker->core, piece->thread);
  prof_mark_run_assign(&lane.marks, chunk->base_time, worker->core.stack[0].node, false);
  take_list(&lane, piece);
  lane.serial = (uint32_t)worker->events_before[piece->chunk];
  if (piece->open)
    worker->sums.stalled_ticks -= chunk->stalled_before;
  const uint8_t *ops = chunk->ops;
  for (uint32_t count; (count = prof_times_next(&position, times, BLOCK)) > 0; ops += count) {
    struct prof_fold_block block = {ops, times, count};
    bool marked = !is_before_marks(&lane, &block);
    if (!(marked ? take_marked(&lane, piece, &block) : take_block(&lane, piece, &block, loops, slices)))
      return false;
    last = times[count - 1];
    if (!marked)
      lane.marks.before = last + lane.added;
  }
  worker->sums.events += chunk->event_count;
  if (piece->close) /* the last step may be one in which nothing happens, up to which frames are open */
    prof_mark_run_assign(&lane.marks, last + lane.added, worker->core.stack[worker->core.depth].node & PROF_FOLD_NODE,
                         lane.clock.waiting);
  prof_mark_run_assign(&lane.marks, piece->marks_end, worker->core.stack[worker->core.depth].node & PROF_FOLD_NODE,
                       lane.clock.waiting);
  if (piece->goes_on) {
    uint64_t net = prof_wait_clock_net(&lane.clock, last + lane.added);
    worker->core.serial = lane.serial;
    prof_fold_note_going(worker, piece->thread, net);
    worker->sums.stalled_ticks += last + lane.added - net;
  }
  if (piece->close) {
    uint64_t net = prof_wait_clock_net(&lane.clock, last + lane.added);
    worker->core.serial = lane.serial;
    cut_frames(&lane, piece, net, slices && is_loose(&lane, last + lane.added));
    worker->sums.stalled_ticks += last + lane.added - net;
  }
  return true;
}

static __attribute__((noinline)) bool take_loops(struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  return take_chunk(worker, piece, true, false);
}

static __attribute__((noinline)) bool take_slices(struct prof_fold_worker *worker,
                                                  const struct prof_fold_piece *piece) {
  return take_chunk(worker, piece, true, true);
}

/* Does an event of the chunk, or an open frame's entry, lie in a sparse-clock interval? */
static __attribute__((noinline)) bool has_slices(const struct prof_fold_worker *worker,
                                                 const struct prof_fold_piece *piece) {
  const struct prof_chunk *chunk = &worker->chunk;
  struct prof_light_slices slices = prof_light_slices_of(worker->trace, piece->thread);
  if (slices.count == 0)
    return false;
  size_t chunk_count, at = prof_light_slices_before(&slices, chunk->base_time);
  bool any = at < slices.count &&
             slices.items[at].begin <= prof_trace_chunks(worker->trace, &chunk_count)[piece->chunk].last_time;
  for (uint32_t i = 0; i < chunk->frame_count && !any; i++)
    any = prof_light_slices_hold(&slices, chunk->frames[i].entry);
  return any;
}

bool prof_fold_chunk(struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  if (has_slices(worker, piece))
    return take_slices(worker, piece);
  return worker->has_loops ? take_loops(worker, piece) : take_chunk(worker, piece, false, false);
}
