/*
 * arch.h - what a processor architecture has to provide: one folder each, which CMake chooses by the processor's name.
 *
 * inline.h of the folder: clock, system calls, thread pointers, branch reach, DWARF registers, where a return address
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

/* How to compute a function's canonical frame address (CFA) at one of its instructions. */
struct prof_cfa {
  bool known;
  bool deref;     /* CFA = *(reg + offset); else CFA = reg + offset */
  uint8_t reg;    /* DWARF number */
  int32_t offset; /* bytes */
};

/* Input for one trampoline. */
struct prof_trampoline {
  const uint8_t *resume; /* where it returns to */
  uint32_t site;
  uint32_t kind; /* as in the row, with PROF_ROW_ flags */
  struct prof_cfa cfa;
  const void *slot; /* LINE: its struct prof_times_slot */
};

/* Is there a trampoline for a row of this kind, with its flags and register? */
bool prof_trampoline_knows(uint32_t kind);
/* Upper bound of the bytes of `count` trampolines and their shared part. */
size_t prof_trampoline_area_bytes(size_t count);
/* Writes the shared part of an area's trampolines; returns the first free byte. */
uint8_t *prof_trampoline_begin(uint8_t *area);
/* Writes one trampoline at or after `at`; returns the first byte behind it; *start: its first instruction. */
uint8_t *prof_trampoline_write(uint8_t *area, uint8_t *at, const struct prof_trampoline *, uint8_t **start);
/* The rounds of a calibration; see calibrate.c. */
struct prof_trampoline_loop {
  bool trampolines; /* an entry trampoline and an exit trampoline, or two of lines, */
  bool counts;      /* or two that count */
  const void *slot; /* NULL, or that of both lines */
  uint32_t work;    /* groups of instructions before each of the two places; they keep all units busy */
};
/* A function `void run(uint32_t rounds)`. */
uint8_t *prof_trampoline_loop_write(uint8_t *area, uint8_t *at, const struct prof_trampoline_loop *, uint8_t **start);

/* Is there a trampoline that counts for a row of this kind? */
bool prof_trampoline_counts(uint32_t kind);
/* Such trampolines follow the others of an area, PROF_COUNT_TRAMPOLINE_BYTES apart.  Their shared part comes first and
 * takes less than that; writes it at or after `at`, and returns where it is. */
uint8_t *prof_count_begin(uint8_t *at);
/* Writes one at or after `at`, as prof_trampoline_write does; `shared`: what prof_count_begin returned. */
uint8_t *prof_count_write(const uint8_t *shared, uint8_t *at, uint32_t counter, const uint8_t *resume, uint8_t **start);

/* Entry of the slow path, called by trampolines; saves caller-saved registers and calls prof_ring_slow. */
void prof_slow_entry(void);
/* The same for trampolines that count: calls prof_count_slow. */
void prof_count_entry(void);
/* Reads the OS's clock for trampolines: keeps all registers but rax, rcx, rdx; calls prof_clock_os. */
void prof_clock_entry(void);
/* Writes a text for trampolines: its address in rdx, the site in ecx; keeps all registers but rax, rcx, rdx; calls
 * prof_string_value. */
void prof_string_entry(void);
/* Calls a libc function from the slow path: vector registers are saved around it.  Takes about 3 KB of stack. */
void prof_vector_saved_call(void (*function)(void *), void *argument);

/* The address where the signal interrupted the thread; the address to which its handler returns. */
uint64_t prof_context_address(const void *context);
void prof_signal_return(void);

/* Is it a sled as the plugin wrote it, within one aligned word? */
bool prof_sled_is_plain(const uint8_t *sled);
/* Is it plain, or a jump to `target`?  Other bytes (a debugger's breakpoint) must not be changed. */
bool prof_sled_is_ours(const uint8_t *sled, const uint8_t *target);
/* Puts a jump to `target` (NULL: the plain sled) into an image of `sled` of PROF_SLED_BYTES. */
void prof_sled_encode(uint8_t *image, const uint8_t *sled, const uint8_t *target);

#endif
