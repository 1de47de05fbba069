/*
 * tools/fold/shown.c - a chunk folded as a filter and a range let it pass.  See piece.h, filter.h.
 *
 * One step at a time: a filter shows little, so this way is simple instead of fast.
 */
#include "base/vec.h"
#include "fold/piece.h"
#include "fold/steps.h"

struct frame {
  struct prof_fold_frame held; /* as the fold has it; node: without bits; its own, or its caller's when not shown */
  struct prof_filter_state state;
  uint32_t forker; /* of an outermost one: what forked it, as far as that is shown; 0: nothing */
  bool counted;    /* as a call, before */
  bool inherited;  /* no call of this thread */
  bool cut_in;     /* counted as cut where it begins */
  bool loop;
  bool loose; /* entered in a sparse-clock interval */
  bool leads; /* see prof_filter_frame */
  uint32_t edge;
  uint32_t part;     /* the last part of the call at other places, which counts if the call does; 0: none */
  uint32_t function; /* also where it isn't shown; PROF_NONE: none, or not known */
  bool has_value;    /* of a loop's entry, which counts if the frame does */
  uint64_t value;
  uint32_t value_of, value_kind; /* loop, kind of the site */
};

struct part { /* of a call that isn't long enough yet: what it took at a place before */
  uint64_t ticks;
  uint32_t node, before; /* node: 0: where it isn't shown; before: the part before; 0: none */
};

struct shown {
  struct prof_fold_worker *worker;
  const struct prof_filter *filter; /* the worker's, or one that lets everything pass */
  const struct prof_fold_piece *piece;
  struct prof_wait_clock clock;
  struct prof_mark_run marks;
  PROF_VEC(struct frame) stack; /* [0]: the thread */
  PROF_VEC(struct part) parts;  /* [0]: none */
  uint64_t beyond;
  struct prof_light_slices slices; /* of the thread */
  bool within;                     /* the range */
  bool loose;                      /* the present event lies in a sparse-clock interval */
  bool failed;                     /* no memory */
  bool left_counts;                /* the frame left last was counted as a whole */
};

static struct frame *top(struct shown *shown) {
  return &shown->stack.items[shown->stack.count - 1];
}

/* A frame that another thread forked goes on where that one was. */
static void take_forkers(struct shown *shown, uint32_t function, uint64_t time, bool leads, struct frame *to) {
  struct prof_fold_worker *worker = shown->worker;
  uint32_t frames[PROF_FORK_DEPTH], count = 0;
  if (prof_fork_paths_is_region(worker->forks, function))
    count = prof_fork_paths_of(worker->forks, worker->thread, function, time, frames);
  for (uint32_t i = 0; i < count; i++) {
    bool loop = frames[i] > worker->unknown;
    if (loop && !worker->loops)
      continue;
    to->state = prof_filter_frame(shown->filter, to->state, frames[i], loop, false, leads);
    if (to->state.shown)
      to->forker = to->held.node = prof_fold_child(&worker->core, to->held.node, frames[i] | PROF_FOLD_FORKER);
  }
}

/* leads: see prof_filter_frame. */
static void enter(struct shown *shown, uint32_t number, uint64_t time, uint64_t net, bool leads) {
  struct prof_fold_worker *worker = shown->worker;
  const struct prof_fold_edge *edge = prof_fold_edge_of(worker, number);
  if (shown->stack.count > PROF_FOLD_DEPTH) {
    shown->beyond++;
    worker->core.too_deep += shown->within;
    return;
  }
  uint32_t bits = prof_fold_edge_bits(edge);
  struct frame frame = {.held = {.entry = net, .serial = worker->core.serial, .node = top(shown)->held.node},
                        .state = top(shown)->state,
                        .edge = number,
                        .leads = leads,
                        .loop = bits != 0,
                        .loose = shown->loose};
  frame.function = frame.loop ? top(shown)->function : edge->function < worker->unknown ? edge->function : PROF_NONE;
  if (worker->forks && shown->stack.count == 1)
    take_forkers(shown, edge->function, time, leads, &frame);
  frame.state =
      prof_filter_frame(shown->filter, frame.state, edge->function, frame.loop, bits & PROF_FOLD_QUIET, leads);
  if (frame.state.shown)
    frame.held.node = prof_fold_child(&worker->core, frame.held.node, edge->key);
  if (!prof_vec_push(&shown->stack, frame))
    shown->failed = true;
}

static void add_value(struct shown *shown, const struct frame *frame) {
  if (frame->has_value)
    prof_fold_value_add(shown->worker, frame->value_of, frame->value_kind, frame->value);
}

