/*
 * calibrate.c - what one event costs, measured in the program itself, once per image.
 *
 * Bodies are generated and run with a private cell and segment, before anything is patched: one right after another,
 * which is the most that one can cost, and between stretches of work that keep the processor's units busy, where part
 * of a body's wait for the clock is filled with work.  The same work without bodies is taken off.  What a body costs in
 * a program lies between the two, or below where the program itself waits (for memory, for a long chain of
 * instructions). The least of several rounds counts: what disturbs a round only makes it longer.
 */
#include "runtime.h"
#include "system.h"

#define AREA_BYTES ((size_t)16384)
#define EVENT_BYTES ((size_t)65536)
#define ROUND_PAIRS 500u
#define ROUNDS 12
#define WORK_GROUPS 80u /* of four instructions: about 20 ns, what programs do between two probes */

static uint64_t run_round(struct prof_cell *cell, char *segment, uint8_t *run) {
  cell->cursor = segment;
  cell->end = segment + EVENT_BYTES;
  uint64_t begin = prof_clock_ticks();
  ((void (*)(uint32_t))(uintptr_t)run)(ROUND_PAIRS);
  return prof_clock_ticks() - begin;
}

/* What bodies cost, thousandths of a tick: alone, and among work.  slot: bodies of lines, which use it. */
static bool cost_measure(const void *slot, uint32_t *alone, uint32_t *among) {
  const struct prof_body_loop loops[] = {{true, slot, 0}, {true, slot, WORK_GROUPS}, {false, NULL, WORK_GROUPS}};
  enum { LOOPS = sizeof loops / sizeof *loops };
  uint8_t *memory = prof_memory_map(AREA_BYTES + EVENT_BYTES);
  if (!memory)
    return false;
  uint8_t *run[LOOPS], *at = prof_body_begin(memory);
  uint64_t ticks[LOOPS];
  for (int i = 0; i < LOOPS; i++)
    at = prof_body_loop_write(memory, at, &loops[i], &run[i]);
  bool is_allowed = prof_syscall(SYS_mprotect, (long)memory, AREA_BYTES, PROT_READ | PROT_EXEC, 0, 0, 0) == 0;
  if (is_allowed) {
    uint64_t mask = prof_signals_block();
    struct prof_cell cell = {.line = slot ? PROF_LINE_NONE : 0}, *before = prof_self;
    prof_self = &cell;
    for (int round = 0; round < ROUNDS; round++)
      for (int i = 0; i < LOOPS; i++) { /* in turn, so that a slow phase of the machine meets all of them */
        uint64_t taken = run_round(&cell, (char *)memory + AREA_BYTES, run[i]);
        ticks[i] = round == 0 || taken < ticks[i] ? taken : ticks[i];
      }
    prof_self = before;
    prof_signals_restore(mask);
    *alone = (uint32_t)(ticks[0] * 1000 / (2 * ROUND_PAIRS));
    *among = ticks[1] > ticks[2] ? (uint32_t)((ticks[1] - ticks[2]) * 1000 / (2 * ROUND_PAIRS)) : 0;
    *among = *among < *alone ? *among : *alone;
  }
  prof_syscall(SYS_munmap, (long)memory, AREA_BYTES + EVENT_BYTES, 0, 0, 0, 0);
  return is_allowed;
}

struct prof_event_cost prof_calibrate(void) {
  struct prof_event_cost cost = {0, 0};
  return cost_measure(NULL, &cost.alone, &cost.among) ? cost : (struct prof_event_cost){0, 0};
}

struct prof_line_cost prof_calibrate_line(void) {
  static struct prof_times_slot slot; /* under the lock of attaching */
  struct prof_line_cost cost = {0, 0};
  return cost_measure(&slot, &cost.alone, &cost.among) ? cost : (struct prof_line_cost){0, 0};
}
