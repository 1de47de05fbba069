/*
 * tools/model/fold_chunk.c - a whole chunk folded, the fast way.  See fold_piece.h.
 *
 * Times of a block of events are expanded first; then one pass over the ops moves through the call tree.  What is rare
 * (specials, waits, depths at the limits) leaves the pass for the functions above it.
 */
#include "model/fold_piece.h"
#include "model/wait_clock.h"

enum { OP_EXIT = 0, OP_FAR_EDGE = 254, OP_SPECIAL = 255 }; /* docs/trace-format.md, "ops" */

struct lane {
  struct prof_fold_worker *worker;
  struct prof_wait_clock clock;
  uint64_t added;      /* ticks of TIME ops so far, which the expanded times lack */
  const uint8_t *side; /* how far the side column was read */
};

static void leave_frames(struct prof_fold_core *core, uint64_t count, uint64_t net) {
  uint64_t open = core->depth + core->beyond;
  for (uint64_t i = count < open ? count : open; i > 0; i--)
    prof_fold_leave(core, net);
}

/* All frames; their real ends are not known. */
static void cut_frames(struct prof_fold_worker *worker, const struct prof_fold_piece *piece, uint64_t net) {
  for (uint32_t i = 1; i <= worker->core.depth; i++)
    worker->sums.frames_cut += !piece->floor_time || worker->core.stack[i].entry != piece->floor_net;
  worker->core.beyond = 0;
  leave_frames(&worker->core, worker->core.depth, net);
}

/* What a step does; `time` is the clock's. */
static void take_step(struct lane *lane, const struct prof_fold_piece *piece, const struct prof_step *step,
                      uint64_t time) {
  struct prof_fold_worker *worker = lane->worker;
  struct prof_fold_sums *sums = &worker->sums;
  uint64_t net = prof_wait_clock_net(&lane->clock, time);
  switch (step->op) {
  case PROF_OP_ENTRY:
    prof_fold_enter(&worker->core, prof_fold_edge_function(worker, step->value), net);
    break;
  case PROF_OP_EXIT:
    sums->skipped += step->count;
    leave_frames(&worker->core, step->count < UINT64_MAX ? step->count + 1 : step->count, net);
    break;
  case PROF_OP_LANDED:
    sums->skipped += step->count;
    leave_frames(&worker->core, step->count, net);
    break;
  case PROF_OP_UNMATCHED:
    sums->unmatched++;
    break;
  case PROF_OP_STALL_BEGIN:
    prof_wait_clock_stop(&lane->clock, time);
    break;
  case PROF_OP_STALL_END:
    sums->stalled_ticks += prof_wait_clock_go(&lane->clock, time);
    break;
  case PROF_OP_GAP:
    sums->lost += step->count;
    break;
  case PROF_OP_STOP:
    cut_frames(worker, piece, net);
    break;
  case PROF_OP_NOTHING:
    break;
  }
}

/* Event `index` of the chunk, whose expanded time is `time`, read by the library's own cursor.  false: malformed. */
static __attribute__((noinline)) bool take_slowly(struct lane *lane, const struct prof_fold_piece *piece,
                                                  uint32_t index, uint64_t time) {
  static const uint8_t no_delta[8] = {0}; /* the expanded time has this event's own */
  struct prof_cursor cursor = {
      .chunk = &lane->worker->chunk, .index = index, .time = time, .delta = no_delta, .side = lane->side};
  struct prof_step step;
  if (!prof_cursor_next(&cursor, &step))
    return false;
  lane->side = cursor.side;
  lane->added += step.time - time; /* of TIME */
  take_step(lane, piece, &step, time + lane->added);
  return true;
}

/* Edge index of an op 254, unless it is longer than 3 bytes; then UINT32_MAX. */
static inline uint32_t far_edge(const uint8_t **side, const uint8_t *end) {
  const uint8_t *at = *side;
  if (end - at < 3)
    return UINT32_MAX;
  uint32_t value = at[0] & 0x7f;
  if (at[0] < 0x80) {
    *side = at + 1;
    return value;
  }
  value |= (uint32_t)(at[1] & 0x7f) << 7;
  if (at[1] < 0x80) {
    *side = at + 2;
    return value;
  }
  if (at[2] >= 0x80)
    return UINT32_MAX;
  *side = at + 3;
  return value | (uint32_t)at[2] << 14;
}

/* One block of events whose times were expanded.  false: malformed. */
static bool take_block(struct lane *lane, const struct prof_fold_piece *piece, uint32_t first, uint32_t count,
                       const uint64_t *times) {
  struct prof_fold_worker *worker = lane->worker;
  struct prof_fold_core *core = &worker->core;
  const uint8_t *ops = worker->chunk.ops + first;
  for (uint32_t i = 0; i < count; i++) {
    if (__builtin_expect(lane->clock.waiting, 0)) { /* net time stands still */
      if (!take_slowly(lane, piece, first + i, times[i]))
        return false;
      continue;
    }
    uint64_t net = times[i] + lane->added - lane->clock.stalled;
    uint32_t op = ops[i], edge = op - 1;
    if (op == OP_EXIT) {
      prof_fold_leave(core, net);
      continue;
    }
    if (op == OP_FAR_EDGE && (edge = far_edge(&lane->side, worker->chunk.side_end)) == UINT32_MAX)
      op = OP_SPECIAL;
    if (op != OP_SPECIAL) {
      if (__builtin_expect(edge >= worker->functions.count, 0))
        return false;
      prof_fold_enter(core, worker->functions.items[edge], net);
      continue;
    }
    if (!take_slowly(lane, piece, first + i, times[i]))
      return false;
  }
  return true;
}

static void take_lists(struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  struct prof_fold_core *core = &worker->core;
  prof_fold_begin(core, piece->thread);
  for (uint32_t i = 0; i < worker->chunk.frame_count && i < PROF_FOLD_DEPTH; i++) {
    const struct prof_frame *frame = &worker->chunk.frames[i];
    prof_fold_enter(core, prof_fold_edge_function(worker, frame->edge),
                    prof_fold_frame_net(piece, &worker->chunk, frame));
    if (frame->entry <= piece->counted_until) /* the one that its end will count was counted before */
      core->nodes[core->stack[core->depth].node].calls--;
    if (piece->cut_in && frame->entry < piece->floor_time)
      worker->sums.frames_cut++;
  }
  core->beyond = worker->chunk.frames_omitted;
}

bool prof_fold_chunk(struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  const struct prof_chunk *chunk = &worker->chunk;
  struct lane lane = {.worker = worker, .clock = {.stalled = chunk->stalled_before}, .side = chunk->side};
  struct prof_delta_position position = {.lengths = chunk->lengths, .deltas = chunk->deltas, .time = chunk->base_time};
  uint64_t times[PROF_DELTA_BLOCK];
  take_lists(worker, piece);
  for (uint32_t done = 0; done < chunk->event_count; done += PROF_DELTA_BLOCK) {
    uint32_t left = chunk->event_count - done, count = left < PROF_DELTA_BLOCK ? left : PROF_DELTA_BLOCK;
    prof_delta_block(&worker->deltas, &position, count, times);
    if (!take_block(&lane, piece, done, count, times))
      return false;
  }
  worker->sums.events += chunk->event_count;
  if (piece->close)
    cut_frames(worker, piece, prof_wait_clock_net(&lane.clock, position.time + lane.added));
  return true;
}
