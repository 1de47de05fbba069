/*
 * test_unwind.c - stacks written by hand, unwound: how they go on, and each way to end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frames_by_hand.h"
#include "source/unwind/unwind.h"

enum {
  RBP = 6,
  BIAS = 0x400000,
  TRAMPOLINE = 0x9000,
  STACK = 0x7fff0000,
  /* Functions, link-time. */
  LEAF = 0x1000,   /* CFA = rsp + 8 */
  FRAMED = 0x1100, /* CFA = rbp + 16, with rbp stored */
  BOTTOM = 0x1200, /* the return address is undefined */
  STUCK = 0x1300,  /* CFA = rsp + 0 */
  PLT = 0x1400,
  HANDLED = 0x1500,   /* signal frame: all in a context at rsp + 16 */
  BY_RCX = 0x1600,    /* CFA = rcx + 8 */
  WILD = 0x1700,      /* CFA = what lies at rbp */
  JUMPING = 0x1800,   /* CFA = rsp, the return address is in rcx */
  JUMPS_FAR = 0x1900, /* as glibc's longjmp: CFA = rdi, rbx lies there, rsp is in r8, the return address in rdx */
  SIZE = 0x100,
};

static struct hand hand;
static struct prof_frame_table *table;
static struct prof_unwind_frame frames[PROF_UNWIND_FRAMES_MAX];
static uint32_t count, pushed_bytes;
static uint64_t stack[2 * PROF_UNWIND_FRAMES_MAX], sled;
static struct prof_unwind_sample sample;

static int set_up(void **state) {
  (void)state;
  hand_cie(&hand, 1, "zR");
  HAND_FDE(&hand, LEAF, SIZE, 0);
  HAND_FDE(&hand, FRAMED, SIZE, 0x0c, RBP, 16, 0x86, 2);
  HAND_FDE(&hand, BOTTOM, SIZE, 0x07, PROF_FRAME_PC);
  HAND_FDE(&hand, STUCK, SIZE, 0x0e, 0);
  /* (rip & 15 >= 11) * 8 + rsp + 8, as linkers write it */
  HAND_FDE(&hand, PLT, SIZE, 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22);
  HAND_FDE(&hand, BY_RCX, SIZE, 0x0c, PROF_FRAME_RCX, 8);
  HAND_FDE(&hand, WILD, SIZE, 0x0f, 3, 0x76, 0, 0x06);
  HAND_FDE(&hand, JUMPING, SIZE, 0x0e, 0, 0x09, PROF_FRAME_PC, PROF_FRAME_RCX);
  HAND_FDE(&hand, JUMPS_FAR, SIZE, 0x0c, 5, 0, 0x11, PROF_FRAME_RBX, 0, 0x09, PROF_FRAME_RSP, 8, 0x09, PROF_FRAME_PC,
           PROF_FRAME_RDX);
  hand_cie(&hand, 1, "zRS");
  HAND_FDE(&hand, HANDLED - 1, SIZE, 0x0f, 3, 0x77, 24, 0x06, 0x10, RBP, 2, 0x77, 32, 0x10, PROF_FRAME_PC, 2, 0x77, 16);
  struct prof_frame_sections sections = {.eh_frame = hand_section(&hand)};
  return (table = prof_frame_table_new(&sections)) == NULL;
}

static int tear_down(void **state) {
  (void)state;
  prof_frame_table_free(table);
  return 0;
}

static void find(void *context, uint64_t address, struct prof_unwind_place *out) {
  assert_ptr_equal(context, &stack);
  if (address == TRAMPOLINE)
    *out = (struct prof_unwind_place){.sled = sled, .pushed_bytes = pushed_bytes};
  else if (address >= BIAS)
    *out = (struct prof_unwind_place){.table = table, .bias = BIAS};
}

static void begin(uint64_t pc) {
  memset(stack, 0, sizeof stack);
  sample = (struct prof_unwind_sample){.stack = (const uint8_t *)stack, .stack_bytes = sizeof stack};
  sample.registers[PROF_FRAME_RSP] = STACK;
  sample.registers[PROF_FRAME_PC] = pc;
}

static enum prof_unwind_end go(void) {
  return prof_unwind(&sample, find, &stack, frames, &count);
}

static void check_frame(uint32_t index, uint64_t pc, uint64_t end, bool is_exact) {
  assert_true(index < count);
  assert_int_equal(frames[index].pc, pc);
  assert_int_equal(frames[index].end, end);
  assert_int_equal(frames[index].is_exact, is_exact);
}

