/* Loops that count themselves: what they say at the end must be what is recorded of them. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOPS 16
static struct {
  int line;
  long entries, iterations, min, max, now; /* entries with iterations */
} counted[LOOPS];
static jmp_buf place;
static volatile long sink;

static void account(int loop) {
  if (counted[loop].now > 0) {
    if (counted[loop].entries++ == 0 || counted[loop].now < counted[loop].min)
      counted[loop].min = counted[loop].now;
    if (counted[loop].now > counted[loop].max)
      counted[loop].max = counted[loop].now;
  }
  counted[loop].now = 0;
}

#define LOOP(loop) account(loop), counted[loop].line = __LINE__; /* on the line where the statement begins */
#define TURN(loop) counted[loop].iterations++, counted[loop].now++

__attribute__((noinline)) static void leaf(long n) {
  sink += n;
}

__attribute__((noinline)) static void nest(int rows, int columns) {
  LOOP(0) for (int i = 0; i < rows; i++) {
    TURN(0);
    LOOP(1) for (int j = 0; j < columns; j++) {
      TURN(1);
      sink += j;
    }
    leaf(i);
  }
}

__attribute__((noinline)) static long find(const long *values, int count, long wanted) {
  LOOP(2) for (int i = 0; i < count; i++) {
    TURN(2);
    leaf(i);
    if (values[i] == wanted)
      return i;
  }
  return -1;
}

__attribute__((noinline)) static void halves(unsigned n) {
  LOOP(3) while (n > 0) {
    TURN(3);
    leaf(n);
    n /= 2;
  }
}

__attribute__((noinline)) static void jumps(int n) {
  if (setjmp(place) == 0) {
    LOOP(4) for (int i = 0; i < n; i++) {
      TURN(4);
      leaf(i);
      if (i == 3)
        longjmp(place, 1);
    }
  }
  leaf(0);
}

__attribute__((noinline)) static void recursive(int depth) {
  LOOP(5) do {
    TURN(5);
    leaf(depth);
  }
  while (depth-- > 3)
    ;
  if (depth > 0) {
    recursive(depth - 1);
    leaf(0); /* so that no compiler makes a loop of the recursion */
  }
}

int main(void) {
  static long values[100];
  LOOP(6) for (int i = 0; i < 100; i++) {
    TURN(6);
    values[i] = i;
    leaf(i);
  }
  LOOP(7) for (int i = 0; i < 12; i++) {
    TURN(7);
    nest(i, 2 * i);
    find(values, 100, 8 * i);
    halves((unsigned)i * 1000);
    jumps(i);
    recursive(i);
  }
  for (int i = 0; i < LOOPS; i++) {
    account(i);
    if (counted[i].line)
      printf("%d %ld %ld %ld %ld\n", counted[i].line, counted[i].entries, counted[i].iterations, counted[i].min,
             counted[i].max);
  }
  return 0;
}
