/*
 * tools/trace/write/encode.c - ring slots in, ops and stack out: the fast way through usual events.  See encode.h;
 * encode_match.c has the rules, columns.c does the bytes.
 */
#include "encode.h"

#include <stdlib.h>
#include <string.h>

#include "delta_columns.h"
#include "encoder_state.h"

#define FRAME_BYTES 28u /* of an open frame, with its edge */

/* Slots taken between two looks at the room in the buffers. */
#define BATCH 512u
/* Where a chunk is full. */
#define FULL_EVENTS (PROF_FORMAT_CHUNK_EVENTS - 2048u)

static uint8_t *put_value(uint8_t *side, uint32_t site, uint64_t time) {
  side = prof_varint_put(side, PROF_FORMAT_VALUE);
  side = prof_varint_put(side, site);
  return prof_varint_put(side, prof_event_value(time));
}

/* Whether a loop is open in the innermost function: then it can't be entered.  Frame 0 is no loop's. */
static bool is_open_loop(const struct prof_open_frame *top, uint32_t loop) {
  while (prof_frame_is_loop(top) && top->function != loop)
    top--;
  return prof_frame_is_loop(top);
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
    uint32_t address = encoder->next_address, loop_entries = 0, values = 0;
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
      if (kind == PROF_EVENT_VALUE) { /* has no time */
        if (site == encoder->ignored_site || !last)
          break;
        side = put_value(side, site, time);
        time = last;
        delta = 0;
        values++;
        op = PROF_FORMAT_OP_SPECIAL;
      } else if (delta >= too_long) {
        break;
      } else if (kind == PROF_EVENT_ENTRY || kind == PROF_EVENT_LOOP_ENTRY) {
        const struct prof_edge_slot *edge = &table[prof_edge_hash(key, shift)];
        if (edge->key != key && (++edge)->key != key) /* one more slot lies behind the last */
          break;
        if (top >= limit)
          break;
        if (kind == PROF_EVENT_LOOP_ENTRY) {
          if (is_open_loop(top, edge->function))
            break;
          *++top = (struct prof_open_frame){time, key, stalled, edge->function, 0};
          loop_entries++;
        } else {
          if (address && prof_frame_is_gone(top, address))
            break;
          *++top = (struct prof_open_frame){time, key, stalled, edge->function, address & ~PROF_EVENT_STACK_INLINED};
          address = 0;
        }
        op = (uint8_t)(edge->index + 1);
        if (edge->index >= PROF_FORMAT_OP_LAST_EDGE) {
          op = PROF_FORMAT_OP_FAR_EDGE;
          side = prof_varint_put(side, edge->index);
        }
      } else if (kind == PROF_EVENT_EXIT || kind == PROF_EVENT_LOOP_EXIT) {
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
    encoder->loop_entries += loop_entries;
    encoder->untimed += values;
    if (!encoder->omitted)
      encoder->depth = (uint32_t)(top - encoder->stack);
    if (!slow)
      return i;
    prof_encoder_take(encoder, time, key, map);
    i++;
    if (encoder->suspended_depth)
      break;
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

/* Room for a batch, and a chunk that has begun if the event at `slot` makes one.  False: the event can't be taken. */
static bool prepare(struct prof_encoder *encoder, const struct prof_event *slot, const struct prof_site_map *map) {
  if (!prof_encoder_reserve(encoder, 2 * BATCH))
    return false;
  if (encoder->count || !prof_encoder_makes_op(encoder, slot->what, map))
    return true;
  bool is_value = prof_event_kind(slot->what) == PROF_EVENT_VALUE;
  if (!prof_encoder_begin(encoder, is_value ? encoder->last_time : slot->time))
    return false;
  if (!encoder->figures.first_ticks)
    encoder->figures.first_ticks = encoder->last_time;
  return true;
}

/* An event that begins no chunk: where none is begun the fast loop has no edges to look at. */
static void take_alone(struct prof_encoder *encoder, struct prof_event *slot, const struct prof_site_map *map) {
  uint64_t time = __atomic_load_n(&slot->time, __ATOMIC_ACQUIRE), key;
  memcpy(&key, &slot->what, sizeof key);
  memset(slot, 0, sizeof *slot);
  prof_encoder_take(encoder, time, key, map);
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
    if (encoder->suspended_depth && !prof_encoder_resume(encoder, &slots[done], map))
      batch = 1;
    if (!prepare(encoder, &slots[done], map)) {
      memset(&slots[done++], 0, sizeof *slots);
      encoder->figures.dropped++;
      continue;
    }
    if (!encoder->count && !prof_encoder_makes_op(encoder, slots[done].what, map)) {
      take_alone(encoder, &slots[done++], map);
      continue;
    }
    done += take_batch(encoder, slots + done, batch, map);
    if (encoder->count > FULL_EVENTS)
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
  encoder->stack[0].function = PROF_MATCHES_NOTHING;
  return encoder;
}

void prof_encoder_keep_forks(struct prof_encoder *encoder, prof_fork_stacks *forks) {
  encoder->forks = forks;
}

void prof_encoder_take_samples(struct prof_encoder *encoder,
                               void (*take)(void *context, uint64_t time, uint32_t site, uint32_t aux), void *context) {
  encoder->take_sample = take;
  encoder->sample_context = context;
}

uint32_t prof_encoder_waiting(const prof_encoder *encoder) {
  return encoder->count;
}

static uint64_t chunk_bytes(size_t frames, size_t edges) {
  return sizeof(struct prof_format_chunk) + sizeof(struct prof_format_events) + frames + edges + PROF_FORMAT_ALIGNMENT;
}

uint64_t prof_encoder_waiting_bytes(const prof_encoder *encoder) {
  if (!encoder->count)
    return 0;
  return chunk_bytes(encoder->frames.count - encoder->frames_spared, encoder->edges.count) + encoder->count +
         encoder->side.count + prof_delta_columns_bound(encoder->count);
}

/* Frames that were open when the last chunk began take as much as they took there. */
uint64_t prof_encoder_begin_bytes(const prof_encoder *encoder) {
  uint64_t more = encoder->depth > encoder->frame_count ? encoder->depth - encoder->frame_count : 0;
  return chunk_bytes(encoder->frames.count - encoder->frames_spared, 0) + more * FRAME_BYTES;
}

void prof_encoder_figures(const prof_encoder *encoder, struct prof_encoder_figures *out) {
  *out = encoder->figures;
  out->events += encoder->count;
  out->untimed += encoder->untimed;
  out->last_ticks = encoder->last_time;
  out->depth = encoder->depth + encoder->omitted;
  out->chunks = encoder->sequence;
}