/* leaf <- framed <- framed <- bottom; a return address may lie at the next function's begin. */
static void put_chain(void) {
  begin(BIAS + LEAF + 4);
  sample.registers[RBP] = STACK + 32;
  stack[0] = BIAS + FRAMED + SIZE;
  stack[4] = STACK + 64;
  stack[5] = BIAS + FRAMED + 5;
  stack[8] = 1;
  stack[9] = BIAS + BOTTOM + 5;
}

static void walks_to_the_bottom(void **state) {
  (void)state;
  put_chain();
  assert_int_equal(go(), PROF_UNWIND_BOTTOM);
  assert_int_equal(count, 4);
  check_frame(0, BIAS + LEAF + 4, STACK + 8, true);
  check_frame(1, BIAS + FRAMED + SIZE, STACK + 48, false);
  check_frame(2, BIAS + FRAMED + 5, STACK + 80, false);
  check_frame(3, BIAS + BOTTOM + 5, STACK + 88, false);
  stack[9] = 0;
  assert_int_equal(go(), PROF_UNWIND_BOTTOM);
  assert_int_equal(count, 3);
}

static void ends_at_the_limit(void **state) {
  (void)state;
  put_chain();
  sample.end_limit = STACK + 48;
  assert_int_equal(go(), PROF_UNWIND_LIMIT);
  assert_int_equal(count, 2);
  check_frame(1, BIAS + FRAMED + SIZE, STACK + 48, false);
  sample.end_limit = STACK + 9; /* between two */
  assert_int_equal(go(), PROF_UNWIND_LIMIT);
  assert_int_equal(count, 2);
}

static void ends_where_the_copy_ends(void **state) {
  (void)state;
  put_chain();
  static const struct {
    size_t bytes;
    uint32_t frames;
  } cuts[] = {{0, 1}, {7, 1}, {8, 2}, {39, 2}, {47, 2}, {48, 3}, {79, 3}};
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    sample.stack_bytes = cuts[i].bytes;
    assert_int_equal(go(), PROF_UNWIND_CUT);
    assert_int_equal(count, cuts[i].frames);
  }
  sample.stack_bytes = 80;
  assert_int_equal(go(), PROF_UNWIND_BOTTOM);
}

static void ends_where_nothing_is_known(void **state) {
  (void)state;
  begin(BIAS + LEAF);
  stack[0] = 77;
  assert_int_equal(go(), PROF_UNWIND_NO_RULE);
  assert_int_equal(count, 2);
  check_frame(1, 77, 0, false);
  stack[0] = BIAS + LEAF; /* the call lies before it, where no function is */
  assert_int_equal(go(), PROF_UNWIND_NO_RULE);
  assert_int_equal(count, 2);
}

static void ends_after_too_many(void **state) {
  (void)state;
  begin(BIAS + LEAF);
  for (size_t i = 0; i < sizeof stack / sizeof *stack; i++)
    stack[i] = BIAS + LEAF + 1;
  assert_int_equal(go(), PROF_UNWIND_FULL);
  assert_int_equal(count, PROF_UNWIND_FRAMES_MAX);
}

static void frames_must_grow(void **state) {
  (void)state;
  begin(BIAS + LEAF);
  stack[0] = BIAS + STUCK + 1;
  assert_int_equal(go(), PROF_UNWIND_DAMAGED);
  assert_int_equal(count, 2);
  begin(BIAS + FRAMED);
  sample.registers[RBP] = STACK - 17;
  assert_int_equal(go(), PROF_UNWIND_DAMAGED);
  assert_int_equal(count, 1);
  check_frame(0, BIAS + FRAMED, 0, true);
  sample.registers[RBP] = UINT64_MAX - 20; /* its CFA is the last number but four */
  assert_int_equal(go(), PROF_UNWIND_CUT);
  sample.registers[RBP] = UINT64_MAX - 8; /* beyond */
  assert_int_equal(go(), PROF_UNWIND_DAMAGED);
  begin(BIAS + WILD);
  sample.registers[RBP] = STACK - 1;
  assert_int_equal(go(), PROF_UNWIND_DAMAGED);
  sample.registers[RBP] = UINT64_MAX;
  assert_int_equal(go(), PROF_UNWIND_CUT);
}

/* libgcc jumps to a landing pad like this. */
static void return_address_may_lie_in_a_register(void **state) {
  (void)state;
  begin(BIAS + JUMPING);
  sample.registers[PROF_FRAME_RCX] = BIAS + BOTTOM + 1;
  assert_int_equal(go(), PROF_UNWIND_BOTTOM);
  assert_int_equal(count, 2);
  check_frame(0, BIAS + JUMPING, STACK, true);
  check_frame(1, BIAS + BOTTOM + 1, STACK + 8, false);
}

