/*
 * test_runtime_loops.c - bodies of loop probes: the value of every register, and nothing changed by them.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arch.h"
#include "event.h"
#include "ring_double.h"
#include "sled.h"

static struct ring_double ring;
static struct prof_hooks hooks;

enum { REGISTERS = 16, RSP = 4, RDI = 7 };

/*
 * Three functions for register `number`: LOOP_ENTRY, LOOP_EXIT, LOOP_COUNT.  void f(const uint64_t in[16], uint64_t
 * out[16]) loads all registers but rsp from `in` and stores what the sled leaves in them; out[4] is the change of rsp.
 */
#define LOOP_FUNCTION(name, kind)                                                                                      \
  "\t.type " name ",@function\n" name ":\n"                                                                            \
  "\tpush %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\tpush %rsi\n\tmov %rsp, -8(%rsp)\n"  \
  "\tmov 0(%rdi), %rax\n\tmov 8(%rdi), %rcx\n\tmov 16(%rdi), %rdx\n\tmov 24(%rdi), %rbx\n\tmov 40(%rdi), %rbp\n"       \
  "\tmov 48(%rdi), %rsi\n\tmov 64(%rdi), %r8\n\tmov 72(%rdi), %r9\n\tmov 80(%rdi), %r10\n\tmov 88(%rdi), %r11\n"       \
  "\tmov 96(%rdi), %r12\n\tmov 104(%rdi), %r13\n\tmov 112(%rdi), %r14\n\tmov 120(%rdi), %r15\n\tmov 56(%rdi), %rdi\n"  \
  "\t.p2align 3,,4\n"                                                                                                  \
  "1:\t.byte 0x0f,0x1f,0x44,0,0\n"                                                                                     \
  "\t.pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits," name "\n"                                                  \
  "\t.p2align 2\n"                                                                                                     \
  "2:\t.long 1b-2b, " kind "\n"                                                                                        \
  "\t.popsection\n"                                                                                                    \
  "\txchg %rsi, (%rsp)\n"                                                                                              \
  "\tmov %rax, 0(%rsi)\n\tmov %rcx, 8(%rsi)\n\tmov %rdx, 16(%rsi)\n\tmov %rbx, 24(%rsi)\n\tmov %rbp, 40(%rsi)\n"       \
  "\tmov %rdi, 56(%rsi)\n\tmov %r8, 64(%rsi)\n\tmov %r9, 72(%rsi)\n\tmov %r10, 80(%rsi)\n\tmov %r11, 88(%rsi)\n"       \
  "\tmov %r12, 96(%rsi)\n\tmov %r13, 104(%rsi)\n\tmov %r14, 112(%rsi)\n\tmov %r15, 120(%rsi)\n"                        \
  "\tmov (%rsp), %rax\n\tmov %rax, 48(%rsi)\n\tmov -8(%rsp), %rax\n\tsub %rsp, %rax\n\tmov %rax, 32(%rsi)\n"           \
  "\tpop %rax\n\tpop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\tpop %rbx\n\tret\n"                        \
  "\t.size " name ",.-" name "\n"

/* In the order of their rows: for each register an entry, an exit, a count. */
__asm__(".text\n"
        "loop_functions_begin:\n"
        "\t.irp number,0,1,2,3,5,6,7,8,9,10,11,12,13,14,15\n"       /**/
        LOOP_FUNCTION("loop_entry_\\number", "12+32+(\\number<<8)") /**/
        LOOP_FUNCTION("loop_exit_\\number", "13+32+(\\number<<8)")  /**/
        LOOP_FUNCTION("loop_count_\\number", "14+32+(\\number<<8)") /**/
        "\t.endr\n"                                                 /**/
        LOOP_FUNCTION("loop_entry_plain", "12")                     /**/
        LOOP_FUNCTION("loop_exit_plain", "13+64")                   /**/
        "\t.section .data.rel.ro,\"aw\"\n"
        "\t.p2align 3\n"
        "loop_functions:\n"
        "\t.irp number,0,1,2,3,5,6,7,8,9,10,11,12,13,14,15\n"
        "\t.quad loop_entry_\\number, loop_exit_\\number, loop_count_\\number\n"
        "\t.endr\n"
        "\t.quad loop_entry_plain, loop_exit_plain\n"
        "\t.text\n");

typedef void loop_fn(const uint64_t in[REGISTERS], uint64_t out[REGISTERS]);
extern loop_fn *const loop_functions[] __attribute__((visibility("hidden")));

enum { KINDS = 3, FUNCTIONS = KINDS * (REGISTERS - 1) + 2, PLAIN = FUNCTIONS - 2 };

static uint32_t number_of(size_t function) {
  return (uint32_t)(function / KINDS + (function / KINDS >= RSP));
}

static uint64_t value_of(uint32_t number) {
  return 0x0123456700000000u + number * 0x1001;
}

static struct prof_module_start start;

