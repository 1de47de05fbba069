/*
 * arch.h - what a processor architecture has to provide: one folder each, which CMake chooses by the processor's name.
 *
 * inline.h of the folder: clock, system calls, thread pointer, branch reach, DWARF registers, where a return address
 * lies, the instruction cache, the size of pages.  trampoline.c: generated code.  patch.c: a sled into a jump and back.
 * gates.c: from generated code into C.  context.c: registers around C code and in signals.  No function here allocates;
 * all but the inline ones are called at attach and switch time only.  The plugin's half is plugin-common/sled.h.
 */
#ifndef PROF_RUNTIME_ARCH_H
#define PROF_RUNTIME_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inline.h"
#include "row.h"

/* Where the canonical frame address of a function lies at one of its instructions. */
struct prof_cfa {
  bool known;
  bool deref;     /* CFA = *(reg + offset); else CFA = reg + offset */
  uint8_t reg;    /* DWARF number */
  int32_t offset; /* bytes */
};

/* What one trampoline is made of. */
struct prof_trampoline {
  const uint8_t *resume; /* where it jumps back to */
  uint32_t site;
  uint32_t kind; /* as in the row, with PROF_ROW_ flags */
  struct prof_cfa cfa;
  const void *slot; /* LINE: its struct prof_times_slot */
};

/* Is there a trampoline for a row of this kind, with its flags and register? */
bool prof_trampoline_knows(uint32_t kind);
/* Bytes that `count` trampolines and what they share take at most. */
size_t prof_trampoline_area_bytes(size_t count);
/* Writes what the trampolines of an area share; returns the first free byte. */
uint8_t *prof_trampoline_begin(uint8_t *area);
/* Writes one trampoline at `at` (aligned as it likes); returns the first byte behind it; *start is where to jump to. */
uint8_t *prof_trampoline_write(uint8_t *area, uint8_t *at, const struct prof_trampoline *, uint8_t **start);
/* What a calibration's rounds consist of; see calibrate.c. */
struct prof_trampoline_loop {
  bool trampolines; /* an entry trampoline and an exit trampoline, or two of lines */
  const void *slot; /* NULL, or that of both lines */
  uint32_t work;    /* before each of the two places: so many groups of instructions that keep all units busy */
};
/* A function `void run(uint32_t rounds)`. */
uint8_t *prof_trampoline_loop_write(uint8_t *area, uint8_t *at, const struct prof_trampoline_loop *, uint8_t **start);

/* Entry of the slow path, called by trampolines; saves what a C function may change and calls prof_ring_slow. */
void prof_slow_entry(void);
/* Where trampolines get the OS's time from: keeps all registers but rax, rcx, rdx; calls prof_clock_os. */
void prof_clock_entry(void);
/* Calls a libc function from the slow path: vector registers are saved around it.  Takes about 3 KB of stack. */
void prof_vector_saved_call(void (*function)(void *), void *argument);

/* Where a signal's context was interrupted; and where its handler returns to. */
uint64_t prof_context_address(const void *context);
void prof_signal_return(void);

/* A sled as the plugin left it, within one aligned word? */
bool prof_sled_is_plain(const uint8_t *sled);
/* Plain, or the jump to `target`?  Anything else (a debugger's breakpoint) is left alone. */
bool prof_sled_is_ours(const uint8_t *sled, const uint8_t *target);
/* Puts a jump to `target` (NULL: the plain sled) into an image of `sled` of PROF_SLED_BYTES. */
void prof_sled_encode(uint8_t *image, const uint8_t *sled, const uint8_t *target);

#endif
