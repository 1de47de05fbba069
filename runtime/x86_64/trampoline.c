/*
 * x86_64/trampoline.c - the code that a patched sled jumps to.
 *
 *       lea  -128(%rsp), %rsp        the red zone is the function's
 *       push %rax, %rdx, %rcx
 *   again:
 *       mov  %fs:prof_self, %rdx     the thread's cell
 *       mov  last(%rdx), %rax
 *       mov  (%rdx), %rcx
 *       xor  mark(%rdx), %rcx
 *       cmp  $511, %rcx              sparse clock (wire/control.h), and the clock was read in these slots?
 *       ja   clock
 *   reserve:
 *       mov  $16, %ecx               32 when a FRAME follows the ENTRY
 *       xadd %rcx, (%rdx)            reserve: one instruction, so a signal handler comes before or after it
 *       cmp  8(%rdx), %rcx
 *       jae  slow
 *       (aux into %edx) mov %edx, 12(%rcx)
 *       movl $what, 8(%rcx)
 *       mov  %rax, (%rcx)            commits
 *   out:
 *       pop  %rcx, %rdx, %rax
 *       sub  $-128, %rsp
 *       jmp  sled + 5
 *   clock:
 *       rdtsc; shl $32, %rdx; or %rdx, %rax     with the OS's clock: call *clock
 *       mov  %fs:prof_self, %rdx
 *       mov  %rax, last(%rdx)
 *       mov  light(%rdx), %rcx
 *       test %rcx, %rcx
 *       je   reserve
 *       mov  (%rcx), %rcx
 *       and  (%rdx), %rcx
 *       mov  %rcx, mark(%rdx)        the cursor, or 0 outside of sparse-clock intervals
 *       jmp  reserve
 *   slow:
 *       call gate                    to prof_slow_entry with the reserved bytes in eax
 *       jnz  again
 *       jmp  out
 *
 * LINE writes no event (wire/times.h); with rbx pushed too:
 *
 *   again:
 *       lfence
 *       (the clock as above)
 *       mov  %fs:prof_self, %rdx
 *       mov  line(%rdx), %rcx        the slot so far; PROF_LINE_NONE: none;
 *       cmp  $0, %rcx                0: the cell is prof_nobody, or of before a fork
 *       jbe  slow                    as above
 *       mov  %rax, %rbx
 *       sub  line_time(%rdx), %rbx
 *       mov  %rax, line_time(%rdx)
 *       jb   next                    the clock has stepped back
 *       cmp  $PROF_LINE_NONE, %rcx
 *       je   next
 *       lock add %rbx, (%rcx)        ticks
 *   next:
 *       movabs $slot, %rcx
 *       mov  %rcx, line(%rdx)
 *       lock incq 8(%rcx)            visits
 *       incq line_readings(%rdx)     one instruction, so a signal handler comes before or after it
 *   out:
 *
 * EXIT with PROF_ROW_ENDS_LINE and LANDED first end the line in the same way; that reading counts too.  A signal
 * handler that is timed leaves PROF_LINE_NONE: the interrupted line isn't timed up to its next LINE, but no other line
 * gets its time.
 *
 * Two slots are one reservation (slots.c): the second is written before the first one is committed.  LOOP_COUNT stores
 * its value, with bit 63 set, in place of the time and reads no clock; so does VALUE.  That of a text writes no event
 * itself, but calls prof_string_value with the address in rdx and the site in ecx.
 *
 * GATE writes no event: mov $1, %eax; jmp sled + 5.
 *
 * A trampoline that counts (count_trampoline.c) is another one of the same sled.
 *
 * `mark` is near the cursor in sparse-clock intervals only.
 *
 * The clock is read before the reservation: nearly all interrupts of a trampoline come at this slow instruction, and
 * then no slot is unfinished while a signal handler runs (measured: 8-14 of 20 handlers found one with the clock read
 * after). The area begins with two gates (mov $16 or $32, %eax; jmp *(%rip)) and the addresses of prof_slow_entry,
 * prof_clock_entry and prof_string_entry.
 */
