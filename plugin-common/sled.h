/*
 * sled.h - the parts that depend on the target: sled, registers, a counter's step, start-up code.
 *
 * A new target: sled_<name>.c here, with its prof_arch_<name>; for GCC also plugin-gcc/target_<name>.h, as each GCC
 * compiles for one target.  CMake finds both.  Its other half is the runtime's (runtime/arch.h).
 */
#ifndef PROF_PLUGIN_SLED_H
#define PROF_PLUGIN_SLED_H

#ifdef __cplusplus
extern "C" {
#endif

struct prof_arch_register {
  const char *name; /* 64 bits wide, as `llvm_register` prints it; NULL ends a list */
  unsigned number;  /* of PROF_ROW_REGISTER_MASK */
};

struct prof_arch {
  const char *name;           /* as in LLVM's target triples */
  const char *sled_alignment; /* assembler line before the label of a sled */
  const char *sled;           /* directive of its bytes */
  const struct prof_arch_register *registers;
  /*
   * Assembler lines of the module's constructor and destructor, between the function's label and its end, in one frame
   * (the caller writes .cfi_startproc and .cfi_endproc).  They may use the labels of constructor.c, and follow
   * wire/module.h.
   */
  const char *start_code, *stop_code;
  /* One atomic instruction that adds 1 to the 64-bit number at the address in register %s: in the assembler's default
   * dialect, and in the other one (the same if there is only one). */
  const char *count_step, *count_step_other;
  /* The same for the number at a label (%s) plus %u bytes plus a distance that lies at a symbol (%s), with the register
   * %%0 in between. */
  const char *work_step, *work_step_other;
  /* Directives around our text in a unit of the other dialect; "" if there is only one. */
  const char *dialect_enter, *dialect_leave;
  const char *llvm_register; /* operand 0 of an asm statement, by its name in `registers` */
  const char *llvm_clobbers; /* what a statement may change besides its operands: flags */
};

/* By the name in an LLVM target triple.  NULL: no probes can be made for it. */
const struct prof_arch *prof_arch_find(const char *name);

extern const struct prof_arch prof_arch_x86_64;

#ifdef __cplusplus
}
#endif

#endif
