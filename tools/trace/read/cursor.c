/*
 * tools/trace/read/cursor.c - the events of a chunk, one at a time.
 */
#include "cursor_inline.h"

#include "trace/bytes.h"
#include "trace/format.h"

_Static_assert(PROF_CHUNK_SPECIAL_VALUE == PROF_FORMAT_VALUE && PROF_CHUNK_OP_SPECIAL == PROF_FORMAT_OP_SPECIAL,
               "one spec");

void prof_cursor_begin(struct prof_cursor *cursor, const struct prof_chunk *chunk) {
  *cursor = (struct prof_cursor){.chunk = chunk, .time = chunk->base_time, .delta = chunk->deltas, .side = chunk->side};
}

static bool take_varint(struct prof_side *side, const struct prof_chunk *chunk, uint64_t *value) {
  const uint8_t *next = prof_varint_get(side->at, chunk->side_end, value);
  if (next)
    side->at = next;
  return next != NULL;
}

static bool take_special(struct prof_side *side, const struct prof_chunk *chunk, struct prof_step *step,
                         uint64_t *added) {
  uint64_t code, value = 0, count = 0;
  const struct prof_format_special_step *special = NULL;
  if (take_varint(side, chunk, &code))
    special = prof_format_special_step(code);
  if (!special || (special->has_value && !take_varint(side, chunk, &value)) ||
      (special->has_count && (!take_varint(side, chunk, &count) || value > UINT32_MAX)))
    return false;
  *step = (struct prof_step){.op = special->op, .value = (uint32_t)value, .count = count};
  if (special->has_operands &&
      (!take_varint(side, chunk, &step->operands[0]) || !take_varint(side, chunk, &step->operands[1])))
    return false;
  if (code == PROF_FORMAT_TIME) {
    *added = count;
    step->count = 0;
  }
  return true;
}

bool prof_side_take(struct prof_side *side, const struct prof_chunk *chunk, uint8_t op, struct prof_step *step,
                    uint64_t *added) {
  *added = 0;
  *step = (struct prof_step){.op = PROF_OP_ENTRY};
  if (op == PROF_FORMAT_OP_SPECIAL)
    return take_special(side, chunk, step, added);
  uint64_t edge;
  if (!take_varint(side, chunk, &edge) || edge >= chunk->edge_count)
    return false;
  step->value = (uint32_t)edge;
  return true;
}

/* The event's delta; *used: its bytes in the delta column. */
static uint32_t delta_at(const struct prof_cursor *cursor, uint32_t *used) {
  const struct prof_chunk *chunk = cursor->chunk;
  uint8_t code = chunk->codes ? chunk->codes[cursor->index] : PROF_FORMAT_CODE_ESCAPE;
  if (code != PROF_FORMAT_CODE_ESCAPE)
    return chunk->table[code];
  return prof_delta_escaped(chunk, cursor->escape, cursor->delta, used);
}

bool prof_cursor_next(struct prof_cursor *cursor, struct prof_step *step) {
  const struct prof_chunk *chunk = cursor->chunk;
  uint32_t index = cursor->index;
  if (index >= chunk->event_count)
    return false;
  uint32_t used = 0;
  uint64_t time = cursor->time + delta_at(cursor, &used);
  uint8_t op = chunk->ops[index];
  if (op >= PROF_FORMAT_OP_FAR_EDGE) {
    struct prof_side side = {cursor->side};
    uint64_t added;
    if (!prof_side_take(&side, chunk, op, step, &added))
      return false;
    cursor->side = side.at;
    time += added;
  } else {
    *step = (struct prof_step){.op = op ? PROF_OP_ENTRY : PROF_OP_EXIT, .value = op ? op - 1u : 0};
  }
  cursor->delta += used;
  cursor->escape += used != 0;
  cursor->time = step->time = time;
  cursor->index++;
  return true;
}
