/*
 * tools/source/unwind/unwind.c - see unwind.h.
 */
#include "source/unwind/unwind.h"

enum { RED_ZONE_BYTES = 128 };

/* The registers as the sled had them, and its address. */
static void leave_trampoline(struct prof_frame_state *state, const struct prof_unwind_place *place) {
  static const uint8_t pushed[] = {PROF_FRAME_RAX, PROF_FRAME_RDX, PROF_FRAME_RCX, PROF_FRAME_RBX};
  const struct prof_frame_section none = {0};
  uint64_t sled_rsp = state->registers[PROF_FRAME_RSP] + place->pushed_bytes;
  for (unsigned i = 0; i < sizeof pushed && place->pushed_bytes >= RED_ZONE_BYTES + 8 * (i + 1); i++) {
    struct prof_frame_rule rule = {pushed[i], PROF_RULE_AT_CFA, 0, -(int32_t)(RED_ZONE_BYTES + 8 * (i + 1))};
    (void)prof_frame_value(state, &none, &rule, &sled_rsp, &state->registers[pushed[i]]);
  }
  state->registers[PROF_FRAME_RSP] = sled_rsp;
  state->registers[PROF_FRAME_PC] = place->sled;
}

static const enum prof_unwind_end end_of_value[] = {
    [PROF_VALUE_CUT] = PROF_UNWIND_CUT,
    [PROF_VALUE_BELOW] = PROF_UNWIND_DAMAGED,
    [PROF_VALUE_DAMAGED] = PROF_UNWIND_DAMAGED,
};

/* Where the caller's part of the stack begins: at the CFA, but for signal frames and longjmp, whose CFA is a buffer's.
 */
static enum prof_frame_value_status stack_above(const struct prof_frame_state *state, const struct prof_frame_row *row,
                                                const struct prof_frame_rule *rules, uint64_t cfa, uint64_t *out) {
  *out = cfa;
  for (uint8_t i = 0; i < row->rule_count && rules[i].reg <= PROF_FRAME_RSP; i++)
    if (rules[i].reg == PROF_FRAME_RSP)
      return prof_frame_value(state, row->section, &rules[i], &cfa, out);
  return PROF_VALUE_OK;
}

/* Makes `state` the caller's.  PROF_UNWIND_FULL: there may be more, the caller's address is in `state`. */
static enum prof_unwind_end step(struct prof_frame_state *state, const struct prof_frame_row *row,
                                 const struct prof_frame_rule *rules, uint64_t limit, bool is_exact, uint64_t *end) {
  uint64_t cfa, above;
  enum prof_frame_value_status status = prof_frame_value(state, row->section, &row->cfa, NULL, &cfa);
  if (status == PROF_VALUE_OK)
    status = stack_above(state, row, rules, cfa, &above);
  if (status != PROF_VALUE_OK)
    return end_of_value[status];
  /* Before the last jump to a landing pad the return address lies in a register, and nothing on the stack. */
  if (above < state->registers[PROF_FRAME_RSP] || (above == state->registers[PROF_FRAME_RSP] && !is_exact))
    return PROF_UNWIND_DAMAGED;
  *end = above;
  if (limit != 0 && above >= limit)
    return PROF_UNWIND_LIMIT;
  struct prof_frame_state caller = *state;
  caller.registers[PROF_FRAME_PC] = 0;
  for (uint8_t i = 0; i < row->rule_count; i++) {
    if (rules[i].kind == PROF_RULE_UNDEFINED)
      continue;
    status = prof_frame_value(state, row->section, &rules[i], &cfa, &caller.registers[rules[i].reg]);
    /* A slot below the stack pointer was popped already: epilogues don't always say so. */
    if (status != PROF_VALUE_OK && !(status == PROF_VALUE_BELOW && rules[i].reg != PROF_FRAME_PC))
      return end_of_value[status];
  }
  if (caller.registers[PROF_FRAME_PC] == 0)
    return PROF_UNWIND_BOTTOM;
  caller.registers[PROF_FRAME_RSP] = above;
  *state = caller;
  return PROF_UNWIND_FULL;
}

enum prof_unwind_end prof_unwind(const struct prof_unwind_sample *sample, prof_unwind_find *find, void *context,
                                 struct prof_unwind_frame frames[PROF_UNWIND_FRAMES_MAX], uint32_t *count) {
  const struct prof_stack_copy stack = {sample->stack, sample->stack_bytes, sample->registers[PROF_FRAME_RSP]};
  struct prof_frame_state state = {.stack = &stack};
  memcpy(state.registers, sample->registers, sizeof state.registers);
  enum prof_unwind_end end = PROF_UNWIND_FULL;
  bool is_exact = true;
  for (*count = 0; *count < PROF_UNWIND_FRAMES_MAX && end == PROF_UNWIND_FULL; ++*count) {
    struct prof_unwind_place place = {0};
    uint64_t address = state.registers[PROF_FRAME_PC] - !is_exact;
    find(context, address, &place);
    if (place.sled != 0) {
      leave_trampoline(&state, &place);
      is_exact = true;
      address = place.sled;
      place = (struct prof_unwind_place){0};
      find(context, address, &place);
    }
    frames[*count] = (struct prof_unwind_frame){state.registers[PROF_FRAME_PC], 0, is_exact};
    const struct prof_frame_rule *rules = NULL;
    const struct prof_frame_row *row =
        place.table == NULL ? NULL : prof_frame_table_find(place.table, address - place.bias, &rules);
    if (row == NULL || row->section == NULL) {
      end = PROF_UNWIND_NO_RULE;
      continue;
    }
    end = step(&state, row, rules, sample->end_limit, is_exact, &frames[*count].end);
    is_exact = row->signal;
  }
  return end;
}
