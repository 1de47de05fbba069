/*
 * cfa_cases.c - functions with frames of all shapes.  Compiled with different options (CFA_SUFFIX), all tested by
 * test_runtime_cfa.  Each has an ENTRY that wants its frame and a LANDED in the middle, and stores the expected values.
 */
#include <alloca.h>
#include <stdarg.h>
#include <stdint.h>

#include "cfa_cases.h"
#include "sled.h"

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define CASE(name) PASTE(name##_, CFA_SUFFIX)
#define KEEP __attribute__((noinline))

/* 17: ENTRY | PROF_ROW_WANTS_FRAME */
#define ENTER() PROF_TEST_SLED(17)
#define LAND() PROF_TEST_SLED(3)
#define SAY() (cfa_return = (uintptr_t)__builtin_return_address(0), cfa_frame = (uintptr_t)__builtin_dwarf_cfa())

static KEEP int CASE(leaf)(int x) {
  ENTER();
  SAY();
  LAND();
  return x + 1;
}

static KEEP int CASE(saved)(int a, int b) { /* keeps values over calls: pushes callee-saved registers */
  ENTER();
  int sum = a;
  for (int i = 0; i < 3; i++)
    sum += cfa_opaque(a + i) * cfa_opaque(b - i);
  SAY();
  LAND();
  return sum + cfa_opaque(a) + b;
}

static KEEP int CASE(large)(int x) {
  volatile char room[9000];
  ENTER();
  room[x] = 1;
  cfa_opaque(room[x]);
  SAY();
  LAND();
  return room[x];
}

static KEEP int CASE(dynamic)(int x) {
  ENTER();
  volatile char *room = alloca((unsigned)x * 16 + 16);
  room[x] = 3;
  cfa_opaque(room[x]);
  SAY();
  LAND();
  return room[x];
}

static KEEP int CASE(aligned)(int x) { /* the stack is realigned */
  _Alignas(128) volatile char room[256];
  ENTER();
  room[x] = 3;
  cfa_opaque(room[x]);
  SAY();
  LAND();
  return room[x];
}

static KEEP int CASE(aligned_dynamic)(int x) {
  _Alignas(64) volatile char room[256];
  ENTER();
  volatile char *more = alloca((unsigned)x * 16 + 16);
  room[x] = more[x] = 3;
  cfa_opaque(room[x]);
  SAY();
  cfa_frame = 0; /* the builtin is wrong here: it returns the realigned frame */
  LAND();
  return room[x] + more[x];
}

static KEEP int CASE(early)(int x) { /* may be shrink-wrapped: the sled is before any push */
  ENTER();
  SAY();
  LAND();
  if (x < 1000)
    return 1;
  return CASE(saved)(x, x) + CASE(saved)(x + 1, 1);
}

static KEEP int CASE(variadic)(int count, ...) {
  va_list list;
  ENTER();
  va_start(list, count);
  int sum = 0;
  while (count--)
    sum += cfa_opaque(va_arg(list, int));
  va_end(list);
  SAY();
  LAND();
  return sum;
}

static KEEP int CASE(many)(int a, int b, int c, int d, int e, int f, int g, int h) { /* arguments on the stack */
  ENTER();
  int sum = cfa_opaque(a + g) + cfa_opaque(b + h);
  SAY();
  LAND();
  return sum + c + d + e + f;
}

void CASE(cfa_cases)(cfa_check_fn *check) {
  int sum = 0;
#define RUN(call)                                                                                                      \
  sum += call;                                                                                                         \
  check(#call)
  RUN(CASE(leaf)(1));
  RUN(CASE(large)(3));
  RUN(CASE(dynamic)(5));
  RUN(CASE(aligned)(7));
  RUN(CASE(aligned_dynamic)(9));
  RUN(CASE(early)(1));
  RUN(CASE(variadic)(3, 1, 2, 3));
  RUN(CASE(many)(1, 2, 3, 4, 5, 6, 7, 8));
  RUN(CASE(saved)(1, 2));
  cfa_opaque(sum);
}
