/* Loops that are all condition, and conditions whose parts lead to the body by several ways. */
#include "by_hand.h"

static int cells[500];
static int touched;

APART static int next(int *at) {
  return cells[(*at)++ % 500];
}

APART static int one_test(const char *text) {
  const char *first = text;
  LOOP_IN(one_test);
  while (*text++) /* loop one_test */
    LOOP_IT(one_test);
  return (int)(text - first);
}

APART static int both(const int *from, int n) {
  LOOP_IN(both);
  while (n > 0 && from[--n]) { /* loop both */
    LOOP_IT(both);
  }
  return n;
}

APART static int by_call(int at) {
  LOOP_IN(by_call);
  for (; next(&at);) /* loop by_call */
    LOOP_IT(by_call);
  return at;
}

APART static int one_of_two(int at, int n) {
  LOOP_IN(one_of_two);
  while (at++ < n || next(&at)) { /* loop one_of_two */
    LOOP_IT(one_of_two);
    continue;
  }
  return at;
}

APART static int one_of_two_with_body(int at, int n) {
  LOOP_IN(one_of_two_with_body);
  while (at < n || next(&at)) { /* loop one_of_two_with_body */
    LOOP_IT(one_of_two_with_body);
    at++;
  }
  return at;
}

APART static int one_of_three(int at, int n, int other) {
  LOOP_IN(one_of_three);
  for (; at < n || (next(&at) && at != other); at++) { /* loop one_of_three */
    LOOP_IT(one_of_three);
    touched ^= at;
  }
  return at;
}

APART static int with_step(int at, int n) {
  LOOP_IN(with_step);
  for (; at < n && cells[at]; at++) /* loop with_step */
    LOOP_IT(with_step);
  return at;
}

/* Tested last, with nothing else in it either. */
APART static int last(int at) {
  LOOP_IN(last);
  do { /* loop last */
    LOOP_IT(last);
  } while (next(&at));
  return at + 1;
}

int main(void) {
  unsigned sum = 0;
  for (int i = 0; i < 500; i++)
    cells[i] = i % 23 ? 1 : 0;
  for (int i = 0; i < 90; i += 7) {
    int n = unknown(i);
    sum += (unsigned)(one_test(&"abcdefghijklmnopqrstuvwxyz"[n % 26]) + both(cells, n) + by_call(n) + last(n));
    sum += (unsigned)(one_of_two(n, unknown(60)) + one_of_two_with_body(n, unknown(60)) + with_step(n, unknown(80)));
    sum = sum * 31 + (unsigned)one_of_three(n, unknown(60), unknown(67));
  }
  printf("%u %d\n", sum, touched);
  return 0;
}
