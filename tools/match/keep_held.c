/*
 * tools/match/keep_held.c - steps that wait until it is known whether their call is kept.  See keep.h.
 *
 * They are in the order of their times.  The first one, if there is any, is the entry of an open call that may be left
 * out: whatever lies before such an entry is written at once.
 */
#include "keep_state.h"

#include "event.h"
#include "trace/write/encoder_inline.h"

#define FULL_EVENTS (PROF_FORMAT_CHUNK_EVENTS - 2048u) /* held steps may be more than a chunk's */

static bool is_begun(struct prof_keep *keep, uint64_t time) {
  struct prof_encoder *encoder = keep->encoder;
  if (!prof_encoder_reserve(encoder, 4))
    return false;
  if (encoder->count > FULL_EVENTS)
    (void)prof_encoder_flush(encoder, false); /* the writer keeps the error */
  if (encoder->count)
    return true;
  uint64_t base = time > encoder->last_time ? time : encoder->last_time;
  uint64_t begin = keep->written_stall_begin, running = begin && base > begin ? base - begin : 0;
  return prof_encoder_begin(encoder, base,
                            &(struct prof_open_stack){.frames = keep->open.items,
                                                      .depth = (uint32_t)keep->open.count - 1,
                                                      .stalled_ticks = keep->written_stalled + running});
}

static bool write_entry(struct prof_keep *keep, const struct keep_held *held, uint64_t time) {
  struct prof_open_frame frame = {time, held->key, keep->written_stalled, held->function, 0};
  if (!prof_vec_reserve(&keep->open, 1))
    return false;
  const struct prof_edge_slot *edge = prof_encoder_edge(keep->encoder, held->key, held->function);
  if (!edge)
    return false;
  keep->encoder->loop_entries += prof_event_kind((uint32_t)held->key) == PROF_EVENT_LOOP_ENTRY;
  prof_encoder_put(keep->encoder, &(struct prof_step){.op = PROF_OP_ENTRY, .value = edge->index, .time = time});
  keep->open.items[keep->open.count++] = frame;
  return true;
}

static void leave_open(struct prof_keep *keep, uint64_t count) {
  keep->open.count -= count < keep->open.count - 1 ? count : keep->open.count - 1;
}

static void leave_open_around(struct prof_keep *keep, uint64_t count) {
  for (size_t i = keep->open.count - 1 - (size_t)count; i + 1 < keep->open.count; i++)
    keep->open.items[i] = keep->open.items[i + 1];
  keep->open.count--;
}

static void take_wait(struct prof_keep *keep, const struct prof_step *step) {
  if (step->op == PROF_OP_STALL_BEGIN) {
    keep->written_stall_begin = step->time;
  } else if (step->op == PROF_OP_STALL_END && keep->written_stall_begin) {
    keep->written_stalled += step->time - keep->written_stall_begin;
    keep->written_stall_begin = 0;
  }
}

static bool write_step(struct prof_keep *keep, const struct keep_held *held) {
  struct prof_step step = held->step;
  if (keep->off) {
    take_wait(keep, &step);
    return true;
  }
  if (!is_begun(keep, step.time))
    return false;
  if (step.time < keep->encoder->last_time)
    step.time = keep->encoder->last_time;
  if (held->sort == KEEP_ENTRY)
    return write_entry(keep, held, step.time);
  prof_encoder_put(keep->encoder, &step);
  take_wait(keep, &step);
  if (step.op == PROF_OP_EXIT_AROUND)
    leave_open_around(keep, step.count);
  else if (step.op == PROF_OP_EXIT || step.op == PROF_OP_LANDED)
    leave_open(keep, step.count + (step.op == PROF_OP_EXIT));
  else if (step.op == PROF_OP_STOP)
    keep->open.count = 1;
  return true;
}

bool keep_hold(struct prof_keep *keep, const struct keep_held *held) {
  if (keep->begin == keep->held.count) {
    keep->first_position += keep->held.count;
    keep->begin = keep->held.count = 0;
  }
  return prof_vec_push(&keep->held, *held);
}

bool keep_out(struct prof_keep *keep, const struct keep_held *held) {
  return keep_holds(keep) ? keep_hold(keep, held) : write_step(keep, held);
}

static struct keep_held *held_of(struct prof_keep *keep, const struct keep_frame *frame) {
  return &keep->held.items[frame->position - keep->first_position];
}

/* Others around it are at least as long; a call that may be slow is nobody's business but its own. */
void keep_decide(struct prof_keep *keep, size_t at) {
  for (size_t i = at; i > 0 && (i == at || !keep->stack.items[i].slow); i--) {
    struct keep_frame *frame = &keep->stack.items[i];
    if (frame->status != KEEP_HELD)
      continue;
    frame->status = KEEP_DECIDED;
    held_of(keep, frame)->decided = true;
  }
}

bool keep_decide_old(struct prof_keep *keep, uint64_t time) {
  bool good = true;
  while (good && keep_holds(keep)) {
    const struct keep_held *first = &keep->held.items[keep->begin];
    const struct keep_frame *frame = &keep->stack.items[first->frame];
    if (!frame->leads ||
        keep_net(keep, frame, time) < (frame->slow ? keep->rules->slow_ticks : keep->rules->least_ticks))
      break;
    keep_decide(keep, first->frame);
    good = keep_release(keep);
  }
  return good;
}

bool keep_release(struct prof_keep *keep) {
  bool good = true;
  while (keep_holds(keep)) {
    const struct keep_held *held = &keep->held.items[keep->begin];
    if (held->sort == KEEP_ENTRY && !held->decided)
      break;
    good &= write_step(keep, held);
    struct keep_frame *frame = held->frame < keep->stack.count ? &keep->stack.items[held->frame] : NULL;
    if (held->sort == KEEP_ENTRY && frame && frame->status == KEEP_DECIDED &&
        frame->position == keep->first_position + keep->begin)
      frame->status = KEEP_WRITTEN;
    keep->begin++;
  }
  return good;
}

/* Behind it lie, as inner calls are gone, only steps that stay. */
void keep_forget(struct prof_keep *keep, const struct keep_frame *frame) {
  size_t to = frame->position - keep->first_position, from = to + 1;
  while (from < keep->held.count && keep->held.items[from].sort == KEEP_ENTRY_VALUE)
    from++;
  while (from < keep->held.count)
    keep->held.items[to++] = keep->held.items[from++];
  keep->held.count = to;
}

void keep_empty(struct prof_keep *keep, struct keep_frame *frame) {
  size_t to = frame->position - keep->first_position + 1;
  for (size_t from = to; from < keep->held.count; from++) {
    const struct keep_held *held = &keep->held.items[from];
    bool of_frame = held->sort == KEEP_ENTRY_VALUE && from == to;
    if (held->sort == KEEP_ALWAYS || of_frame) {
      keep->held.items[to++] = *held;
    } else if (held->sort == KEEP_ENTRY) {
      bool loop = prof_event_kind((uint32_t)held->key) == PROF_EVENT_LOOP_ENTRY;
      *(loop ? &frame->loops : &frame->calls) += 1;
      keep->left_out += 2;
    } else if (held->step.op == PROF_OP_VALUE && held->step.value == 0) {
      *(held->step.count & 1 ? &frame->loops : &frame->calls) += held->step.count >> 1;
    }
  }
  keep->held.count = to;
}