#include <stddef.h>
#include <string.h>

#include "arch.h"
#include "emit.h"
#include "event.h"
#include "slots.h"
#include "state.h"

#define GATE_BYTES 16 /* of each of the two gates, and of two addresses */
#define CLOCK_OFFSET (2 * GATE_BYTES + 8)
#define STRING_OFFSET (3 * GATE_BYTES)
#define TRAMPOLINE_BYTES_MAX 256
#define TRAMPOLINE_ALIGN 16

/* rax = now; rdx and rcx are free. */
static void put_clock(struct code *code, const uint8_t *area) {
  if (prof_runtime.os_clock) {
    PUT(code, 0xff, 0x15);
    put_displacement(code, area + CLOCK_OFFSET);
  } else {
    PUT(code, 0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0);
  }
}

/* The same, after all instructions of the line: else its loads and multiplications would overlap the next one. */
static void put_line_clock(struct code *code, const uint8_t *area) {
  PUT(code, 0x0f, 0xae, 0xe8); /* lfence */
  put_clock(code, area);
}

#define CELL_LAST (uint8_t) offsetof(struct prof_cell, last)
#define CELL_LIGHT (uint8_t) offsetof(struct prof_cell, light)
#define CELL_MARK (uint8_t) offsetof(struct prof_cell, mark)
#define CELL_LINE (uint8_t) offsetof(struct prof_cell, line)
#define CELL_LINE_TIME (uint8_t) offsetof(struct prof_cell, line_time)
#define CELL_LINE_READINGS (uint8_t) offsetof(struct prof_cell, line_readings)
_Static_assert(offsetof(struct prof_cell, line_readings) < 128, "displacements of one byte");

/* %rdx = the thread's cell. */
static void put_cell(struct code *code) {
  PUT(code, 0x64, 0x48, 0x8b, 0x14, 0x25);
  put_u32(code, (uint32_t)prof_runtime.tls_offset);
}

/* The cell's line in %rcx; jumps to where jump_close is called if it is at most `value`: PROF_LINE_NONE, or 0. */
static uint8_t *put_line_check(struct code *code, uint8_t value) {
  PUT(code, 0x48, 0x8b, 0x4a, CELL_LINE); /* mov line(%rdx), %rcx */
  PUT(code, 0x48, 0x83, 0xf9, value);     /* cmp $value, %rcx */
  PUT(code, 0x76, 0);                     /* jbe */
  return code->at;
}

/* A short jump leads here. */
static void jump_close(const struct code *code, uint8_t *jump) {
  jump[-1] = (uint8_t)(code->at - jump);
}

/* Runs before the clock is read for an event.  A handler may end the line meanwhile, hence the second check. */
static void put_line_end(struct code *code, const uint8_t *area) {
  put_cell(code);
  uint8_t *first = put_line_check(code, PROF_LINE_NONE);
  put_line_clock(code, area);
  put_cell(code);
  uint8_t *second = put_line_check(code, PROF_LINE_NONE);
  PUT(code, 0x48, 0x2b, 0x42, CELL_LINE_TIME); /* sub line_time(%rdx), %rax */
  PUT(code, 0x72, 4);                          /* jb over the next one */
  PUT(code, 0xf0, 0x48, 0x01, 0x01);           /* lock add %rax, (%rcx) */
  PUT(code, 0x48, 0xc7, 0x42, CELL_LINE, PROF_LINE_NONE, 0, 0, 0);
  PUT(code, 0x48, 0xff, 0x42, CELL_LINE_READINGS);
  jump_close(code, first);
  jump_close(code, second);
}

size_t prof_trampoline_area_bytes(size_t count) {
  return 4 * GATE_BYTES + count * TRAMPOLINE_BYTES_MAX;
}