/* The recorder left calls out, whose time is the frame's own, or that of the frame in which it is hidden. */
static void take_left_out(struct shown *shown, uint64_t value) {
  uint64_t count = prof_left_out_count(value);
  uint32_t node = top(shown)->held.node;
  if (!shown->within || node == shown->stack.items[0].held.node)
    return;
  shown->worker->core.nodes[node].uncounted += count;
  shown->worker->sums.hidden += prof_left_out_is_loops(value) ? 0 : count;
}

/* A VALUE counts where the entry of its loop does. */
static void take_value(struct shown *shown, uint32_t site, uint64_t value) {
  uint32_t kind, loop = shown->worker->values ? prof_fold_value_loop(shown->worker, site, &kind) : PROF_NONE;
  struct frame *frame = top(shown);
  if (loop == PROF_NONE || !shown->within || shown->beyond)
    return;
  if ((kind & PROF_SITE_KIND_MASK) == PROF_SITE_LOOP_ENTRY) {
    frame->has_value = frame->state.shown;
    frame->value = value;
    frame->value_of = loop;
    frame->value_kind = kind;
  } else if ((kind & PROF_SITE_KIND_MASK) == PROF_SITE_LOOP_EXIT ? shown->left_counts : frame->state.shown) {
    prof_fold_value_add(shown->worker, loop, kind, value);
  }
}

/* A call of this thread that is shown. */
static bool is_call(const struct frame *frame) {
  return frame->state.shown && !frame->loop && !frame->inherited;
}

/* A call counts: its parts at other places are these nodes', and not its own one's. */
static void settle_parts(struct shown *shown, struct frame *frame) {
  struct prof_fold_core *core = &shown->worker->core;
  for (const struct part *part; frame->part; frame->part = part->before) {
    part = &shown->parts.items[frame->part];
    core->nodes[frame->held.node].total -= part->ticks;
    if (part->node)
      core->nodes[part->node].total += part->ticks;
  }
}

/* The innermost frame that is held is left. */
static void leave_held(struct shown *shown, uint64_t net, bool cut) {
  struct frame *frame = top(shown);
  uint64_t duration = net > frame->held.entry ? net - frame->held.entry : 0;
  bool counts = shown->within && frame->state.shown && duration >= shown->filter->min_ticks;
  struct prof_fold_core *core = &shown->worker->core;
  int64_t net_ticks = prof_fold_net(core, duration, core->serial - frame->held.serial);
  struct prof_fold_frame ended = frame->held;
  ended.node = counts && !frame->loop ? 0 : PROF_FOLD_LOOP; /* a call that isn't shown is its caller's own time */
  prof_fold_pass_on(&top(shown)[-1].held, &ended, net_ticks);
  shown->left_counts = counts && !frame->cut_in && !frame->inherited;
  if (counts && frame->inherited) {
    prof_fold_add_open(core, frame->held.node, duration);
  } else if (counts) {
    add_value(shown, frame);
    if (shown->loose || frame->loose)
      prof_fold_count_loose(core, frame->held.node, duration);
    else
      prof_fold_count(core, frame->held.node, duration, net_ticks, frame->loop ? 0 : frame->held.inner);
    if (frame->counted)
      core->nodes[frame->held.node].calls--;
    settle_parts(shown, frame);
    shown->worker->sums.frames_cut += cut && !frame->cut_in && is_call(frame);
  } else if (shown->within && !frame->counted && frame->held.node != shown->stack.items[0].held.node) {
    if (frame->forker)
      core->nodes[frame->forker].total += duration;
    shown->worker->sums.hidden += !frame->loop && !frame->inherited;
    uint32_t outer = frame->state.shown ? core->nodes[frame->held.node].parent : frame->held.node;
    core->nodes[outer].uncounted++;
  }
  shown->stack.count--;
}

/* `cut`: their real ends are not known. */
static void leave(struct shown *shown, uint64_t count, uint64_t net, bool cut) {
  for (count = prof_leave_beyond(&shown->beyond, count); count > 0 && shown->stack.count > 1; count--)
    leave_held(shown, net, cut);
}

/* What a call that stays, and isn't long enough yet, took since its last part. */
static void add_part(struct shown *shown, struct frame *frame, uint32_t node, uint64_t age) {
  uint64_t before = 0;
  for (uint32_t part = frame->part; part; part = shown->parts.items[part].before)
    before += shown->parts.items[part].ticks;
  const struct part part = {age > before ? age - before : 0, node, frame->part};
  shown->failed |= shown->parts.count == 0 && !prof_vec_push(&shown->parts, (struct part){0});
  if (shown->failed || !prof_vec_push(&shown->parts, part))
    shown->failed = true;
  else
    frame->part = (uint32_t)shown->parts.count - 1;
}

