/* A hundred million calls in tail position, where the plain build's stack stays flat; elsewhere a few. */
#define FUNCTIONS(F)
#include "matrix.h"

static volatile uintptr_t last_frame;

NOINLINE static int is_odd(long n);
NOINLINE static int is_even(long n) {
  if (n == 0)
    last_frame = (uintptr_t)__builtin_frame_address(0);
  return n == 0 ? 1 : is_odd(n - 1);
}

NOINLINE static int is_odd(long n) {
  return n == 0 ? 0 : is_even(n - 1);
}

int main(int argc, char **argv) {
  int even = is_even(4);
  uintptr_t four = last_frame;
  even += is_even(100);
  int is_flat = four - last_frame < 90 * sizeof(void *);
  printf("%s %d\n", is_flat ? "flat" : "deep", even);
  fflush(stdout);
  if (is_flat)
    even += is_even(100000000);
  return even;
}
