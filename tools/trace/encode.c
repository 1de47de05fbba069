/*
 * tools/trace/encode.c - ring slots in, ops and stack out.  See encode.h; columns.c does the bytes.
 */
#include "encode.h"

#include <stdlib.h>
#include <string.h>

#include "encoder_state.h"

/* Slots taken between two looks at the room in the buffers. */
#define BATCH 1024u

#define MATCHES_NOTHING 0xfffffffeu /* no value of function_of, nor what a recorder may put into its map */

static uint32_t function_of(const struct prof_site_map *map, uint32_t site) {
  uint32_t function = site < map->count ? map->functions[site] : PROF_ENCODER_NO_FUNCTION;
  return function < PROF_ENCODER_NO_FUNCTION ? function : PROF_ENCODER_NO_FUNCTION | site;
}

/* One event's op and time.  The caller has reserved room; side fields follow after this call. */
static void append(struct prof_encoder *encoder, uint8_t op, uint64_t time) {
  if (time < encoder->last_time) {
    encoder->figures.inversions++;
    time = encoder->last_time;
  }
  uint64_t delta = time - encoder->last_time;
  encoder->last_time = time;
  if (delta > UINT32_MAX) {
    append(encoder, PROF_FORMAT_OP_SPECIAL, time);
    prof_payload_varint(&encoder->side, PROF_FORMAT_TIME);
    prof_payload_varint(&encoder->side, delta);
    delta = 0;
  }
  encoder->deltas[encoder->count] = (uint32_t)delta;
  encoder->ops[encoder->count++] = op;
}

static void append_special(struct prof_encoder *encoder, uint64_t time, enum prof_format_special code) {
  append(encoder, PROF_FORMAT_OP_SPECIAL, time);
  prof_payload_varint(&encoder->side, code);
}

static void append_counted(struct prof_encoder *encoder, uint64_t time, enum prof_format_special code,
                           uint64_t number) {
  append_special(encoder, time, code);
  prof_payload_varint(&encoder->side, number);
}

static uint64_t stalled_at(const struct prof_encoder *encoder, uint64_t time) {
  uint64_t running = encoder->stall_begin && time > encoder->stall_begin ? time - encoder->stall_begin : 0;
  return encoder->figures.stalled_ticks + running;
}

static bool grow_stack(struct prof_encoder *encoder) {
  uint32_t limit = encoder->stack_limit * 2;
  if (limit > PROF_FORMAT_FRAME_LIMIT)
    limit = PROF_FORMAT_FRAME_LIMIT;
  struct prof_open_frame *stack = realloc(encoder->stack, (limit + 2) * sizeof *stack);
  if (!stack)
    return false;
  encoder->stack = stack;
  encoder->stack_limit = limit;
  return true;
}

/* Whether a frame is gone when there is a new one of the same stack at `address`, as STACK gives it. */
static bool is_gone(const struct prof_open_frame *frame, uint32_t address) {
  uint32_t above = (address & ~PROF_EVENT_STACK_INLINED) - frame->address;
  return frame->address && above <= PROF_EVENT_STACK_REACH && !(above == 0 && (address & PROF_EVENT_STACK_INLINED));
}

/* Before an entry whose address is known: the frames that are gone (wire/event.h) are left.  False: none. */
static bool leave_gone(struct prof_encoder *encoder, uint64_t time) {
  uint32_t at = encoder->depth;
  while (at && is_gone(&encoder->stack[at], encoder->next_address))
    at--;
  uint32_t gone = encoder->depth - at;
  if (!gone || encoder->omitted)
    return false;
  if (gone > 1)
    append_counted(encoder, time, PROF_FORMAT_EXIT_OUTER, gone - 1);
  else
    append(encoder, PROF_FORMAT_OP_EXIT, time);
  encoder->figures.skipped += gone;
  encoder->depth = at;
  return true;
}

