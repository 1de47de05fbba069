/*
 * cfa_cases.h - shared by all compilations of cfa_cases.c and their test.
 */
#ifndef PROF_TEST_CFA_CASES_H
#define PROF_TEST_CFA_CASES_H

#include <stdint.h>

/* Set by each case: its return address and its canonical frame address (0: not known). */
extern uintptr_t cfa_return, cfa_frame;
int cfa_opaque(int x);
typedef void cfa_check_fn(const char *what);

/* One row per compilation: suffix, options for the record. */
#define CFA_COMPILATIONS(X)                                                                                            \
  X(o0)                                                                                                                \
  X(o1)                                                                                                                \
  X(o2)                                                                                                                \
  X(o3)                                                                                                                \
  X(os)                                                                                                                \
  X(fp)                                                                                                                \
  X(nofp)                                                                                                              \
  X(realign)
#define CFA_DECLARE(suffix) void cfa_cases_##suffix(cfa_check_fn *check);
CFA_COMPILATIONS(CFA_DECLARE)

#endif
