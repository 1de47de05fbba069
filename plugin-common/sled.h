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

struct prof_arch {
  const char *name;
  /* Assembler lines of one sled; `.Lprof\@` is its label inside the probe macro (probe_text.c). */
  const char *sled;
  /*
   * Assembler lines of the module's constructor and destructor, in the section of the start group.  They define
   * the symbols of constructor.c, may use its labels, and keep the rules of wire/module.h.
   */
  const char *start_code;
  /* Put around text of ours in a unit that uses another assembler dialect; "" where there is only one. */
  const char *dialect_enter, *dialect_leave;
};

extern const struct prof_arch prof_arch_x86_64;

#ifdef __cplusplus
}
#endif

#endif