uint8_t *prof_trampoline_begin(uint8_t *area) {
  struct code code = {area};
  void (*slow)(void) = prof_slow_entry, (*clock)(void) = prof_clock_entry, (*string)(void) = prof_string_entry;
  PUT(&code, 0xb8, 16, 0, 0, 0, 0xff, 0x25, 21, 0, 0, 0, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc);
  PUT(&code, 0xb8, 32, 0, 0, 0, 0xff, 0x25, 5, 0, 0, 0, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc);
  put(&code, &slow, sizeof slow);
  put(&code, &clock, sizeof clock);
  put(&code, &string, sizeof string);
  return code.at;
}

static uint8_t *align(uint8_t *at) {
  return (uint8_t *)(((uintptr_t)at + TRAMPOLINE_ALIGN - 1) & ~(uintptr_t)(TRAMPOLINE_ALIGN - 1));
}

/* For a short jump. */
static uint8_t short_distance(const uint8_t *from, const uint8_t *to) {
  return (uint8_t)(int8_t)(to - from);
}

/* A forward jump of 4 bytes to where far_close is called. */
static uint8_t *put_far(struct code *code, uint8_t condition) {
  PUT(code, 0x0f, condition);
  put_u32(code, 0);
  return code->at;
}

static void far_close(const struct code *code, uint8_t *jump) {
  uint32_t distance = (uint32_t)(code->at - jump);
  memcpy(jump - 4, &distance, sizeof distance);
}

static void put_far_back(struct code *code, uint8_t condition, const uint8_t *target) {
  PUT(code, 0x0f, condition);
  put_displacement(code, target);
}
#define JAE 0x83
#define JE 0x84
#define JNE 0x85
#define JA 0x87

/* A trampoline's jump to its clock, and the address where it continues. */
struct clock {
  uint8_t *jump;
  const uint8_t *reserve;
};

/* %rax = the time of an event, %rdx = the cell.  The clock is out of line: beside it its jumps cost nothing. */
static struct clock put_time(struct code *code) {
  struct clock clock;
  put_cell(code);
  PUT(code, 0x48, 0x8b, 0x42, CELL_LAST); /* mov last(%rdx), %rax */
  PUT(code, 0x48, 0x8b, 0x0a);            /* mov (%rdx), %rcx */
  PUT(code, 0x48, 0x33, 0x4a, CELL_MARK); /* xor mark(%rdx), %rcx */
  PUT(code, 0x48, 0x81, 0xf9);            /* cmp $511, %rcx */
  put_u32(code, PROF_LIGHT_SLOTS * sizeof(struct prof_event) - 1);
  clock.jump = put_far(code, JA);
  clock.reserve = code->at;
  return clock;
}

static void put_clock_part(struct code *code, const struct clock *clock, const uint8_t *area) {
  far_close(code, clock->jump);
  put_clock(code, area);
  put_cell(code);
  PUT(code, 0x48, 0x89, 0x42, CELL_LAST);  /* mov %rax, last(%rdx) */
  PUT(code, 0x48, 0x8b, 0x4a, CELL_LIGHT); /* mov light(%rdx), %rcx */
  PUT(code, 0x48, 0x85, 0xc9);             /* test %rcx, %rcx */
  put_far_back(code, JE, clock->reserve);
  PUT(code, 0x48, 0x8b, 0x09);            /* mov (%rcx), %rcx */
  PUT(code, 0x48, 0x23, 0x0a);            /* and (%rdx), %rcx */
  PUT(code, 0x48, 0x89, 0x4a, CELL_MARK); /* mov %rcx, mark(%rdx) */
  PUT(code, 0xe9);
  put_displacement(code, clock->reserve);
}
_Static_assert((PROF_LIGHT_SLOTS & (PROF_LIGHT_SLOTS - 1)) == 0, "a mask");

/* The kinds that have a trampoline. */
static const bool known[PROF_ROW_KIND_MASK + 1] = {
    [PROF_PROBE_ENTRY] = true,     [PROF_PROBE_EXIT] = true,       [PROF_PROBE_LANDED] = true,
    [PROF_PROBE_LINE] = true,      [PROF_PROBE_POINT] = true,      [PROF_PROBE_LOOP_ENTRY] = true,
    [PROF_PROBE_LOOP_EXIT] = true, [PROF_PROBE_LOOP_COUNT] = true, [PROF_PROBE_GATE] = true,
    [PROF_PROBE_VALUE] = true,
};

