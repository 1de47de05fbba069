/*
 * tools/match/plain_events.h - the innermost loop of a matcher: calls whose edges are known, and their ends.
 *
 * Most events of most programs are these.  A call that calls nothing is two events in a row: it never gets onto the
 * stack.  Nothing else is looked at, so that all stays in registers.  It must treat these events as
 * prof_matcher_take does.  For drain.c, which takes what this leaves.
 */
#ifndef PROF_MATCH_PLAIN_EVENTS_H
#define PROF_MATCH_PLAIN_EVENTS_H

#include <string.h>

#include "matcher_state.h"

struct prof_plain { /* what it changes, and what it reads */
  struct prof_columns_end end;
  uint64_t last;                                /* time of the last event; in [1, 2^63) */
  struct prof_open_frame *top;                  /* no function with hooks is about to be entered */
  const struct prof_open_frame *low;            /* the outermost frame that was on top */
  const struct prof_open_frame *lowest, *limit; /* frames up to `lowest` stay; beyond `limit` none has room */
  struct prof_edge_slot *table;
  uint32_t table_shift;
  const struct prof_site_map *map;
  uint64_t stalled; /* ticks; the thread doesn't wait */
};

#define PROF_PLAIN_EDGES (1u << 14) /* indices of two bytes */

static inline uint64_t prof_plain_key(const struct prof_event *slot) {
  uint64_t key;
  memcpy(&key, &slot->what, sizeof key);
  return key;
}

/* Of a slot that isn't finished it is 0: far from any other. */
static inline uint64_t prof_plain_time(const struct prof_event *slot) {
  return __atomic_load_n(&slot->time, __ATOMIC_ACQUIRE);
}

/* Does the event leave a call of `function`?  With an address the rules decide. */
static inline bool prof_plain_is_exit(const struct prof_plain *plain, uint64_t key, uint32_t function) {
  uint32_t site = prof_event_site((uint32_t)key);
  return (key & (0xffffffffull << 32 | (PROF_EVENT_KINDS - 1))) == PROF_EVENT_EXIT && site < plain->map->count &&
         plain->map->functions[site] == function;
}

/* The side bytes of an entry by an edge that has no op of its own. */
static inline void prof_plain_put_far(struct prof_plain *plain, uint32_t edge) {
  plain->end.side[0] = (uint8_t)(edge | 0x80);
  plain->end.side[1] = (uint8_t)(edge >> 7);
  plain->end.side += 2;
}

/* A call in which nothing is called, of two slots, which are emptied. */
static inline void prof_plain_put_call(struct prof_columns_end *end, struct prof_event *slots, uint32_t op,
                                       uint64_t delta, uint64_t inside) {
  const uint64_t deltas = inside << 32 | delta;
  const uint16_t ops = (uint16_t)op; /* and PROF_FORMAT_OP_EXIT, which is 0 */
  memcpy(end->deltas, &deltas, sizeof deltas);
  memcpy(end->ops, &ops, sizeof ops);
  end->deltas += 2;
  end->ops += 2;
  memset(slots, 0, 2 * sizeof *slots);
}

/* Do calls in a row have these entries, the next one at `slot`?  None from last_slot on are looked at. */
static inline bool prof_plain_repeats(const struct prof_event *slot, const struct prof_event *last_slot, uint64_t key) {
  return last_slot - slot > 4 && prof_plain_key(slot) == key && prof_plain_key(slot + 2) == key &&
         prof_plain_key(slot + 4) == key;
}

/*
 * Calls in a row that are like the one before: an entry `key`, then an `exit`.  op: of the entry, one byte.  before:
 * time of the last event; *last becomes that.  Takes slots up to the first of another kind, and none from last_slot on;
 * returns that one.  Not inlined: it would take the registers of the loop around it.
 */
static __attribute__((noinline)) struct prof_event *prof_plain_repeat(struct prof_columns_end *columns, uint64_t *last,
                                                                      struct prof_event *slot,
                                                                      const struct prof_event *last_slot, uint64_t key,
                                                                      uint64_t exit, uint32_t op, uint64_t before) {
  struct prof_columns_end end = *columns;
  while (slot < last_slot) {
    const uint64_t time = prof_plain_time(slot), out = prof_plain_time(slot + 1);
    const uint64_t delta = time - before, inside = out - time;
    if (prof_plain_key(slot) != key || prof_plain_key(slot + 1) != exit || (delta | inside) > UINT32_MAX)
      break;
    prof_plain_put_call(&end, slot, op, delta, inside);
    slot += 2;
    before = out;
  }
  *columns = end;
  *last = before;
  return slot;
}

/*
 * Takes slots up to the first that it can't take, but not the last one; returns the number.  kept: a constant; false:
 * there is no filter, `lowest` and `low` don't matter.  Rare things end the loop, so that all stays in registers.
 */
static inline __attribute__((always_inline)) size_t prof_plain_take(struct prof_plain *plain, struct prof_event *slots,
                                                                    size_t count, const bool kept) {
  struct prof_edge_slot none, *entered = &none; /* entered: by the event before */
  struct prof_event *slot = slots, *const last_slot = slots + count - 1;
  struct prof_columns_end end = plain->end;
  uint64_t last = plain->last;
  struct prof_open_frame *top = plain->top;
  struct prof_edge_slot *const table = plain->table;
  const uint32_t shift = plain->table_shift;
  while (slot < last_slot && top < plain->limit) {
    const uint64_t time = prof_plain_time(slot), key = prof_plain_key(slot), delta = time - last;
    if (delta > UINT32_MAX)
      break;
    if (prof_event_kind((uint32_t)key) == PROF_EVENT_ENTRY) {
      struct prof_edge_slot *edge = &table[prof_edge_hash(key, shift)];
      if (edge->key != key && (++edge)->key != key) /* one more slot lies behind the last */
        break;
      uint32_t op = edge->index + 1;
      if (__builtin_expect(op > PROF_FORMAT_OP_LAST_EDGE, 0)) {
        if (op > PROF_PLAIN_EDGES)
          break;
        prof_plain_put_far(plain, op - 1);
        op = PROF_FORMAT_OP_FAR_EDGE;
      }
      const uint64_t inside = prof_plain_time(slot + 1) - time;
      if (prof_plain_key(slot + 1) == edge->exit && inside <= UINT32_MAX) {
        prof_plain_put_call(&end, slot, op, delta, inside);
        slot += 2;
        last = time + inside;
        if (prof_plain_repeats(slot, last_slot, key) && op != PROF_FORMAT_OP_FAR_EDGE) {
          struct prof_columns_end after = end; /* so that `end` can stay in registers */
          slot = prof_plain_repeat(&after, &plain->last, slot, last_slot, key, edge->exit, op, last);
          end = after;
          last = plain->last;
        }
        continue;
      }
      *++top = (struct prof_open_frame){time, key, plain->stalled, edge->function, 0};
      prof_columns_put(&end, (uint8_t)op, (uint32_t)delta);
      entered = edge;
    } else {
      if (!prof_plain_is_exit(plain, key, top->function) || (kept && top <= plain->lowest))
        break;
      top--;
      if (kept)
        plain->low = top < plain->low ? top : plain->low;
      prof_columns_put(&end, PROF_FORMAT_OP_EXIT, (uint32_t)delta);
      entered->exit = key;
      entered = &none;
    }
    memset(slot, 0, sizeof *slot);
    slot++;
    last = time;
  }
  plain->end.ops = end.ops;
  plain->end.deltas = end.deltas;
  plain->last = last;
  plain->top = top;
  return (size_t)(slot - slots);
}

#endif
