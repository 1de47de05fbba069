/* WALKS: that many walks of eight calls each, through four functions that call each other at random: 87,380 paths.
 * Prints how often each function was called. */
#include <stdio.h>
#include <stdlib.h>

static long counts[4];
static unsigned long long state = 1;

#define WALK(name, index)                                                                                              \
  __attribute__((noipa)) static void name(int depth) {                                                                 \
    counts[index]++;                                                                                                   \
    next(depth);                                                                                                       \
    __asm__ volatile("");                                                                                              \
  }
#ifdef __clang__
#define noipa noinline
#endif

static void next(int depth);
WALK(walk_a, 0)
WALK(walk_b, 1)
WALK(walk_c, 2)
WALK(walk_d, 3)

static inline __attribute__((always_inline)) void next(int depth) {
  static void (*const walks[4])(int) = {walk_a, walk_b, walk_c, walk_d};
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  if (depth < 8)
    walks[state >> 62](depth + 1);
}

int main(int argc, char **argv) {
  for (long i = argc > 1 ? atol(argv[1]) : 1; i > 0; i--)
    next(0);
  printf("%ld %ld %ld %ld\n", counts[0], counts[1], counts[2], counts[3]);
  return 0;
}