/*
 * What a frame that stays took so far stays with the node that it had, as the whole call is added where it is left.
 * While it is too short to be shown, that is put off.  within_short: so is the frame around it that is left.
 */
static void take_age(struct shown *shown, struct frame *old, struct frame *frame, uint64_t net, bool within_short) {
  struct prof_fold_core *core = &shown->worker->core;
  const uint64_t age = net > old->held.entry ? net - old->held.entry : 0;
  const bool counts = shown->within && age >= shown->filter->min_ticks;
  if (old->inherited) {
    if (counts && old->state.shown && age)
      prof_fold_add_open(core, old->held.node, age);
    frame->held.entry = net;
  } else if (counts) {
    settle_parts(shown, old);
    frame->part = 0;
    if (old->state.shown && !frame->state.shown) { /* it ends here, for a reader of what is shown */
      prof_fold_count(core, old->held.node, age, prof_fold_net(core, age, core->serial - old->held.serial),
                      old->loop ? 0 : old->held.inner);
      core->nodes[old->held.node].calls -= old->counted;
    } else if (old->state.shown) {
      core->nodes[old->held.node].total += age;
    }
    if (frame->state.shown)
      core->nodes[frame->held.node].total -= age;
  } else if (shown->within) {
    const bool was_shown = old->state.shown && frame->state.shown && !within_short;
    frame->part = was_shown ? frame->part : 0;
    if (frame->state.shown)
      add_part(shown, frame, was_shown ? old->held.node : 0, age);
  }
}

/* A frame that stays has another one around it now. */
static void place_again(struct shown *shown, size_t at, uint64_t net, bool within_short) {
  struct frame *frame = &shown->stack.items[at];
  struct frame old = *frame;
  const struct frame *outer = frame - 1;
  const struct prof_fold_edge *edge = prof_fold_edge_of(shown->worker, old.edge);
  const bool quiet = prof_fold_edge_bits(edge) & PROF_FOLD_QUIET;
  frame->state = prof_filter_frame(shown->filter, outer->state, edge->function, old.loop, quiet, old.leads);
  frame->held.node = outer->held.node;
  if (frame->state.shown)
    frame->held.node = prof_fold_child(&shown->worker->core, outer->held.node, edge->key);
  frame->function = old.loop ? outer->function : old.function;
  frame->forker = 0;
  take_age(shown, &old, frame, net, within_short);
}

/* The frame around the `count` innermost ones is left. */
static void leave_around(struct shown *shown, const struct prof_step *step, uint64_t net) {
  const size_t count = shown->stack.count, inside = prof_step_around(step, count - 1, &shown->beyond);
  if (inside == UINT64_MAX)
    return;
  const size_t at = count - 1 - inside;
  const uint64_t begin = shown->stack.items[at].held.entry;
  const bool is_short = net < begin || net - begin < shown->filter->min_ticks;
  struct frame *left = &shown->stack.items[at];
  if (inside && !left[1].inherited) { /* the inner time of both is of calls */
    const int64_t before = left->held.inner;
    struct prof_fold_frame inner = left[1].held;
    uint64_t age = net > inner.entry ? net - inner.entry : 0;
    inner.node = left[1].state.shown && !left[1].loop ? 0 : PROF_FOLD_LOOP;
    prof_fold_pass_on(&left->held, &inner,
                      prof_fold_net(&shown->worker->core, age, shown->worker->core.serial - inner.serial));
    left[-1].held.inner -= left->held.inner - before;
  }
  shown->stack.count = at + 1;
  leave_held(shown, net, false);
  for (size_t i = at; i + 1 < count; i++) {
    shown->stack.items[i] = shown->stack.items[i + 1];
    place_again(shown, i, net, is_short);
  }
  shown->stack.count = count - 1;
}

/* The range begins: what was entered before counts from here.  net: its begin without waits. */
static void begin_range(struct shown *shown, uint64_t net) {
  const uint64_t begin = shown->piece->begin;
  for (size_t i = 1; i < shown->stack.count && begin > shown->piece->floor_time; i++) {
    struct frame *frame = &shown->stack.items[i];
    frame->held.entry = net;
    frame->held.serial = shown->worker->core.serial;
    frame->held.inner = 0;
    frame->part = 0;
    frame->counted = false;
    frame->cut_in = true;
    shown->worker->sums.frames_cut += is_call(frame);
  }
  shown->worker->sums.stalled_ticks -= begin - net;
  shown->within = true;
}

