/* Loops that OpenMP shares out: each thread enters its part, and the parts make up the whole. */
#include "by_hand.h"

static int cells[1000];
static double sums[64];

APART static void fixed_parts(int n) {
  LOOP_IN(fixed_parts);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) { /* loop fixed_parts split directive */
#ifdef COUNT_BY_HAND
    __atomic_fetch_add(&visit_fixed_parts->iterations, 1, __ATOMIC_RELAXED);
#endif
    cells[i] += i;
  }
}

APART static double rows(int n, int m) {
  double sum = 0;
  LOOP_IN(rows);
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < n; i++) { /* loop rows split directive */
#ifdef COUNT_BY_HAND
    __atomic_fetch_add(&visit_rows->iterations, 1, __ATOMIC_RELAXED);
#endif
    LOOP_IN(row);
    for (int j = 0; j < m; j++) { /* loop row depth=2 */
      LOOP_IT(row);
      sum += cells[(i * m + j) % 1000] % 3;
    }
  }
  return sum;
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 5, 40, 300};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fixed_parts(unknown(sizes[i]));
    sums[i] = rows(unknown(sizes[i]), unknown(3 + (int)i));
  }
  printf("%g %g %d\n", sums[4], sums[5], cells[33]);
  return 0;
}
