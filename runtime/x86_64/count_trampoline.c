/*
 * x86_64/count_trampoline.c - the code that a sled jumps to while its calls are only counted (wire/control.h).
 *
 *       lea  -128(%rsp), %rsp        the red zone is the function's
 *       push %rax
 *   again:
 *       mov  %fs:prof_self, %rax     the thread's cell
 *       mov  counts(%rax), %rax
 *       test %rax, %rax              0: the cell is prof_nobody, or of before a fork, or counts for the first time
 *       je   slow
 *       incq 8 * counter(%rax)       one instruction, so a signal handler comes before or after it
 *   out:
 *       pop  %rax
 *       sub  $-128, %rsp
 *       jmp  sled + 5
 *   slow:
 *       push %rdx, %rcx
 *       call *shared                 prof_count_entry
 *       pop  %rcx, %rdx
 *       jne  again
 *       jmp  out
 *
 * Flags need not be kept: see gates.c.  Each begins a line of the cache.
 */
#include <string.h>

#include "arch.h"
#include "state.h"

static const uint8_t code[] = {
    0x48, 0x8d, 0x64, 0x24, 0x80,             /* lea */
    0x50,                                     /* push */
    0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0, /* again: mov */
    0x48, 0x8b, 0x40, 0,                      /* mov */
    0x48, 0x85, 0xc0,                         /* test */
    0x74, 17,                                 /* je */
    0x48, 0xff, 0x80, 0,    0,    0, 0,       /* incq */
    0x58,                                     /* out: pop */
    0x48, 0x83, 0xec, 0x80,                   /* sub */
    0xe9, 0,    0,    0,    0,                /* jmp */
    0x52, 0x51,                               /* slow: push, push */
    0xff, 0x15, 0,    0,    0,    0,          /* call */
    0x59, 0x5a,                               /* pop, pop */
    0x75, 0xd1,                               /* jne */
    0xeb, 0xe8,                               /* jmp */
};
/* Offsets of what differs. */
enum { AT_CELL = 11, AT_COUNTS = 18, AT_COUNTER = 27, AT_RESUME = 37, AT_GATE = 45 };
_Static_assert(sizeof code <= PROF_COUNT_TRAMPOLINE_BYTES, "a trampoline has room");
_Static_assert(offsetof(struct prof_cell, counts) < 128, "a displacement of one byte");

bool prof_trampoline_counts(uint32_t kind) {
  kind &= PROF_ROW_KIND_MASK;
  return kind == PROF_PROBE_ENTRY || kind == PROF_PROBE_LOOP_ENTRY;
}

uint8_t *prof_count_begin(uint8_t *at) {
  void (*gate)(void) = prof_count_entry;
  at = (uint8_t *)(((uintptr_t)at + sizeof gate - 1) & ~(uintptr_t)(sizeof gate - 1));
  memcpy(at, &gate, sizeof gate);
  return at;
}

static void put_u32(uint8_t *at, uint32_t value) {
  memcpy(at, &value, sizeof value);
}

static void put_displacement(uint8_t *at, const uint8_t *target) {
  put_u32(at, (uint32_t)(target - (at + 4)));
}

uint8_t *prof_count_write(const uint8_t *shared, uint8_t *at, uint32_t counter, const uint8_t *resume,
                          uint8_t **start) {
  uintptr_t mask = PROF_COUNT_TRAMPOLINE_BYTES - 1;
  at = (uint8_t *)(((uintptr_t)at + mask) & ~mask);
  memcpy(at, code, sizeof code);
  put_u32(at + AT_CELL, (uint32_t)prof_runtime.tls_offset);
  at[AT_COUNTS] = (uint8_t)offsetof(struct prof_cell, counts);
  put_u32(at + AT_COUNTER, counter * (uint32_t)sizeof(uint64_t));
  put_displacement(at + AT_RESUME, resume);
  put_displacement(at + AT_GATE, shared);
  *start = at;
  return at + sizeof code;
}