bool prof_trampoline_knows(uint32_t kind) {
  bool stack_pointer = (kind & PROF_ROW_REGISTER_MASK) >> PROF_ROW_REGISTER_SHIFT == RSP;
  return known[kind & PROF_ROW_KIND_MASK] && (!prof_slots_are_untimed(kind) || (kind & PROF_ROW_HAS_VALUE)) &&
         !(prof_slots_have_value(kind) && stack_pointer);
}

/* Back to the program. */
static void put_return(struct code *code, const uint8_t *resume) {
  PUT(code, 0x59, 0x5a, 0x58, 0x48, 0x83, 0xec, 0x80, 0xe9);
  put_displacement(code, resume);
}

/* The program tests eax. */
static void put_gate(struct code *code, const uint8_t *resume) {
  PUT(code, 0xb8, 1, 0, 0, 0, 0xe9); /* mov $1, %eax; jmp */
  put_displacement(code, resume);
}

/* The picture of LINE above, after its begin. */
static void put_line(struct code *code, const uint8_t *area, const struct prof_trampoline *trampoline) {
  PUT(code, 0x53); /* push %rbx */
  const uint8_t *again = code->at;
  put_line_clock(code, area);
  put_cell(code);
  uint8_t *to_slow = put_line_check(code, 0);
  PUT(code, 0x48, 0x89, 0xc3);                          /* mov %rax, %rbx */
  PUT(code, 0x48, 0x2b, 0x5a, CELL_LINE_TIME);          /* sub line_time(%rdx), %rbx */
  PUT(code, 0x48, 0x89, 0x42, CELL_LINE_TIME);          /* mov %rax, line_time(%rdx) */
  PUT(code, 0x72, 10);                                  /* jb next */
  PUT(code, 0x48, 0x83, 0xf9, PROF_LINE_NONE, 0x74, 4); /* cmp; je next */
  PUT(code, 0xf0, 0x48, 0x01, 0x19);                    /* lock add %rbx, (%rcx) */
  PUT(code, 0x48, 0xb9);                                /* next: movabs $slot, %rcx */
  put(code, &trampoline->slot, sizeof trampoline->slot);
  PUT(code, 0x48, 0x89, 0x4a, CELL_LINE); /* mov %rcx, line(%rdx) */
  PUT(code, 0xf0, 0x48, 0xff, 0x41, 8);   /* lock incq 8(%rcx) */
  PUT(code, 0x48, 0xff, 0x42, CELL_LINE_READINGS);
  const uint8_t *out = code->at;
  PUT(code, 0x5b); /* pop %rbx */
  put_return(code, trampoline->resume);
  jump_close(code, to_slow);
  PUT(code, 0xe8);
  put_displacement(code, area);
  PUT(code, 0x75, short_distance(code->at + 2, again));
  PUT(code, 0xeb, short_distance(code->at + 2, out));
}

/* A text's: the runtime reads it. */
static void put_string(struct code *code, const uint8_t *area, const struct prof_trampoline *trampoline) {
  prof_slots_put_address(code, trampoline->kind);
  PUT(code, 0xb9); /* mov $site, %ecx */
  put_u32(code, trampoline->site);
  PUT(code, 0xff, 0x15); /* call *prof_string_entry */
  put_displacement(code, area + STRING_OFFSET);
  put_return(code, trampoline->resume);
}

