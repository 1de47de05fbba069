/*
 * tools/model/fold_chunk.c - a whole chunk folded, the fast way.  See fold_piece.h; not for chunks behind a hole.
 *
 * Times of a block of events are expanded first; then one pass over the ops moves through the call tree.  What is rare
 * (specials, waits, depths at the limits) leaves the pass for the functions above it.
 */
#include <string.h>

#include "model/fold_piece.h"
#include "model/wait_clock.h"
#include "trace/cursor_inline.h"

#define BLOCK 256u /* events whose times are expanded at once: 2 KB */

struct lane {
  struct prof_fold_worker *worker;
  struct prof_wait_clock clock;
  uint64_t added; /* ticks of TIME ops so far, which the expanded times lack */
  struct prof_side side;
  struct prof_mark_run marks;
  uint32_t floored; /* so many outermost frames were open before the floor */
};

static void leave_frames(struct prof_fold_core *core, uint64_t count, uint64_t net) {
  uint64_t beyond = count < core->beyond ? count : core->beyond, held = count - beyond;
  core->beyond -= beyond;
  for (held = held < core->depth ? held : core->depth; held > 0; held--)
    prof_fold_leave(core, net);
}

/* All frames; their real ends are not known. */
static void cut_frames(struct lane *lane, const struct prof_fold_piece *piece, uint64_t net) {
  struct prof_fold_worker *worker = lane->worker;
  for (uint32_t i = 1; i <= worker->core.depth; i++) /* those cut at the floor were counted there */
    worker->sums.frames_cut += !(worker->core.stack[i].node & PROF_FOLD_LOOP) &&
                               (i > lane->floored || worker->core.stack[i].entry != piece->floor_net);
  lane->floored = 0;
  worker->core.beyond = 0;
  leave_frames(&worker->core, worker->core.depth, net);
}

static void take_value(struct prof_fold_worker *worker, const struct prof_step *step) {
  uint32_t kind, loop = worker->values ? prof_fold_value_loop(worker, step->value, &kind) : PROF_NONE;
  if (loop != PROF_NONE)
    prof_fold_value_add(worker, loop, kind, step->count);
}

static void enter(struct prof_fold_worker *worker, uint32_t number, uint64_t net) {
  const struct prof_fold_edge *edge = prof_fold_edge_of(worker, number);
  prof_fold_enter_as(&worker->core, edge->key, net, prof_fold_edge_bits(edge));
}

