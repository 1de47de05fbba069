/* Sums rows with OpenMP; the first ones are long.  Planted: each thread has as many.  CLEAN: small pieces, to the
 * thread that is free. */
#include <stdio.h>

enum { ROWS = 8000 };
static unsigned long row_sums[ROWS];

__attribute__((noinline)) static unsigned long sum_row(unsigned row) {
  unsigned long x = row;
  for (unsigned i = row < ROWS / 4 ? 3000 : 600; i > 0; i--)
    x ^= x * 6364136223846793005ul >> 17;
  return x;
}

__attribute__((noinline)) static void sum_all(void) {
#ifdef CLEAN
#pragma omp parallel for num_threads(2) schedule(dynamic, 8)
#else
#pragma omp parallel for num_threads(2) schedule(static)
#endif
  for (unsigned row = 0; row < ROWS; row++)
    row_sums[row] = sum_row(row);
  row_sums[0]++; /* so that the region is not the function's last call */
}

int main(void) {
  unsigned long sum = 0;
  for (int round = 0; round < 10; round++)
    sum_all();
  for (unsigned row = 0; row < ROWS; row++)
    sum ^= row_sums[row];
  printf("%lu\n", sum);
  return 0;
}