/* The picture above, line by line. */
uint8_t *prof_trampoline_write(uint8_t *area, uint8_t *at, const struct prof_trampoline *trampoline, uint8_t **start) {
  bool pair = prof_slots_are_two(trampoline->kind);
  struct code code = {align(at)};
  *start = code.at;
  uint32_t kind = trampoline->kind & PROF_ROW_KIND_MASK;
  if (kind == PROF_PROBE_GATE) {
    put_gate(&code, trampoline->resume);
    return code.at;
  }
  PUT(&code, 0x48, 0x8d, 0x64, 0x24, 0x80, 0x50, 0x52, 0x51);
  if (kind == PROF_PROBE_LINE) {
    put_line(&code, area, trampoline);
    return code.at;
  }
  if (prof_slots_are_text(trampoline->kind)) {
    put_string(&code, area, trampoline);
    return code.at;
  }
  if (kind == PROF_PROBE_LANDED || (kind == PROF_PROBE_EXIT && (trampoline->kind & PROF_ROW_ENDS_LINE)))
    put_line_end(&code, area);
  const uint8_t *again = code.at;
  struct clock clock = {0};
  if (prof_slots_are_untimed(trampoline->kind)) {
    prof_slots_put_untimed(&code, trampoline->kind);
    put_cell(&code);
  } else {
    clock = put_time(&code);
  }
  PUT(&code, 0xb9, pair ? 32 : 16, 0, 0, 0);
  PUT(&code, 0x48, 0x0f, 0xc1, 0x0a, 0x48, 0x3b, 0x4a, 0x08);
  uint8_t *to_slow = put_far(&code, JAE);
  prof_slots_put(&code, trampoline);
  const uint8_t *out = code.at;
  put_return(&code, trampoline->resume);
  if (clock.reserve)
    put_clock_part(&code, &clock, area);
  far_close(&code, to_slow);
  PUT(&code, 0xe8);
  put_displacement(&code, pair ? area + GATE_BYTES : area);
  put_far_back(&code, JNE, again);
  PUT(&code, 0xe9);
  put_displacement(&code, out);
  return code.at;
}

/* Independent instructions of one cycle each. */
static void put_work(struct code *code, uint32_t groups) {
  for (; groups > 0; groups--)
    PUT(code, 0x49, 0x83, 0xc0, 3, 0x49, 0x83, 0xc1, 5, 0x4d, 0x8d, 0x52, 7, 0x49, 0x83, 0xf3, 9);
}

/*
 *       mov  %edi, %esi
 *   round:
 *       work                         add $3, %r8; add $5, %r9; lea 7(%r10), %r10; xor $9, %r11; ...
 *       jmp  entry trampoline, which comes back here; or a sled that is off
 *       work
 *       jmp  exit trampoline, which comes back here
 *       dec  %esi
 *       jnz  round
 *       ret
 */
uint8_t *prof_trampoline_loop_write(uint8_t *area, uint8_t *at, const struct prof_trampoline_loop *loop,
                                    uint8_t **start) {
  struct code code = {align(at)};
  const struct prof_cfa caller = {.known = true, .reg = DWARF_RSP, .offset = 8};
  static const uint32_t kinds[2] = {PROF_PROBE_ENTRY, PROF_PROBE_EXIT};
  uint8_t *sleds[2], *target;
  *start = code.at;
  PUT(&code, 0x89, 0xfe);
  const uint8_t *round = code.at;
  for (int i = 0; i < 2; i++) {
    put_work(&code, loop->work);
    sleds[i] = code.at;
    code.at += PROF_SLED_BYTES;
  }
  PUT(&code, 0xff, 0xce, 0x0f, 0x85);
  put_displacement(&code, round);
  PUT(&code, 0xc3);
  const uint8_t *shared = loop->counts ? prof_count_begin(code.at) : NULL;
  code.at += loop->counts ? PROF_COUNT_TRAMPOLINE_BYTES : 0;
  for (uint32_t i = 0; i < 2; i++) {
    struct prof_trampoline trampoline = {
        .resume = sleds[i] + PROF_SLED_BYTES, .site = i + 1, .kind = kinds[i], .cfa = caller};
    if (loop->slot) {
      trampoline.kind = PROF_PROBE_LINE;
      trampoline.slot = loop->slot;
    }
    if (loop->counts)
      code.at = prof_count_write(shared, code.at, i, trampoline.resume, &target);
    else if (loop->trampolines)
      code.at = prof_trampoline_write(area, code.at, &trampoline, &target);
    prof_sled_encode(sleds[i], sleds[i], loop->trampolines ? target : NULL);
  }
  return code.at;
}