/* What a step does; `time` is the clock's. */
static void take_step(struct lane *lane, const struct prof_fold_piece *piece, const struct prof_step *step,
                      uint64_t time) {
  struct prof_fold_worker *worker = lane->worker;
  struct prof_fold_sums *sums = &worker->sums;
  uint64_t net = prof_wait_clock_net(&lane->clock, time);
  switch (step->op) {
  case PROF_OP_ENTRY:
    enter(worker, step->value, net);
    break;
  case PROF_OP_EXIT:
    sums->skipped += step->count - prof_fold_loops_among(&worker->core, step->count);
    leave_frames(&worker->core, step->count < UINT64_MAX ? step->count + 1 : step->count, net);
    break;
  case PROF_OP_LANDED:
    sums->skipped += step->count - prof_fold_loops_among(&worker->core, step->count);
    leave_frames(&worker->core, step->count, net);
    break;
  case PROF_OP_UNMATCHED:
    sums->unmatched++;
    break;
  case PROF_OP_STALL_BEGIN:
    prof_wait_clock_stop(&lane->clock, time);
    break;
  case PROF_OP_STALL_END:
    prof_wait_clock_go(&lane->clock, time);
    break;
  case PROF_OP_GAP:
    sums->lost += step->count;
    break;
  case PROF_OP_STOP:
    cut_frames(lane, piece, net);
    break;
  case PROF_OP_VALUE:
    take_value(worker, step);
    break;
  case PROF_OP_NOTHING:
    break;
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
  take_step(lane, piece, &step, time + lane->added);
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

/* What the pass over a block keeps in registers; the core's stack is only right after put_back. */
struct pass {
  struct prof_fold_core *core;
  struct prof_fold_frame *top, *limit;
  uint32_t node; /* top's */
  uint64_t late; /* what expanded times are ahead of net times */
};

static inline __attribute__((always_inline)) void begin_pass(struct pass *pass, const struct lane *lane, bool loops) {
  pass->core = &lane->worker->core;
  pass->top = pass->core->stack + pass->core->depth;
  pass->limit = pass->core->stack + PROF_FOLD_DEPTH;
  pass->node = loops ? pass->top->node & PROF_FOLD_NODE : pass->top->node;
  pass->late = lane->clock.stalled - lane->added;
}

static inline void put_back(const struct pass *pass) {
  pass->core->depth = (uint32_t)(pass->top - pass->core->stack);
}

/* At the limits of the stack: as the core does it. */
static __attribute__((noinline)) void limit_leave(struct pass *pass, uint64_t net) {
  put_back(pass);
  prof_fold_leave(pass->core, net);
  pass->top = pass->core->stack + pass->core->depth;
  pass->node = pass->top->node & PROF_FOLD_NODE;
}

/* loops, here and below: a constant; whether the chunk has frames of loops. */
static inline __attribute__((always_inline)) void pass_leave(struct pass *pass, uint64_t time, bool loops) {
  if (__builtin_expect(pass->top == pass->core->stack || pass->core->beyond, 0)) {
    struct pass copy = *pass; /* so that the pass itself can stay in registers */
    limit_leave(&copy, time - pass->late);
    *pass = copy;
    return;
  }
  if (loops && pass->top->node & PROF_FOLD_QUIET)
    pass->core->nodes[pass->node].hidden++;
  else
    prof_fold_count(pass->core, pass->node, time - pass->late - pass->top->entry);
  pass->node = (--pass->top)->node;
  if (loops)
    pass->node &= PROF_FOLD_NODE;
}

/* A frame is entered; `leaf_end`, unless NULL: and left again at once, at that time. */
static inline __attribute__((always_inline)) void pass_enter(struct pass *pass, struct prof_fold_edge *edge,
                                                             uint64_t time, const uint64_t *leaf_end, bool loops) {
  if (__builtin_expect(pass->top == pass->limit, 0)) {
    pass->core->too_deep += !loops || !prof_fold_edge_bits(edge);
    pass->core->beyond += !leaf_end;
    return;
  }
  if (loops && prof_fold_edge_bits(edge) & PROF_FOLD_QUIET) {
    if (leaf_end)
      pass->core->nodes[pass->node].hidden++;
    else
      *++pass->top =
          (struct prof_fold_frame){.entry = time - pass->late, .node = pass->node | prof_fold_edge_bits(edge)};
    return;
  }
  if (edge->from != pass->node) {
    edge->to = prof_fold_child(pass->core, pass->node, edge->key);
    edge->from = pass->node;
  }
  uint32_t node = edge->to;
  if (leaf_end) {
    prof_fold_count(pass->core, node, *leaf_end - time);
  } else {
    *++pass->top =
        (struct prof_fold_frame){.entry = time - pass->late, .node = loops ? node | prof_fold_edge_bits(edge) : node};
    pass->node = node;
  }
}

struct block {
  const uint8_t *ops;
  const uint64_t *times; /* expanded */
  uint32_t count;
};

/* Events from *at on, the slow way: while the thread waits, for whom net time stands still.  false: malformed. */
static bool take_waiting(struct lane *lane, const struct prof_fold_piece *piece, const struct block *block,
                         uint32_t *at) {
  for (; lane->clock.waiting && *at < block->count; ++*at)
    if (!take_slowly(lane, piece, block->ops[*at], block->times[*at]))
      return false;
  return true;
}

/*
 * One block of events.  A call that calls nothing, as about every second one does, is two events in a row and never
 * gets onto the stack.  false: malformed.
 */
static inline __attribute__((always_inline)) bool take_block(struct lane *lane, const struct prof_fold_piece *piece,
                                                             const struct block *block, bool loops) {
  const struct prof_fold_worker *worker = lane->worker;
  const uint8_t *ops = block->ops;
  const uint64_t *times = block->times;
  const uint32_t count = block->count, edge_count = (uint32_t)worker->edges.count;
  struct prof_fold_edge *edges = worker->edges.items;
  uint32_t i = 0;
  if (!take_waiting(lane, piece, block, &i))
    return false;
  struct pass pass;
  begin_pass(&pass, lane, loops);
  while (i < count) {
    uint8_t op = ops[i];
    uint64_t time = times[i++];
    uint32_t edge = op - 1u;
    if (op == 0) {
      pass_leave(&pass, time, loops);
      continue;
    }
    if (op >= PROF_CHUNK_OP_FAR)
      edge = op == PROF_CHUNK_OP_FAR ? far_edge(&lane->side, worker->chunk.side_end) : UINT32_MAX;
    if (edge < edge_count) {
      bool leaf = i < count && ops[i] == 0;
      pass_enter(&pass, &edges[edge], time, leaf ? &times[i] : NULL, loops);
      i += leaf;
      continue;
    }
    put_back(&pass);
    if (edge != UINT32_MAX || !take_slowly(lane, piece, op, time) || !take_waiting(lane, piece, block, &i))
      return false;
    begin_pass(&pass, lane, loops);
  }
  put_back(&pass);
  return true;
}

/* For chunks with loops or without. */
static __attribute__((noinline)) bool take_some(struct lane *lane, const struct prof_fold_piece *piece,
                                                const struct block *block) {
  return take_block(lane, piece, block, true);
}

/*
 * A block among whose events marks may lie, in parts: up to each mark, and specials one by one, because they may move
 * the clock.  false: malformed.
 */
static __attribute__((noinline)) bool take_marked(struct lane *lane, const struct prof_fold_piece *piece,
                                                  const struct block *block) {
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
    if (!take_some(lane, piece, &(struct block){ops + at, times + at, next - at}))
      return false;
    if (added == lane->added) /* else it was a TIME, in which nothing happens */
      marks->before = times[next - 1] + added;
  }
  return true;
}

/* No event of the block lies behind the next mark, and none moves the clock. */
static bool is_before_marks(const struct lane *lane, const struct block *block) {
  return lane->marks.at == lane->marks.end || (block->times[block->count - 1] + lane->added <= lane->marks.at->time &&
                                               memchr(block->ops, PROF_CHUNK_OP_SPECIAL, block->count) == NULL);
}

static void take_list(struct lane *lane, const struct prof_fold_piece *piece) {
  struct prof_fold_worker *worker = lane->worker;
  struct prof_fold_core *core = &worker->core;
  prof_fold_begin(core, piece->thread);
  for (uint32_t i = 0; i < worker->chunk.frame_count && i < PROF_FOLD_DEPTH; i++) {
    const struct prof_frame *frame = &worker->chunk.frames[i];
    enter(worker, frame->edge, prof_fold_frame_net(piece, &worker->chunk, frame));
    lane->floored += frame->entry < piece->floor_time;
  }
  core->beyond = worker->chunk.frames_omitted;
}

static inline __attribute__((always_inline)) bool take_chunk(struct prof_fold_worker *worker,
                                                             const struct prof_fold_piece *piece, bool loops) {
  const struct prof_chunk *chunk = &worker->chunk;
  struct lane lane = {.worker = worker, .side = {chunk->side}};
  struct prof_times position;
  uint64_t times[BLOCK], last = chunk->base_time;
  lane.marks = prof_mark_run_begin(worker, piece);
  prof_wait_clock_begin(&lane.clock, chunk->base_time, chunk->stalled_before);
  prof_times_begin(&position, chunk);
  prof_fold_begin(&worker->core, piece->thread);
  prof_mark_run_assign(&lane.marks, chunk->base_time, worker->core.stack[0].node, false);
  take_list(&lane, piece);
  if (piece->open)
    worker->sums.stalled_ticks -= chunk->stalled_before;
  const uint8_t *ops = chunk->ops;
  for (uint32_t count; (count = prof_times_next(&position, times, BLOCK)) > 0; ops += count) {
    struct block block = {ops, times, count};
    bool marked = !is_before_marks(&lane, &block);
    if (!(marked ? take_marked(&lane, piece, &block) : take_block(&lane, piece, &block, loops)))
      return false;
    last = times[count - 1];
    if (!marked)
      lane.marks.before = last + lane.added;
  }
  worker->sums.events += chunk->event_count;
  prof_mark_run_assign(&lane.marks, piece->marks_end, worker->core.stack[worker->core.depth].node & PROF_FOLD_NODE,
                       lane.clock.waiting);
  if (piece->close) {
    uint64_t net = prof_wait_clock_net(&lane.clock, last + lane.added);
    cut_frames(&lane, piece, net);
    worker->sums.stalled_ticks += last + lane.added - net;
  }
  return true;
}

/* Two of them, so that chunks without loops pay nothing for those with. */
static __attribute__((noinline)) bool take_loops(struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  return take_chunk(worker, piece, true);
}

bool prof_fold_chunk(struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  return worker->has_loops ? take_loops(worker, piece) : take_chunk(worker, piece, false);
}
