/* The C library calls a function back, within another one of this file and outside of it.  Usage: called_back ROUNDS.
 */
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 64 };
static int numbers[NUMBERS];

static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

static void sort(void) {
  qsort(numbers, NUMBERS, sizeof *numbers, compare);
  __asm__ volatile("");
}

static void fill(void) {
  for (int i = 0; i < NUMBERS; i++)
    numbers[i] = rand() % 1000;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  for (int i = 0; i < rounds; i++) {
    fill();
    sort();
    qsort(numbers, NUMBERS, sizeof *numbers, compare);
  }
  printf("%d\n", numbers[0] <= numbers[NUMBERS - 1]);
  return 0;
}
