/*
 * arch.h - what a processor architecture has to provide: one folder each, chosen by CMake.
 *
 * inline.h of the folder: clock, system calls, thread pointer.  body.c: generated code.  cfa.c: where the caller's
 * address lies.  patch.c: a sled into a jump and back.  No function here allocates; all but the inline ones are called
 * at attach and switch time only.
 */
#ifndef PROF_RUNTIME_ARCH_H
#define PROF_RUNTIME_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "row.h"

#if defined(__x86_64__)
#include "x86_64/inline.h"
#else
#error "no folder for this architecture yet"
#endif

/* Where the canonical frame address of a function lies at one of its instructions. */
struct prof_cfa {
  bool known;
  bool deref;     /* CFA = *(reg + offset); else CFA = reg + offset */
  uint8_t reg;    /* DWARF number */
  int32_t offset; /* bytes */
};

/* Reads the rule that holds at `pc` from the .eh_frame behind `eh_frame_hdr` (NULL: unknown). */
struct prof_cfa prof_cfa_read(const uint8_t *eh_frame_hdr, const uint8_t *pc);

/*
 * Writes an .eh_frame_hdr for the .eh_frame of so many bytes, to `header` (NULL: only counts), which is within 2 GB of
 * the code.  Returns its bytes; 0: the section isn't understood.
 */
size_t prof_cfa_table_write(const uint8_t *eh_frame, size_t bytes, uint8_t *header);

/* What one body is made of. */
struct prof_body {
  const uint8_t *resume; /* where it jumps back to */
  uint32_t site;
  uint32_t kind; /* as in the row, with PROF_ROW_ flags */
  struct prof_cfa cfa;
  const void *slot; /* LINE: its struct prof_times_slot */
};

/* Is there a body for a row of this kind, with its flags and register? */
bool prof_body_knows(uint32_t kind);
/* Bytes that `count` bodies and what they share take at most. */
size_t prof_body_area_bytes(size_t count);
/* Writes what the bodies of an area share; returns the first free byte. */
uint8_t *prof_body_begin(uint8_t *area);
/* Writes one body at `at` (aligned as it likes); returns the first byte behind it; *start is where to jump to. */
uint8_t *prof_body_write(uint8_t *area, uint8_t *at, const struct prof_body *, uint8_t **start);
/* What a calibration's rounds consist of; see calibrate.c. */
struct prof_body_loop {
  bool bodies;      /* an entry body and an exit body, or two of lines */
  const void *slot; /* NULL, or that of both lines */
  uint32_t work;    /* before each of the two places: so many groups of instructions that keep all units busy */
};
/* A function `void run(uint32_t rounds)`. */
uint8_t *prof_body_loop_write(uint8_t *area, uint8_t *at, const struct prof_body_loop *, uint8_t **start);

/* Entry of the slow path, called by bodies; saves what a C function may change and calls prof_ring_slow. */
void prof_slow_entry(void);
/* Where bodies get the OS's time from: keeps all registers but rax, rcx, rdx; calls prof_clock_os. */
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
