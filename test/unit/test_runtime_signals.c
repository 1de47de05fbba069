/*
 * test_runtime_signals.c - probed signal handlers at a high rate: no event torn, none lost, all nested as they ran.
 *
 * The thread is interrupted everywhere: within bodies (between reservation and commit), at the ends of segments, and in
 * handlers by other signals.  Few segments and a waiting thread make the slow path frequent.  Traps interrupt it at
 * each instruction of a probe.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_pump_thread.h"
#include "state.h"

enum { INTERRUPTS = 20000, KINDS = 3 };

static struct ring_double ring;
static struct prof_hooks hooks;
static struct nest nests[2048];
static const int kinds[KINDS] = {SIGUSR1, SIGUSR2, SIGURG}; /* not real-time ones: they would queue up without end */
static const long periods_ns[KINDS] = {20000, 23000, 31000};
static volatile uint64_t handled;

PROBED static void handler(int number) {
  PROF_TEST_SLED(1);
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
  node(number);
  PROF_TEST_SLED(2);
}

/* Signals of that kind from now on, so often; other threads have them blocked. */
static void flood_start(timer_t *timer, int kind, long period_ns) {
  struct itimerspec rate = {{0, period_ns}, {0, period_ns}};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = kind};
  CHECK_EQUAL(timer_create(CLOCK_MONOTONIC, &event, timer), 0);
  CHECK_EQUAL(timer_settime(*timer, 0, &rate, NULL), 0);
}

static void start(uint32_t segments, uint32_t thread_segments) {
  ring_double_open(&ring, segments, thread_segments, PROF_WHEN_FULL_WAIT);
  struct prof_module_start module = prof_test_start(&hooks);
  prof_runtime_attach_v1(&module);
  CHECK_EQUAL(hooks.wire_version, PROF_WIRE_VERSION);
  for (int kind = 0; kind < KINDS; kind++) {
    struct sigaction action = {.sa_handler = handler}; /* the others may interrupt a handler */
    sigemptyset(&action.sa_mask);
    sigaction(kinds[kind], &action, NULL);
  }
}

static void handlers_in_handlers(void) {
  uint64_t calls = 0;
  timer_t timers[KINDS];
  ring_double_hole_ms = 10000; /* every handler comes back, however busy the machine is */
  start(32, 8);
  ring_pump_start(&ring, 50, nest_event, nests);
  for (int kind = 0; kind < KINDS; kind++)
    flood_start(&timers[kind], kinds[kind], periods_ns[kind]);
  while (handled < INTERRUPTS)
    calls += tree(10);
  for (int kind = 0; kind < KINDS; kind++)
    timer_delete(timers[kind]);
  uint64_t holes = ring_pump_stop();
  uint64_t interrupts = handled;
  const struct nest *nest = &nests[0];
  CHECK_EQUAL(ring.control->threads_used, 1);
  CHECK_EQUAL(nest->entries, calls + 4 * interrupts);
  CHECK_EQUAL(nest->exits, nest->entries);
  CHECK_EQUAL(nest->frames, interrupts);
  CHECK_EQUAL(nest->unmatched, 0);
  CHECK_EQUAL(nest->misplaced, 0);
  CHECK_EQUAL(nest->depth, 0);
  CHECK_EQUAL(nest->gaps, 0);
  CHECK_EQUAL(holes, 0);
  CHECK_EQUAL(ring.threads[0].lost, 0);
}