static void enter(struct prof_encoder *encoder, uint64_t time, uint64_t key, const struct prof_site_map *map) {
  uint32_t function = function_of(map, prof_event_site((uint32_t)key)), address = encoder->next_address;
  if (address && leave_gone(encoder, time))
    time = encoder->last_time; /* a step back is counted once */
  encoder->next_address = 0;
  const struct prof_edge_slot *edge = prof_encoder_edge(encoder, key, function);
  if (!edge) {
    encoder->figures.dropped++;
    return;
  }
  uint32_t index = edge->index;
  if (index < PROF_FORMAT_OP_LAST_EDGE) {
    append(encoder, (uint8_t)(index + 1), time);
  } else {
    append(encoder, PROF_FORMAT_OP_FAR_EDGE, time);
    prof_payload_varint(&encoder->side, index);
  }
  bool full = encoder->depth == encoder->stack_limit;
  if (full && encoder->stack_limit < PROF_FORMAT_FRAME_LIMIT)
    full = !grow_stack(encoder);
  struct prof_open_frame *frame = &encoder->stack[encoder->depth + 1];
  if (full) { /* also without memory: readers count what they can't hold, too */
    encoder->omitted++;
    frame->function = MATCHES_NOTHING;
    return;
  }
  encoder->depth++;
  *frame = (struct prof_open_frame){encoder->last_time, key, stalled_at(encoder, encoder->last_time), function,
                                    address & ~PROF_EVENT_STACK_INLINED};
}

/* The innermost frame of a function with that address; 0: none. */
static uint32_t leaving(const struct prof_encoder *encoder, uint32_t function, uint32_t address) {
  uint32_t at = address ? encoder->depth : 0;
  while (at && (encoder->stack[at].function != function || encoder->stack[at].address != address))
    at--;
  return at;
}

static void leave(struct prof_encoder *encoder, uint64_t time, uint32_t site, uint32_t address,
                  const struct prof_site_map *map) {
  if (encoder->omitted) { /* whose function isn't known */
    encoder->omitted--;
    append(encoder, PROF_FORMAT_OP_EXIT, time);
    return;
  }
  uint32_t function = function_of(map, site), at = leaving(encoder, function, address);
  if (!at)
    for (at = encoder->depth; at && encoder->stack[at].function != function;)
      at--;
  if (!at) {
    encoder->figures.unmatched++;
    append_counted(encoder, time, PROF_FORMAT_UNMATCHED, site);
    return;
  }
  uint32_t inside = encoder->depth - at;
  if (inside)
    append_counted(encoder, time, PROF_FORMAT_EXIT_OUTER, inside);
  else
    append(encoder, PROF_FORMAT_OP_EXIT, time);
  encoder->figures.skipped += inside;
  encoder->depth = at - 1;
}

/* The frame where control landed, 0: none. */
static uint32_t landing(const struct prof_encoder *encoder, uint32_t function, uint32_t address) {
  uint32_t maybe = 0;
  for (uint32_t at = encoder->depth; at; at--) {
    const struct prof_open_frame *frame = &encoder->stack[at];
    if (frame->function != function)
      continue;
    if (address && frame->address == address)
      return at;
    if (!maybe && (!address || !frame->address))
      maybe = at;
  }
  return encoder->omitted ? 0 : maybe; /* a frame that isn't held could be the nearer one */
}

static void land(struct prof_encoder *encoder, uint64_t time, uint32_t site, uint32_t address,
                 const struct prof_site_map *map) {
  uint32_t at = landing(encoder, function_of(map, site), address);
  if (!at) {
    encoder->figures.unmatched++;
    append_counted(encoder, time, PROF_FORMAT_UNMATCHED, site);
    return;
  }
  uint32_t inside = encoder->depth - at + encoder->omitted;
  append_counted(encoder, time, PROF_FORMAT_LANDED, inside);
  encoder->figures.skipped += inside;
  encoder->depth = at;
  encoder->omitted = 0;
}