static void take_lists(struct shown *shown) {
  const struct prof_chunk *chunk = &shown->worker->chunk;
  const struct prof_caller_ends *ends = shown->worker->callers ? &shown->worker->callers[shown->piece->chunk] : NULL;
  for (uint32_t i = 0; i < chunk->frame_count; i++) {
    const struct prof_frame *frame = &chunk->frames[i];
    shown->loose = prof_light_slices_hold(&shown->slices, frame->entry);
    enter(shown, frame->edge, frame->entry, prof_fold_frame_begin(shown->worker, shown->piece, frame),
          !ends || i < ends->begin);
    top(shown)->held.inner = PROF_FOLD_INNER_UNKNOWN;
    top(shown)->counted = frame->entry <= shown->piece->counted_until;
    top(shown)->inherited = frame->entry <= shown->piece->fork_time;
    top(shown)->cut_in = frame->entry < shown->piece->floor_time;
    if (shown->piece->cut_in && top(shown)->cut_in && shown->piece->begin <= shown->piece->floor_time)
      shown->worker->sums.frames_cut += is_call(top(shown));
  }
  shown->beyond = chunk->frames_omitted;
}

/* Marks before `time` lie in the innermost frame that is shown, or are not shown themselves. */
static void take_marks(struct shown *shown, uint64_t time) {
  if (shown->within)
    prof_mark_run_assign(&shown->marks, time, top(shown)->held.node, shown->clock.waiting);
  else
    prof_mark_run_skip(&shown->marks, time);
}

/* How many of the `count` innermost frames are functions'. */
static uint64_t functions_among(const struct shown *shown, uint64_t count) {
  uint64_t functions = count, held = count > shown->beyond ? count - shown->beyond : 0;
  for (size_t at = shown->stack.count; at > 1 && held > 0; held--)
    functions -= shown->stack.items[--at].loop;
  return functions;
}

static void add_sums(struct shown *shown, const struct prof_step *step, const struct prof_effect *effect) {
  struct prof_fold_sums *sums = &shown->worker->sums;
  sums->skipped += effect->leaves ? functions_among(shown, step->count) : 0;
  sums->unmatched += effect->unmatched;
  sums->lost += effect->loses ? step->count : 0;
}

static void take_step(struct shown *shown, const struct prof_step *step) {
  const struct prof_effect *effect = &prof_effects[step->op];
  uint64_t net = prof_wait_clock_net(&shown->clock, step->time);
  shown->loose = shown->slices.count && prof_light_slices_hold(&shown->slices, step->time);
  prof_wait_clock_take(&shown->clock, step);
  if (shown->within)
    add_sums(shown, step, effect);
  bool leads = !effect->enters || !shown->worker->callers || prof_caller_scan_next(&shown->worker->caller_scan);
  if (effect->enters)
    enter(shown, step->value, step->time, net, leads);
  else if (effect->tells && step->value == 0)
    take_left_out(shown, step->count);
  else if (effect->tells)
    take_value(shown, step->value, step->count);
  shown->loose |= effect->cuts && prof_fold_goes_on(shown->worker, shown->piece, step->time);
  if (effect->around)
    leave_around(shown, step, net);
  leave(shown, prof_step_frames(step), net, effect->cuts);
}

/* By how many more events than one a step changes what was clocked. */
static uint32_t serial_change(const struct prof_step *step) {
  uint64_t left_out = step->op == PROF_OP_VALUE && step->value == 0 ? prof_left_out_count(step->count) : 0;
  return (uint32_t)(2 * left_out) - prof_op_is_untimed(step->op);
}

/* The open frames, with how long they have been so. */
static void note_going(struct shown *shown, uint64_t end) {
  uint64_t net = prof_wait_clock_net(&shown->clock, end);
  shown->worker->sums.stalled_ticks += shown->within ? end - net : 0;
  for (size_t i = 1; i < shown->stack.count; i++) {
    uint32_t events = shown->worker->core.serial - shown->stack.items[i].held.serial;
    struct prof_fold_inside inside = {shown->piece->thread, events};
    shown->failed |= !prof_vec_push(&shown->worker->inside, inside);
  }
  for (size_t i = 1; i < shown->stack.count && shown->within; i++) {
    const struct frame *frame = &shown->stack.items[i];
    struct prof_fold_going going = {frame->held.node, shown->piece->thread, net - frame->held.entry, frame->inherited};
    if (frame->state.shown)
      shown->failed |= !prof_vec_push(&shown->worker->going, going);
  }
}

