/*
 * sled.h - what depends on the architecture: the text of a sled and the code that starts a module.
 *
 * Another architecture is another sled_<name>.c that defines another struct prof_arch.
 */
#ifndef PROF_PLUGIN_SLED_H
#define PROF_PLUGIN_SLED_H

#ifdef __cplusplus
extern "C" {
#endif

struct prof_arch_register {
  const char *name; /* 64 bits wide, as operand modifier V prints it; NULL ends a list */
  unsigned number;  /* of PROF_ROW_REGISTER_MASK */
};

struct prof_arch {
  const char *name;
  const char *sled_alignment; /* assembler line before the label of a sled */
  const char *sled;           /* directive of its bytes */
  const struct prof_arch_register *registers;
  /*
   * Assembler lines of the module's constructor and destructor: all that stands between the label of the function
   * and its end, in one frame (.cfi_startproc and .cfi_endproc are the caller's).  They may use the labels of
   * constructor.c, and keep the rules of wire/module.h.
   */
  const char *start_code, *stop_code;
  /* Adds 1, in one step for all threads, to the 64-bit number whose address is in the register %s: in the assembler's
   * usual dialect, and in the other one. */
  const char *count_step, *count_step_intel;
  /* Put around text of ours in a unit that uses another assembler dialect; "" where there is only one. */
  const char *dialect_enter, *dialect_leave;
};

extern const struct prof_arch prof_arch_x86_64;

#ifdef __cplusplus
}
#endif

#endif
