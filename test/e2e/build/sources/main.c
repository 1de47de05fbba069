/* main.c - calls into a static library, a shared one and another language: each probed function is called a known
 * number of times. */
#include <stdio.h>

int part_add(int a, int b); /* part.c, static library */
int piece_twice(int n);     /* piece.cc, shared library */

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum = part_add(sum, piece_twice(i));
  printf("%d\n", sum);
  return sum != 90;
}
