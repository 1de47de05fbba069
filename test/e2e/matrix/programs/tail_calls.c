/*
 * Calls in tail position.  Where the compiler makes jumps of them the callee takes the caller's place in the tree; the
 * program says which it is ("flat" or "deep") from how far apart the frames lie.
 */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(is_even, "is_even")                                                                                                \
  F(is_odd, "is_odd")                                                                                                  \
  F(last, "last")
#include "matrix.h"

static volatile uintptr_t first_frame, last_frame;

NOINLINE static int last(long n) {
  COUNT(last);
  last_frame = (uintptr_t)__builtin_frame_address(0);
  BARRIER();
  return (int)n;
}

NOINLINE static int is_odd(long n);
NOINLINE static int is_even(long n) {
  COUNT(is_even);
  return n == 0 ? last(1) : is_odd(n - 1);
}

NOINLINE static int is_odd(long n) {
  COUNT(is_odd);
  return n == 0 ? last(0) : is_even(n - 1);
}

int main(int argc, char **argv) {
  COUNT(main);
  first_frame = (uintptr_t)__builtin_frame_address(0);
  int even = is_even(4);
  uintptr_t four = first_frame - last_frame;
  even += is_even(12);
  uintptr_t more = first_frame - last_frame;
  int is_flat = more - four < 8 * sizeof(void *);
  printf("%s %d\n", is_flat ? "flat" : "deep", even);
  return is_flat;
}
