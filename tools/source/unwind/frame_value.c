/*
 * tools/source/unwind/frame_value.c - see frame_value.h.
 */
#include "source/unwind/frame_value.h"

enum { DEPTH_MAX = 16, BLOCK_BYTES_MAX = 256 };

static enum prof_frame_value_status stack_read(const struct prof_stack_copy *stack, uint64_t address, uint64_t *out) {
  if (address < stack->address)
    return PROF_VALUE_BELOW;
  uint64_t offset = address - stack->address;
  if (stack->size < sizeof *out || offset > stack->size - sizeof *out)
    return PROF_VALUE_CUT;
  memcpy(out, stack->bytes + offset, sizeof *out);
  return PROF_VALUE_OK;
}

/* Operations, DWARF 5, 7.7.1: those that compilers and C libraries write into unwind rules. */
enum {
  OP_DEREF = 0x06,
  OP_CONST1U = 0x08, /* 1 and 2 and 4 and 8 bytes, each unsigned and signed */
  OP_CONST8S = 0x0f,
  OP_CONSTU = 0x10,
  OP_CONSTS = 0x11,
  OP_AND = 0x1a,
  OP_MINUS = 0x1c,
  OP_OR = 0x21,
  OP_PLUS = 0x22,
  OP_PLUS_UCONST = 0x23,
  OP_SHL = 0x24,
  OP_GE = 0x2a,
  OP_LIT0 = 0x30,
  OP_LIT31 = 0x4f,
  OP_BREG0 = 0x70,
};

struct evaluation {
  const struct prof_frame_state *state;
  uint64_t values[DEPTH_MAX];
  unsigned depth;
};

/* An operation that adds a value; false: it is another one. */
static bool pushes(const struct prof_frame_state *state, uint8_t code, struct prof_bytes *block, uint64_t *out) {
  if (code >= OP_BREG0 && code < OP_BREG0 + PROF_FRAME_REGISTERS) {
    *out = state->registers[code - OP_BREG0] + (uint64_t)prof_bytes_sleb(block);
  } else if (code >= OP_LIT0 && code <= OP_LIT31) {
    *out = code - OP_LIT0;
  } else if (code == OP_CONSTU || code == OP_CONSTS) {
    *out = code == OP_CONSTU ? prof_bytes_uleb(block) : (uint64_t)prof_bytes_sleb(block);
  } else if (code >= OP_CONST1U && code <= OP_CONST8S) {
    unsigned width = 1u << (code - OP_CONST1U) / 2, unused = 64 - 8 * width;
    uint64_t value = prof_bytes_number(block, width) << unused;
    *out = code % 2 == 0 ? value >> unused : (uint64_t)((int64_t)value >> unused);
  } else {
    return false;
  }
  return true;
}

/* Two values become one; false: no such operation. */
static bool joins(uint8_t code, uint64_t left, uint64_t right, uint64_t *out) {
  switch (code) {
  case OP_AND:
    *out = left & right;
    return true;
  case OP_MINUS:
    *out = left - right;
    return true;
  case OP_OR:
    *out = left | right;
    return true;
  case OP_PLUS:
    *out = left + right;
    return true;
  case OP_SHL:
    *out = right < 64 ? left << right : 0;
    return true;
  case OP_GE:
    *out = (int64_t)left >= (int64_t)right;
    return true;
  default:
    return false;
  }
}

static enum prof_frame_value_status operate(struct evaluation *e, struct prof_bytes *block) {
  uint8_t code = prof_bytes_u8(block);
  uint64_t value;
  if (pushes(e->state, code, block, &value)) {
    if (e->depth == DEPTH_MAX)
      return PROF_VALUE_DAMAGED;
    e->values[e->depth++] = value;
    return PROF_VALUE_OK;
  }
  if (e->depth == 0)
    return PROF_VALUE_DAMAGED;
  uint64_t *top = &e->values[e->depth - 1];
  if (code == OP_DEREF)
    return stack_read(e->state->stack, *top, top);
  if (code == OP_PLUS_UCONST) {
    *top += prof_bytes_uleb(block);
    return PROF_VALUE_OK;
  }
  if (e->depth == 1 || !joins(code, top[-1], *top, &top[-1]))
    return PROF_VALUE_DAMAGED;
  e->depth--;
  return PROF_VALUE_OK;
}

/* `first`: on the stack when it begins, or NULL. */
static enum prof_frame_value_status evaluate(const struct prof_frame_state *state,
                                             const struct prof_frame_section *section, uint64_t offset,
                                             const uint64_t *first, uint64_t *out) {
  struct prof_bytes block = prof_bytes_from(section->bytes, section->size, offset);
  uint64_t size = prof_bytes_uleb(&block);
  if (block.bad || size > BLOCK_BYTES_MAX || size > prof_bytes_left(&block))
    return PROF_VALUE_DAMAGED;
  block.end = block.at + size;
  struct evaluation e = {.state = state};
  if (first != NULL)
    e.values[e.depth++] = *first;
  while (block.at < block.end) {
    enum prof_frame_value_status status = operate(&e, &block);
    if (status != PROF_VALUE_OK || block.bad)
      return status != PROF_VALUE_OK ? status : PROF_VALUE_DAMAGED;
  }
  if (e.depth == 0)
    return PROF_VALUE_DAMAGED;
  *out = e.values[e.depth - 1];
  return PROF_VALUE_OK;
}

enum prof_frame_value_status prof_frame_value(const struct prof_frame_state *state,
                                              const struct prof_frame_section *section,
                                              const struct prof_frame_rule *rule, const uint64_t *cfa, uint64_t *out) {
  enum prof_frame_value_status status = PROF_VALUE_OK;
  uint64_t offset = (uint64_t)(int64_t)rule->offset, value;
  switch (rule->kind) {
  case PROF_RULE_AT_CFA:
    return stack_read(state->stack, *cfa + offset, out);
  case PROF_RULE_IS_CFA:
    *out = *cfa + offset;
    return PROF_VALUE_OK;
  case PROF_RULE_REGISTER:
    *out = state->registers[rule->base] + offset;
    return PROF_VALUE_OK;
  case PROF_RULE_AT_EXPRESSION:
  case PROF_RULE_IS_EXPRESSION:
    status = evaluate(state, section, offset, cfa, &value);
    if (status != PROF_VALUE_OK || rule->kind == PROF_RULE_AT_EXPRESSION)
      return status == PROF_VALUE_OK ? stack_read(state->stack, value, out) : status;
    *out = value;
    return PROF_VALUE_OK;
  default:
    return PROF_VALUE_DAMAGED;
  }
}
