/*
 * target_x86_64.h - calls of GCC's x86 back end.  compat.h includes one such file, by the compiler's target.
 */
#ifndef PROF_GCC_TARGET_X86_64_H
#define PROF_GCC_TARGET_X86_64_H

#include "sled.h"

#define PROF_TARGET_REFUSAL "prof leaves no probes here: it knows x86-64 code only, without %<-m32%> and %<-mx32%>"
#define PROF_TARGET_REGISTER "%V0" /* operand 0 by the name that struct prof_arch_register has */

#define PROF_TARGET_HAS_FUSED TARGET_FMA

/* NULL: prof doesn't support this unit's target. */
static inline const struct prof_arch *prof_target_arch(void) {
  return TARGET_64BIT && !TARGET_X32 ? &prof_arch_x86_64 : NULL;
}

/* Is the unit's assembler dialect the other one (sled.h)? */
static inline bool prof_target_is_other_dialect(void) {
  return ix86_asm_dialect == ASM_INTEL;
}

#endif
