/* Sums a matrix.  Planted: column by column, so that each step is in another cache line.  CLEAN: row by row. */
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 2048 };

__attribute__((noinline)) static double sum_of(double (*matrix)[SIDE]) {
  double sum = 0;
#ifdef CLEAN
  for (int row = 0; row < SIDE; row++)
    for (int column = 0; column < SIDE; column++)
#else
  for (int column = 0; column < SIDE; column++)
    for (int row = 0; row < SIDE; row++)
#endif
      sum += matrix[row][column];
  return sum;
}

int main(void) {
  double(*matrix)[SIDE] = malloc(sizeof(double[SIDE][SIDE])), sum = 0;
#ifdef CLEAN
  enum { ROUNDS = 80 };
#else
  enum { ROUNDS = 12 };
#endif
  for (int i = 0; i < SIDE * SIDE; i++)
    matrix[0][i] = i % 7;
  for (int round = 0; round < ROUNDS; round++)
    sum += sum_of(matrix);
  printf("%f\n", sum);
  free(matrix);
  return 0;
}
