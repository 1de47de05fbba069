/*
 * test_runtime_signals.c - probed signal handlers at a high rate: no event torn, none lost, all nested as they ran.
 *
 * The thread is interrupted everywhere: within bodies (between reservation and commit), at the ends of segments, and in
 * handlers by other signals.  Few segments and a waiting thread make the slow path frequent.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "child.h"
#include "probed.h"
#include "ring_pump_thread.h"

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

PROF_TEST_CHILD(handlers_in_handlers_lose_nothing, handlers_in_handlers)
PROF_TEST_CHILD(handlers_that_jump_away_do_no_harm, handlers_that_jump_away)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(handlers_in_handlers_lose_nothing),
      cmocka_unit_test(handlers_that_jump_away_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