/* The thread has ended from below, without the exits of its frames. */
static void leave_all(struct prof_encoder *encoder, uint64_t time) {
  uint32_t inside = encoder->depth + encoder->omitted;
  if (!inside)
    return;
  append_counted(encoder, time, PROF_FORMAT_LANDED, inside);
  encoder->figures.skipped += inside;
  encoder->depth = encoder->omitted = 0;
}

static void stall_begin(struct prof_encoder *encoder, uint64_t time) {
  if (encoder->stall_begin)
    return;
  append_special(encoder, time, PROF_FORMAT_STALL_BEGIN);
  encoder->stall_begin = encoder->last_time;
}

static void stall_end(struct prof_encoder *encoder, uint64_t time) {
  if (!encoder->stall_begin)
    return;
  append_special(encoder, time, PROF_FORMAT_STALL_END);
  encoder->figures.stalled_ticks += encoder->last_time - encoder->stall_begin;
  encoder->stall_begin = 0;
}

static void keep_fork(struct prof_encoder *encoder, uint64_t time, uint32_t fork) {
  const struct prof_fork_stack stack = {.fork = fork,
                                        .depth = encoder->depth,
                                        .omitted = encoder->omitted,
                                        .time = time > encoder->last_time ? time : encoder->last_time,
                                        .frames = encoder->stack + 1};
  if (encoder->forks)
    prof_fork_stacks_keep(encoder->forks, &stack);
}

/* Any event, by the book.  Everything that the fast loop below doesn't take comes here. */
static __attribute__((noinline)) void take(struct prof_encoder *encoder, uint64_t time, uint64_t key,
                                           const struct prof_site_map *map) {
  uint32_t what = (uint32_t)key, aux = (uint32_t)(key >> 32), site = prof_event_site(what);
  switch (prof_event_kind(what)) {
  case PROF_EVENT_ENTRY:
    enter(encoder, time, key, map);
    break;
  case PROF_EVENT_EXIT:
    leave(encoder, time, site, aux, map);
    break;
  case PROF_EVENT_LANDED:
    land(encoder, time, site, aux, map);
    break;
  case PROF_EVENT_FRAME:
    if (encoder->depth && !encoder->omitted && prof_event_site((uint32_t)encoder->stack[encoder->depth].key) == site)
      encoder->stack[encoder->depth].address = aux;
    break;
  case PROF_EVENT_STACK:
    encoder->next_address = aux;
    break;
  case PROF_EVENT_STALL_BEGIN:
    stall_begin(encoder, time);
    break;
  case PROF_EVENT_STALL_END:
    stall_end(encoder, time);
    break;
  case PROF_EVENT_GAP:
    append_counted(encoder, time, PROF_FORMAT_GAP, aux);
    encoder->figures.gap_lost += aux;
    break;
  case PROF_EVENT_STOP:
    append_special(encoder, time, PROF_FORMAT_STOP);
    encoder->depth = encoder->omitted = 0;
    break;
  case PROF_EVENT_BOTTOM:
    leave_all(encoder, time);
    break;
  case PROF_EVENT_FORK:
    keep_fork(encoder, time, aux);
    break;
  case PROF_EVENT_NONE: /* a slot that its thread gave up */
    break;
  default: /* a kind of a later version */
    encoder->figures.dropped++;
  }
}

/*
 * The fast loop: entries by known edges and exits of the innermost frame, with the encoder's state in registers.
 * Returns how many slots it took: all, or those before the first empty one. Long: each part that left it would pass
 * that state through memory on each event.
 */
