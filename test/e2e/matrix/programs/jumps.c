/* setjmp and longjmp: several frames at once, again and again, into a frame of a recursion, and through a callback. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(rounds, "rounds")                                                                                                  \
  F(outer, "outer")                                                                                                    \
  F(inner, "inner")                                                                                                    \
  F(climb, "climb")                                                                                                    \
  F(sort, "sort")                                                                                                      \
  F(compare, "compare")                                                                                                \
  F(after, "after")
#include "matrix.h"
#include <setjmp.h>

static jmp_buf back, levels[6];

NOINLINE static void inner(int value) {
  COUNT(inner);
  longjmp(back, value);
}

NOINLINE static void outer(int value) {
  COUNT(outer);
  inner(value);
  BARRIER();
}

NOINLINE static void after(void) {
  COUNT(after);
  BARRIER();
}

NOINLINE static int rounds(int count) {
  volatile int round = 0;
  COUNT(rounds);
  while (setjmp(back) < count) {
    round = round + 1;
    outer(round);
  }
  after();
  return round;
}

/* The deepest one jumps to the frame of level 2: four and three are left, and two goes on. */
NOINLINE static int climb(int level) {
  COUNT(climb);
  if (setjmp(levels[level]) == 0) {
    if (level == 4)
      longjmp(levels[2], 1);
    climb(level + 1);
    BARRIER();
  } else {
    after();
  }
  BARRIER();
  return level;
}

static int compare(const void *a, const void *b) {
  COUNT(compare);
  longjmp(back, 7);
}

NOINLINE static int sort(void) {
  int pair[2] = {2, 1};
  COUNT(sort);
  int got = setjmp(back);
  if (got == 0)
    qsort(pair, 2, sizeof *pair, compare);
  after();
  return got;
}

int main(int argc, char **argv) {
  COUNT(main);
  int a = rounds(3);
  int b = climb(0);
  int c = sort();
  printf("%d %d %d\n", a, b, c);
  return 0;
}
