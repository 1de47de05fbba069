/*
 * tools/estimate/burst/loop_code.h - which loop's code an address lies in, from the sites in the trace alone.
 *
 * In: modules' sites; no file of the program.  A loop's code is what lies between its first site and its last one.
 * That includes code of the function that the compiler put there, and leaves out what it put elsewhere.  Loops without
 * sites are part of the loop around them.
 */
#ifndef PROF_ESTIMATE_BURST_LOOP_CODE_H
#define PROF_ESTIMATE_BURST_LOOP_CODE_H

#include "base/vec.h"
#include "proftrace.h"

struct prof_loop_code_part {
  uint64_t begin, end;   /* link-time */
  uint64_t reach;        /* greatest end of the module's parts up to this one */
  uint32_t module, loop; /* indices */
};

struct prof_loop_code { /* zeroed: none */
  const prof_trace *trace;
  PROF_VEC(struct prof_loop_code_part) parts; /* by module and begin */
};

/* false: no memory; fini it all the same. */
bool prof_loop_code_init(struct prof_loop_code *, const prof_trace *) PROF_MUST_CHECK;
void prof_loop_code_fini(struct prof_loop_code *);

/* The innermost loop of the function that has the address in its code; PROF_NONE: none. */
uint32_t prof_loop_code_at(const struct prof_loop_code *, uint32_t function, uint32_t module, uint64_t address);

#endif
