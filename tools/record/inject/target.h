/*
 * tools/record/inject/target.h - the files that a process's code lies in, and what matters of them for a safe place.
 *
 * In: a process.  Out: per file its part (program, C library, loader, allocator), addresses of functions, the plugin's
 * note, and the tables that unwind its stacks.  A picture of the time when it was made: what is loaded later is
 * unknown.
 */
#ifndef PROF_RECORD_TARGET_H
#define PROF_RECORD_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "record/sampling/stack_maps.h"
#include "source/symbols.h"

enum prof_target_part {
  PROF_PART_CODE,      /* a program's or library's own code */
  PROF_PART_LIBC,      /* glibc */
  PROF_PART_LOADER,    /* ld.so */
  PROF_PART_ALLOCATOR, /* a library that has malloc instead of glibc */
  PROF_PART_PROFILER,  /* our runtime and what it loads, in a process that was recorded before */
};

struct prof_target_range { /* of a function, in the process */
  uint64_t begin, end;
};

struct prof_target_module {
  uint64_t begin, end, bias; /* of its code */
  enum prof_target_part part;
  bool is_program;
};

#define PROF_TARGET_STACK_BYTES (1u << 18)

struct prof_target {
  pid_t pid;
  PROF_VEC(struct prof_target_module) modules;
  PROF_VEC(struct prof_target_range) entangled;    /* glibc's functions that hold what the loader needs */
  bool allocates;                                  /* the program itself has malloc */
  bool has_libc, has_program;                      /* false: or the file was replaced */
  bool loads_glibc;                                /* glibc's loader runs it */
  uint64_t dlopen, dlsym, dlerror, errno_location; /* 0: it has none */
  uint64_t call, gate, leave;                      /* wire/late.h, of the program; 0: it has no note */
  struct prof_stack_maps maps;
  struct prof_stack_files files;
  uint8_t *stack; /* room for PROF_TARGET_STACK_BYTES of the thread that is looked at */
};

/* False: no memory, or the process has ended. */
bool prof_target_read(struct prof_target *, pid_t);
/* May it be that the loader has not mapped all files yet? */
bool prof_target_may_start(const struct prof_target *);
void prof_target_fini(struct prof_target *);

/* NULL: the address is no file's. */
const struct prof_target_module *prof_target_find(const struct prof_target *, uint64_t address);
bool prof_target_is_entangled(const struct prof_target *, uint64_t address);

#endif