static int set_up(void **state) {
  (void)state;
  ring_double_open(&ring, 64, 32, PROF_WHEN_FULL_DROP);
  start = prof_test_start(&hooks);
  prof_runtime_attach_v1(&start);
  return hooks.wire_version == PROF_WIRE_VERSION ? 0 : -1;
}

/* Runs function `n` and looks at what it left in the registers. */
static void run(size_t n) {
  uint64_t in[REGISTERS], out[REGISTERS];
  for (uint32_t i = 0; i < REGISTERS; i++)
    in[i] = value_of(i);
  memset(out, 0xee, sizeof out);
  loop_functions[n](in, out);
  for (uint32_t i = 0; i < REGISTERS; i++)
    if (i != RSP && out[i] != in[i])
      fail_msg("function %zu changed register %u", n, i);
}

static void values_of_all_registers(void **state) {
  (void)state;
  for (size_t n = 0; n < FUNCTIONS; n++)
    run(n);
  size_t count;
  uint32_t thread = ring_double_find(&ring, gettid());
  assert_int_not_equal(thread, UINT32_MAX);
  struct prof_event *events = ring_double_events(&ring, thread, &count), *event = events;
  assert_int_equal(count, (REGISTERS - 1) * 5 + 2);
  uint64_t time = 0;
  for (size_t n = 0; n < FUNCTIONS; n++) {
    uint32_t kind =
        n < PLAIN ? PROF_EVENT_LOOP_ENTRY + (uint32_t)(n % KINDS) : PROF_EVENT_LOOP_ENTRY + (uint32_t)(n - PLAIN);
    uint32_t site = (uint32_t)n + 1;
    if (kind != PROF_EVENT_VALUE) {
      assert_int_equal(event->what, prof_event_what(site, kind));
      assert_int_equal(event->aux, 0);
      assert_true(event->time >= time && !(event->time & PROF_EVENT_VALUE_BIT));
      time = event++->time;
    }
    if (n < PLAIN) {
      assert_int_equal(event->what, prof_event_what(site, PROF_EVENT_VALUE));
      assert_int_equal(event->aux, 0);
      assert_true(event->time == (PROF_EVENT_VALUE_BIT | value_of(number_of(n))));
      event++;
    }
  }
  free(events);
}

/* A row that names rsp, and a count that names no register, have no body. */
static void rows_without_a_register_are_left_alone(void **state) {
  static const struct {
    uint32_t kind;
    bool known;
  } rows[] = {
      {PROF_PROBE_LOOP_ENTRY, true},
      {PROF_PROBE_LOOP_ENTRY | PROF_ROW_HAS_VALUE | 15 << PROF_ROW_REGISTER_SHIFT, true},
      {PROF_PROBE_LOOP_ENTRY | PROF_ROW_HAS_VALUE | RSP << PROF_ROW_REGISTER_SHIFT, false},
      {PROF_PROBE_LOOP_EXIT | PROF_ROW_MAYBE, true},
      {PROF_PROBE_LOOP_EXIT | PROF_ROW_HAS_VALUE | RSP << PROF_ROW_REGISTER_SHIFT, false},
      {PROF_PROBE_LOOP_COUNT | PROF_ROW_HAS_VALUE, true},
      {PROF_PROBE_LOOP_COUNT | PROF_ROW_HAS_VALUE | PROF_ROW_COUNTS_ENTRIES, true},
      {PROF_PROBE_LOOP_COUNT | PROF_ROW_HAS_VALUE | RSP << PROF_ROW_REGISTER_SHIFT, false},
      {PROF_PROBE_LOOP_COUNT, false},
      {PROF_PROBE_ENTRY | PROF_ROW_WANTS_FRAME, true},
      {0, false},
      {PROF_PROBE_LINE | PROF_ROW_LINE_CALLS, true},
      {PROF_PROBE_PLACE, false},
      {PROF_PROBE_VALUE | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE, true},
      {PROF_PROBE_VALUE | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE | PROF_SHOWN_TEXT << PROF_ROW_SHOWN_SHIFT, true},
      {PROF_PROBE_VALUE | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE | RSP << PROF_ROW_REGISTER_SHIFT, false},
      {PROF_PROBE_VALUE | PROF_ROW_ZONE, false},
      {PROF_PROBE_POINT | PROF_ROW_ZONE, true},
      {PROF_PROBE_POINT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE, true},
      {PROF_PROBE_POINT | PROF_ROW_ZONE | PROF_ROW_HAS_VALUE | RSP << PROF_ROW_REGISTER_SHIFT, false},
      {PROF_PROBE_GATE | PROF_ROW_ZONE, true},
      {PROF_PROBE_GATE + 1, false},
      {15, false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_true(prof_trampoline_knows(rows[i].kind) == rows[i].known);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_of_all_registers),
      cmocka_unit_test(rows_without_a_register_are_left_alone),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