/* Its CFA is a buffer, above or below the stack that it goes back to. */
static void passes_longjmp(void **state) {
  (void)state;
  static const uint64_t buffers[] = {STACK + 64, STACK - 64};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
    begin(BIAS + JUMPS_FAR);
    sample.registers[5] = buffers[i];
    sample.registers[8] = STACK + 32;
    sample.registers[1] = BIAS + BOTTOM + 1;
    assert_int_equal(go(), PROF_UNWIND_BOTTOM);
    assert_int_equal(count, 2);
    check_frame(0, BIAS + JUMPS_FAR, STACK + 32, true);
    check_frame(1, BIAS + BOTTOM + 1, STACK + 40, false);
  }
}

/* A handler returns to the trampoline; what it interrupted may be the first instruction of a function. */
static void passes_signal_frames(void **state) {
  (void)state;
  begin(BIAS + LEAF + 9);
  stack[0] = BIAS + HANDLED;
  stack[3] = BIAS + FRAMED; /* from rsp + 8: pc, rsp, rbp */
  stack[4] = STACK + 160;
  stack[5] = STACK + 200;
  stack[25] = 3;
  stack[26] = BIAS + BOTTOM + 1;
  assert_int_equal(go(), PROF_UNWIND_BOTTOM);
  assert_int_equal(count, 4);
  check_frame(1, BIAS + HANDLED, STACK + 160, false);
  check_frame(2, BIAS + FRAMED, STACK + 216, true);
  check_frame(3, BIAS + BOTTOM + 1, STACK + 224, false);
}

static void passes_the_plt(void **state) {
  (void)state;
  for (uint64_t within = 0; within < 16; within++) {
    begin(BIAS + PLT + within);
    stack[within >= 11] = BIAS + BOTTOM + 1;
    assert_int_equal(go(), PROF_UNWIND_BOTTOM);
    check_frame(0, BIAS + PLT + within, STACK + (within >= 11 ? 16 : 8), true);
    check_frame(1, BIAS + BOTTOM + 1, STACK + (within >= 11 ? 24 : 16), false);
  }
}

static void leaves_trampolines(void **state) {
  (void)state;
  sled = BIAS + BY_RCX;
  for (pushed_bytes = 0; pushed_bytes <= 160; pushed_bytes += pushed_bytes == 0 ? 128 : 8) {
    begin(TRAMPOLINE);
    uint64_t top = STACK + pushed_bytes; /* the sled's rsp */
    sample.registers[PROF_FRAME_RCX] = pushed_bytes >= 152 ? 1 : top;
    if (pushed_bytes >= 152)
      stack[(pushed_bytes - 152) / 8] = top;
    stack[pushed_bytes / 8] = BIAS + BOTTOM + 1;
    assert_int_equal(go(), PROF_UNWIND_BOTTOM);
    assert_int_equal(count, 2);
    check_frame(0, sled, top + 8, true);
  }
  begin(TRAMPOLINE); /* one that leads to itself, and the copy is short */
  sled = TRAMPOLINE;
  sample.stack_bytes = 8;
  assert_int_equal(go(), PROF_UNWIND_NO_RULE);
}

/* Epilogues pop registers, and the rules go on to say that they are stored. */
static void popped_registers_hold(void **state) {
  (void)state;
  struct hand own = {0};
  hand_cie(&own, 1, "zR");
  HAND_FDE(&own, BOTTOM, SIZE, 0x07, PROF_FRAME_PC);
  HAND_FDE(&own, LEAF, SIZE, 0x86, 2); /* rbp at CFA - 16, below rsp */
  HAND_FDE(&own, FRAMED, SIZE, 0x0c, RBP, 16);
  struct prof_frame_sections sections = {.eh_frame = hand_section(&own)};
  struct prof_frame_table *others = table;
  table = prof_frame_table_new(&sections);
  begin(BIAS + LEAF);
  sample.registers[RBP] = STACK + 16;
  stack[0] = BIAS + FRAMED + 1;
  stack[3] = BIAS + BOTTOM + 1;
  assert_int_equal(go(), PROF_UNWIND_BOTTOM);
  assert_int_equal(count, 3);
  prof_frame_table_free(table);
  table = others;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walks_to_the_bottom),      cmocka_unit_test(ends_at_the_limit),
      cmocka_unit_test(ends_where_the_copy_ends), cmocka_unit_test(ends_where_nothing_is_known),
      cmocka_unit_test(ends_after_too_many),      cmocka_unit_test(frames_must_grow),
      cmocka_unit_test(passes_signal_frames),     cmocka_unit_test(passes_the_plt),
      cmocka_unit_test(leaves_trampolines),       cmocka_unit_test(popped_registers_hold),
      cmocka_unit_test(passes_longjmp),           cmocka_unit_test(return_address_may_lie_in_a_register),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
