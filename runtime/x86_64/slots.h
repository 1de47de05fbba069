/* x86_64/slots.h - the slots that a trampoline fills, as instructions. */
#ifndef PROF_RUNTIME_X86_64_SLOTS_H
#define PROF_RUNTIME_X86_64_SLOTS_H

#include "arch.h"
#include "emit.h"

/* DWARF number of rsp, of which the trampoline has taken 128 bytes and three registers: rax, rdx, rcx. */
#define DWARF_RSP 7

/* Does it fill two slots? */
bool prof_slots_are_two(uint32_t kind);
/* Does it read the register that the row names? */
bool prof_slots_have_value(uint32_t kind);
/* Its event has a value in place of the time: %rax gets it before the reservation. */
bool prof_slots_are_untimed(uint32_t kind);
void prof_slots_put_untimed(struct code *, uint32_t kind);
/* Is it the address of a text?  %rdx gets it. */
bool prof_slots_are_text(uint32_t kind);
void prof_slots_put_address(struct code *, uint32_t kind);
/* After the reservation, with the slots at %rcx and the time in %rax.  The first one commits and is written last. */
void prof_slots_put(struct code *, const struct prof_trampoline *);

#endif
