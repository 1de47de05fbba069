/*
 * merged_rows.c - scalar products of rows that are pairs of index and value, as sparse matrices have them.
 *
 * The hot loop is inlined into `distance`; in the source, lines of other functions stand between. The compiler makes
 * several loops of it.  No advice: indices may differ, so it can't be vectorised as it is.
 */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 400, NUMBERS = 200 };
struct pair {
  int index;
  double value;
};
static struct pair rows[ROWS][NUMBERS + 1];
static double squares[ROWS];

static double product(const struct pair *left, const struct pair *right);

__attribute__((noinline)) static double distance(int left, int right) {
  return squares[left] + squares[right] - 2 * product(rows[left], rows[right]);
}

__attribute__((noinline)) static void square_all(void) {
  for (int i = 0; i < ROWS; i++)
    squares[i] = product(rows[i], rows[i]);
}

static double product(const struct pair *left, const struct pair *right) {
  double sum = 0;
  while (left->index != -1 && right->index != -1) { /* hot */
    if (left->index == right->index) {
      sum += left->value * right->value;
      left++;
      right++;
    } else if (left->index > right->index) {
      right++;
    } else {
      left++;
    }
  }
  return sum;
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < NUMBERS; k++)
      rows[i][k] = (struct pair){k, i * k % 7};
    rows[i][NUMBERS].index = -1;
  }
  square_all();
  for (int i = 0; i < ROWS * 2; i++)
    for (int k = 0; k < ROWS; k++)
      sum += distance(i % ROWS, k);
  printf("%g\n", sum);
  return 0;
}
