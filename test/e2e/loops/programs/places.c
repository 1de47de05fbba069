/*
 * Where loops stand whose tests, or bodies, were inlined from elsewhere: each in the function that is named at its
 * first line, and not beyond the line that says `end`.
 */
#include <stdio.h>

static int at_end(int i, int n) {
  if (i >= n)
    return 1;
  return ferror(stdout);
}

static int sum_to(const int *from, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) { /* sum_to */
    if (from[i] & 1)
      sum += from[i] - ferror(stdout);
    else
      sum ^= from[i];
  } /* end */
  return sum;
}

static int step(int i) {
  if (i & 1)
    return i + 2 + ferror(stdout);
  return i + 1;
}

__attribute__((noinline)) int tested(int n) {
  int i = 0, sum = 0;
  while (1) { /* tested */
    if (at_end(i, n))
      break;
    sum += i * sum + ferror(stdin);
    i++;
  } /* end */
  return sum;
}

__attribute__((noinline)) int inlined(int n) {
  int i = 0;
  while (!at_end(i, n)) /* inlined */
    i = step(i);        /* end */
  return i;
}

__attribute__((noinline)) int whole(const int *from, int n) {
  return sum_to(from, n) + n;
}

int main(int count, char **words) {
  (void)words;
  static int numbers[100];
  return (tested(100 * count) + inlined(100 * count) + whole(numbers, 100 * count)) == 7;
}
