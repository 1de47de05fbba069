/*
 * calibrate.c - what one event costs, measured in the program itself, once per image.
 *
 * An entry and an exit body are generated and run around nothing, with a private cell and segment, before anything is
 * patched.  The least of several rounds counts: what disturbs a round only makes it longer.
 */
#include "runtime.h"
#include "system.h"

#define AREA_BYTES ((size_t)4096)
#define EVENT_BYTES ((size_t)65536)
#define ROUND_PAIRS 500u
#define ROUNDS 12

uint32_t prof_calibrate(void) {
  uint8_t *memory = prof_memory_map(AREA_BYTES + EVENT_BYTES);
  if (!memory)
    return 0;
  uint8_t *run, *at = prof_body_begin(memory);
  prof_body_loop_write(memory, at, &run);
  uint64_t least = UINT64_MAX;
  if (prof_syscall(SYS_mprotect, (long)memory, AREA_BYTES, PROT_READ | PROT_EXEC, 0, 0, 0) == 0) {
    uint64_t mask = prof_signals_block();
    struct prof_cell cell = {0}, *before = prof_self;
    prof_self = &cell;
    for (int round = 0; round < ROUNDS; round++) {
      cell.cursor = (char *)memory + AREA_BYTES;
      cell.end = cell.cursor + EVENT_BYTES;
      uint64_t begin = prof_clock_ticks();
      ((void (*)(uint32_t))(uintptr_t)run)(ROUND_PAIRS);
      uint64_t ticks = prof_clock_ticks() - begin;
      least = ticks < least ? ticks : least;
    }
    prof_self = before;
    prof_signals_restore(mask);
  }
  prof_syscall(SYS_munmap, (long)memory, AREA_BYTES + EVENT_BYTES, 0, 0, 0, 0);
  return least == UINT64_MAX ? 0 : (uint32_t)(least * 1000 / (2 * ROUND_PAIRS));
}
