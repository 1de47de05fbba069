/*
 * tools/trace/cursor.c - the events of a chunk, one at a time.
 */
#include "bytes.h"
#include "format.h"
#include "proftrace.h"

void prof_cursor_begin(struct prof_cursor *cursor, const struct prof_chunk *chunk) {
  *cursor = (struct prof_cursor){.chunk = chunk, .time = chunk->base_time, .delta = chunk->deltas, .side = chunk->side};
}

static bool take_side(struct prof_cursor *cursor, uint64_t *value) {
  const uint8_t *next = prof_varint_get(cursor->side, cursor->chunk->side_end, value);
  if (next)
    cursor->side = next;
  return next != NULL;
}

static bool take_special(struct prof_cursor *cursor, struct prof_step *step) {
  static const struct {
    uint8_t op, fields;
  } codes[] = {
      [PROF_FORMAT_EXIT_OUTER] = {PROF_OP_EXIT, 1},     [PROF_FORMAT_LANDED] = {PROF_OP_LANDED, 1},
      [PROF_FORMAT_UNMATCHED] = {PROF_OP_UNMATCHED, 1}, [PROF_FORMAT_STALL_BEGIN] = {PROF_OP_STALL_BEGIN, 0},
      [PROF_FORMAT_STALL_END] = {PROF_OP_STALL_END, 0}, [PROF_FORMAT_GAP] = {PROF_OP_GAP, 1},
      [PROF_FORMAT_STOP] = {PROF_OP_STOP, 0},           [PROF_FORMAT_TIME] = {PROF_OP_NOTHING, 1},
  };
  uint64_t code, field = 0;
  if (!take_side(cursor, &code) || code < PROF_FORMAT_EXIT_OUTER || code > PROF_FORMAT_TIME)
    return false;
  if (codes[code].fields && !take_side(cursor, &field))
    return false;
  step->op = codes[code].op;
  if (code == PROF_FORMAT_TIME)
    cursor->time += field;
  else if (code == PROF_FORMAT_UNMATCHED)
    step->value = (uint32_t)field;
  else
    step->count = field;
  return true;
}

bool prof_cursor_next(struct prof_cursor *cursor, struct prof_step *step) {
  const struct prof_chunk *chunk = cursor->chunk;
  uint32_t index = cursor->index;
  if (index >= chunk->event_count)
    return false;
  uint32_t length = (chunk->lengths[index / 4] >> 2 * (index % 4)) & 3;
  uint32_t delta;
  memcpy(&delta, cursor->delta, sizeof delta);
  cursor->delta += length + 1;
  cursor->time += delta & (UINT32_MAX >> 8 * (3 - length));
  uint8_t op = chunk->ops[index];
  *step = (struct prof_step){.op = PROF_OP_EXIT};
  if (op && op <= PROF_FORMAT_OP_LAST_EDGE) {
    step->op = PROF_OP_ENTRY;
    step->value = op - 1u;
  } else if (op == PROF_FORMAT_OP_FAR_EDGE) {
    uint64_t edge;
    if (!take_side(cursor, &edge) || edge >= chunk->edge_count)
      return false;
    step->op = PROF_OP_ENTRY;
    step->value = (uint32_t)edge;
  } else if (op == PROF_FORMAT_OP_SPECIAL && !take_special(cursor, step)) {
    return false;
  }
  step->time = cursor->time;
  cursor->index++;
  return true;
}