static size_t take_batch(struct prof_encoder *encoder, struct prof_event *slots, size_t count,
                         const struct prof_site_map *map) {
  size_t i = 0;
  while (i < count) {
    uint8_t *ops = encoder->ops + encoder->count, *first_op = ops;
    uint8_t *side = encoder->side.items + encoder->side.count;
    uint32_t *deltas = encoder->deltas + encoder->count;
    uint64_t last = encoder->last_time;
    struct prof_open_frame *top = encoder->stack + encoder->depth + (encoder->omitted ? 1 : 0);
    const struct prof_open_frame *limit = encoder->stack + encoder->stack_limit;
    const struct prof_edge_slot *table = encoder->table;
    const uint32_t shift = encoder->table_shift, site_count = map->count;
    const uint32_t *functions = map->functions;
    const uint64_t stalled = encoder->figures.stalled_ticks;
    /* While the thread waits every event goes the slow way: their frames' stalls grow with the time. */
    const uint64_t too_long = encoder->stall_begin ? 0 : (uint64_t)UINT32_MAX + 1;
    uint64_t time = 0, key = 0;
    uint32_t address = encoder->next_address;
    bool slow = false;
    for (; i < count; i++) {
      struct prof_event *slot = &slots[i];
      time = __atomic_load_n(&slot->time, __ATOMIC_ACQUIRE);
      if (!time)
        break;
      memcpy(&key, &slot->what, sizeof key);
      memset(slot, 0, sizeof *slot);
      uint64_t delta = time - last;
      uint32_t kind = prof_event_kind((uint32_t)key), site = prof_event_site((uint32_t)key);
      uint8_t op = PROF_FORMAT_OP_EXIT;
      slow = true;
      if (delta >= too_long)
        break;
      if (kind == PROF_EVENT_ENTRY) {
        const struct prof_edge_slot *edge = &table[prof_edge_hash(key, shift)];
        if (edge->key != key && (++edge)->key != key) /* one more slot lies behind the last */
          break;
        if (top >= limit || (address && is_gone(top, address)))
          break;
        *++top = (struct prof_open_frame){time, key, stalled, edge->function, address & ~PROF_EVENT_STACK_INLINED};
        address = 0;
        op = (uint8_t)(edge->index + 1);
        if (edge->index >= PROF_FORMAT_OP_LAST_EDGE) {
          op = PROF_FORMAT_OP_FAR_EDGE;
          side = prof_varint_put(side, edge->index);
        }
      } else if (kind == PROF_EVENT_EXIT) {
        uint32_t aux = (uint32_t)(key >> 32);
        if (site >= site_count || functions[site] != top->function || (aux && aux != top->address))
          break;
        top--;
      } else if (kind == PROF_EVENT_STACK) {
        address = (uint32_t)(key >> 32);
        slow = false;
        continue;
      } else {
        break;
      }
      slow = false;
      last = time;
      *deltas++ = (uint32_t)delta;
      *ops++ = op;
    }
    encoder->count += (uint32_t)(ops - first_op);
    encoder->side.count = (size_t)(side - encoder->side.items);
    encoder->last_time = last;
    encoder->next_address = address;
    if (!encoder->omitted)
      encoder->depth = (uint32_t)(top - encoder->stack);
    if (!slow)
      return i;
    take(encoder, time, key, map);
    i++;
  }
  return i;
}

/* Empty slots from `at` on; those before a finished one were begun and never finished. */
static size_t pass_empty(struct prof_encoder *encoder, struct prof_event *slots, size_t at, size_t count) {
  size_t next = at;
  while (next < count && !__atomic_load_n(&slots[next].time, __ATOMIC_ACQUIRE)) {
    memset(&slots[next], 0, sizeof slots[next]);
    next++;
  }
  if (next < count)
    encoder->figures.torn += next - at;
  return next;
}

/* Whether an event becomes one of a chunk.  Those that don't must not begin one: its base_time would be theirs. */
static bool makes_op(const struct prof_encoder *encoder, uint32_t what) {
  uint32_t kind = prof_event_kind(what);
  if (kind == PROF_EVENT_STALL_BEGIN || kind == PROF_EVENT_STALL_END)
    return (kind == PROF_EVENT_STALL_END) == (encoder->stall_begin != 0);
  if (kind == PROF_EVENT_BOTTOM)
    return encoder->depth + encoder->omitted > 0;
  return kind != PROF_EVENT_NONE && kind != PROF_EVENT_FRAME && kind <= PROF_EVENT_STOP; /* not: FORK, STACK */
}

