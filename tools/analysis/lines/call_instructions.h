/*
 * tools/analysis/lines/call_instructions.h - what each call instruction of a module cost.
 *
 * Job: for `prof annotate --asm`.  In: a profile with places.  Out: per return address the number and the time of the
 * calls by the instruction before it; nested calls count once.
 */
#ifndef PROF_ANALYSIS_CALL_INSTRUCTIONS_H
#define PROF_ANALYSIS_CALL_INSTRUCTIONS_H

#include "estimate/profile.h"

struct prof_call_instruction {
  uint64_t address; /* link-time address after the instruction */
  uint64_t calls, total_ticks;
  bool estimated;            /* both, or parts of them */
  struct prof_off_ticks off; /* parts of total_ticks */
};

struct prof_call_instructions { /* sorted by address */
  struct prof_call_instruction *items;
  size_t count;
};

prof_status prof_call_instructions_of(const struct prof_profile *, uint32_t module, struct prof_diag *,
                                      struct prof_call_instructions *out) PROF_MUST_CHECK;
void prof_call_instructions_free(struct prof_call_instructions *);

/* The one with this return address; NULL: it made no call. */
const struct prof_call_instruction *prof_call_instruction_at(const struct prof_call_instructions *, uint64_t address);

#endif