/* `end`: of the last step.  That may be one in which nothing happens, up to which frames are open. */
static void take_last(struct shown *shown, uint64_t end) {
  const struct prof_fold_piece *piece = shown->piece;
  if (piece->goes_on && end < piece->end)
    note_going(shown, end);
  if (piece->close)
    take_marks(shown, end);
  take_marks(shown, piece->end < piece->marks_end ? piece->end : piece->marks_end);
}

/* Up to the chunk's first event: what is open there. */
static void take_start(struct shown *shown) {
  const struct prof_fold_piece *piece = shown->piece;
  const uint64_t base_time = shown->worker->chunk.base_time;
  const bool off = piece->resumed && !shown->within && piece->begin <= base_time;
  if (off) { /* the range begins where recording was off: nothing is open */
    take_marks(shown, piece->begin);
    begin_range(shown, prof_wait_clock_net(&shown->clock, piece->begin));
  }
  if (piece->open || off)
    take_marks(shown, base_time);
  take_lists(shown);
}

/* Of what stays open at `end`, a later chunk, in which it is left, doesn't have the values and the parts. */
static void leave_to_later(struct shown *shown, uint64_t end) {
  const uint64_t net = prof_wait_clock_net(&shown->clock, end);
  for (size_t i = 1; i < shown->stack.count; i++) {
    struct frame *frame = &shown->stack.items[i];
    if (shown->within && frame->part && net >= frame->held.entry + shown->filter->min_ticks)
      settle_parts(shown, frame); /* a call that is still too short loses them */
    add_value(shown, frame);
  }
}

bool prof_fold_shown(struct prof_fold_worker *worker, const struct prof_fold_piece *piece) {
  const struct prof_chunk *chunk = &worker->chunk;
  static const struct prof_filter everything = {0};
  struct shown shown = {.worker = worker, .filter = worker->filter ? worker->filter : &everything, .piece = piece};
  prof_wait_clock_begin(&shown.clock, chunk);
  shown.within = piece->begin == 0;
  shown.slices = prof_light_slices_of(worker->trace, piece->thread);
  prof_fold_begin(&worker->core, piece->thread);
  struct frame root = {.held = {.node = worker->core.stack[0].node}, .function = PROF_NONE};
  bool ended = false;
  if (!prof_vec_push(&shown.stack, root)) {
    worker->core.failed = true;
    return true;
  }
  if (piece->open && shown.within)
    worker->sums.stalled_ticks -= chunk->stalled_before;
  shown.marks = prof_mark_run_begin(worker, piece);
  take_start(&shown);
  struct prof_cursor cursor;
  struct prof_step step = {.time = chunk->base_time};
  prof_cursor_begin(&cursor, chunk);
  uint32_t serial = (uint32_t)worker->events_before[piece->chunk];
  worker->core.serial = serial;
  while (!shown.failed && prof_cursor_next(&cursor, &step)) {
    worker->core.serial = serial + cursor.index - 1;
    if (!shown.within && step.time >= piece->begin) {
      take_marks(&shown, piece->begin);
      begin_range(&shown, prof_wait_clock_net_before(&shown.clock, &step, piece->begin));
    }
    if (step.op != PROF_OP_NOTHING)
      take_marks(&shown, step.time < piece->end ? step.time : piece->end);
    if (step.time >= piece->end) {
      ended = true;
      break;
    }
    take_step(&shown, &step);
    serial += serial_change(&step);
    shown.marks.before = step.op != PROF_OP_NOTHING ? step.time : shown.marks.before;
    if (shown.slices.count && step.op != PROF_OP_NOTHING)
      prof_mark_run_note(
          &shown.marks, step.time,
          (struct prof_mark_choice){top(&shown)->held.node, top(&shown)->function, (uint32_t)shown.stack.count});
    worker->sums.events += shown.within;
  }
  worker->core.serial = serial + cursor.index;
  take_last(&shown, ended ? piece->end : cursor.time);
  if (ended || piece->close) {
    const uint64_t end = ended ? piece->end : cursor.time;
    const uint64_t net =
        ended ? prof_wait_clock_net_before(&shown.clock, &step, end) : prof_wait_clock_net(&shown.clock, end);
    shown.loose = prof_light_slices_hold(&shown.slices, end);
    leave(&shown, UINT64_MAX, net, true);
    worker->sums.stalled_ticks += shown.within ? end - net : 0;
  }
  leave_to_later(&shown, cursor.time);
  worker->core.failed |= shown.failed;
  prof_vec_fini(&shown.stack);
  prof_vec_fini(&shown.parts);
  return ended || cursor.index >= chunk->event_count;
}
