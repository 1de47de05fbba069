/* hot.c - functions whose lines are marked, "lines: NAME" to the next bare "}"; see README.md. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

#define TURNS 20000000l
#define COPIES 2000

static char from[1 << 18], to[1 << 18];
static volatile unsigned long seed = 1;

/* lines: spend */
static inline __attribute__((always_inline)) unsigned long mix(unsigned long value) {
  value ^= value >> 29;
  return value * 0xbf58476d1ce4e5b9ul + 1;
}

/* lines: spend */
NOINLINE unsigned long spend(long turns) {
  unsigned long value = seed;
  for (long i = 0; i < turns; i++)
    value = mix(value);
  return value;
}

/* lines: left */
NOINLINE unsigned long left(void) {
  return spend(TURNS) + 1;
}

/* lines: right */
NOINLINE unsigned long right(void) {
  struct timespec nap = {.tv_nsec = 20000000};
  nanosleep(&nap, NULL);
  return spend(2 * TURNS) + 1;
}

/* lines: copy */
NOINLINE unsigned long copy(void) {
  for (int i = 0; i < COPIES; i++)
    memmove(to, from + seed, sizeof to - 1);
  return (unsigned char)to[0];
}

/* lines: main */
int main(void) {
  printf("%lu\n", left() ^ right() ^ copy());
  return 0;
}