/* Handlers that leave by longjmp leave events unfinished; nothing else may suffer. */
static sigjmp_buf back;
static void jumper(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static void handlers_that_jump_away(void) {
  struct sigaction action = {.sa_handler = jumper};
  volatile uint64_t jumps = 0;
  ring_double_hole_ms = 1; /* nobody comes back to a slot that was jumped away from */
  start(2048, 32);         /* one with a hole isn't used again */
  ring_pump_start(&ring, 50, NULL, NULL);
  sigaction(SIGUSR1, &action, NULL);
  static timer_t timer;
  if (sigsetjmp(back, 1))
    jumps++;
  else
    flood_start(&timer, SIGUSR1, 50000);
  /* Inside the slow path signals are blocked, so a jump never leaves a cell half done. */
  while (jumps < 2000)
    tree(6);
  timer_delete(timer);
  CHECK_EQUAL(tree(8), 511);
  CHECK(ring_pump_stop() > 0); /* some did jump out of a body */
}

/*
 * Traps after each instruction.  One right before a reservation fills the segment up to its end, so that the slot lies
 * behind it, and one right after it moves the thread to another segment.  The recorder then reads up to there, while
 * the interrupted probe has yet to compare its slot with an end.
 */
enum { TRAP_ROUNDS = 200, TRAP_FLAG = 0x100 };
static struct ring_reader reader;
static uint64_t in_handlers, behind_end;
extern const char slow_entry[] __asm__("prof_slow_entry");

static uint32_t segments_taken(void) {
  return __atomic_load_n(&ring.threads[0].taken, __ATOMIC_RELAXED);
}

static long slots_left(void) {
  return (prof_self->limit - __atomic_load_n(&prof_self->cursor, __ATOMIC_RELAXED)) / (long)sizeof(struct prof_event);
}

static void drain(bool last) {
  ring_double_drain(&ring, &reader, 0, last, nest_event, nests);
}

static void leaf_and_read(void) {
  uint32_t taken = segments_taken();
  in_handlers++;
  leaf(1);
  if (taken != segments_taken())
    drain(false);
}

static void at_instruction(int number, siginfo_t *info, void *context) {
  static const uint8_t reservation[] = {0x48, 0x0f, 0xc1, 0x0a}; /* xadd %rcx, (%rdx) */
  (void)number;
  (void)info;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const char *next = (const char *)(uintptr_t)registers[REG_RIP];
  behind_end += slots_left() < 0;
  leaf_and_read();
  while (memcmp(next, reservation, sizeof reservation) == 0 && slots_left() > 1)
    leaf_and_read();
  if (next == slow_entry) /* it blocks all signals; a trap then ends the program */
    registers[REG_EFL] &= ~TRAP_FLAG;
}

static void trap_flag(bool on) {
  if (on)
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" : : : "cc", "memory");
  else
    __asm__ volatile("pushfq; andq $-0x101, (%%rsp); popfq" : : : "cc", "memory");
}

PROBED static void stepped(void) {
  trap_flag(true);
  PROF_TEST_SLED(17);
  trap_flag(true);
  PROF_TEST_SLED(2);
  trap_flag(false);
}

static void handlers_everywhere(void) {
  struct sigaction action = {.sa_sigaction = at_instruction, .sa_flags = SA_SIGINFO};
  const struct nest *nest = &nests[0];
  ring_double_hole_ms = 10000;
  start(64, 32);
  leaf(1);
  sigaction(SIGTRAP, &action, NULL);
  for (uint32_t i = 0; i < TRAP_ROUNDS; i++) { /* small segments, of even and odd lengths */
    ring.control->segment_slots = prof_segment_part_slots(PROF_SEGMENT_FIRST_BYTES) + i % 3;
    stepped();
  }
  drain(true);
  CHECK(behind_end >= TRAP_ROUNDS);
  CHECK_EQUAL(nest->entries, 1 + TRAP_ROUNDS + in_handlers);
  CHECK_EQUAL(nest->exits, nest->entries);
  CHECK_EQUAL(nest->frames, TRAP_ROUNDS);
  CHECK_EQUAL(nest->unmatched, 0);
  CHECK_EQUAL(nest->misplaced, 0);
  CHECK_EQUAL(nest->depth, 0);
  CHECK_EQUAL(reader.holes, 0);
  CHECK_EQUAL(ring.threads[0].lost, 0);
}

PROF_TEST_CHILD(handlers_in_handlers_lose_nothing, handlers_in_handlers)
PROF_TEST_CHILD(handlers_that_jump_away_do_no_harm, handlers_that_jump_away)
PROF_TEST_CHILD(handlers_at_every_instruction_lose_nothing, handlers_everywhere)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(handlers_in_handlers_lose_nothing),
      cmocka_unit_test(handlers_that_jump_away_do_no_harm),
      cmocka_unit_test(handlers_at_every_instruction_lose_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