/* Room for a batch, and a chunk that has begun if the event at `slot` makes one.  False: the event can't be taken. */
static bool prepare(struct prof_encoder *encoder, const struct prof_event *slot) {
  if (!prof_encoder_reserve(encoder, 2 * BATCH))
    return false;
  if (encoder->count || !makes_op(encoder, slot->what))
    return true;
  if (!prof_encoder_begin(encoder, slot->time))
    return false;
  if (!encoder->figures.first_ticks)
    encoder->figures.first_ticks = encoder->last_time;
  return true;
}

size_t prof_encoder_drain(struct prof_encoder *encoder, struct prof_event *slots, size_t count,
                          const struct prof_site_map *map, bool skip_empty) {
  size_t done = 0;
  while (done < count) {
    uint64_t time = __atomic_load_n(&slots[done].time, __ATOMIC_ACQUIRE);
    if (!time) {
      if (!skip_empty)
        break;
      done = pass_empty(encoder, slots, done, count);
      continue;
    }
    size_t batch = count - done < BATCH ? count - done : BATCH;
    if (!prepare(encoder, &slots[done])) {
      memset(&slots[done++], 0, sizeof *slots);
      encoder->figures.dropped++;
      continue;
    }
    if (!encoder->count && !makes_op(encoder, slots[done].what))
      batch = 1;
    done += take_batch(encoder, slots + done, batch, map);
    if (encoder->count > PROF_FORMAT_CHUNK_EVENTS - 2 * BATCH)
      (void)prof_encoder_flush(encoder, false); /* the writer keeps the error */
  }
  return done;
}

prof_encoder *prof_encoder_new(prof_packer *packer, uint32_t thread) {
  struct prof_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder)
    return NULL;
  encoder->packer = packer;
  encoder->thread = thread;
  encoder->stack_limit = 30;
  encoder->stack = calloc(encoder->stack_limit + 2, sizeof *encoder->stack);
  if (!encoder->stack) {
    prof_encoder_free(encoder);
    return NULL;
  }
  encoder->stack[0].function = MATCHES_NOTHING;
  return encoder;
}

void prof_encoder_keep_forks(struct prof_encoder *encoder, prof_fork_stacks *forks) {
  encoder->forks = forks;
}

bool prof_encoder_inherit(struct prof_encoder *encoder, const struct prof_fork_stack *stack) {
  if (!stack->depth)
    return true;
  while (encoder->stack_limit < stack->depth)
    if (!grow_stack(encoder))
      return false;
  for (uint32_t i = 0; i < stack->depth; i++) {
    encoder->stack[i + 1] = stack->frames[i];
    encoder->stack[i + 1].entry = stack->time;
    encoder->stack[i + 1].stalled = 0;
  }
  encoder->depth = stack->depth;
  encoder->omitted = stack->omitted;
  encoder->stack[encoder->depth + 1].function = MATCHES_NOTHING;
  if (!prof_encoder_reserve(encoder, 2 * BATCH) || !prof_encoder_begin(encoder, stack->time)) {
    encoder->depth = encoder->omitted = 0;
    return false;
  }
  /* An event at the time of the fork, which does nothing: a chunk's frames are those that are open at its first one. */
  append_counted(encoder, stack->time, PROF_FORMAT_TIME, 0);
  encoder->figures.first_ticks = stack->time;
  return true;
}

uint32_t prof_encoder_waiting(const prof_encoder *encoder) {
  return encoder->count;
}

void prof_encoder_figures(const prof_encoder *encoder, struct prof_encoder_figures *out) {
  *out = encoder->figures;
  out->events += encoder->count;
  out->last_ticks = encoder->last_time;
  out->depth = encoder->depth + encoder->omitted;
  out->chunks = encoder->sequence;
}
