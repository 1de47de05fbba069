/* What OpenMP makes of loops but shares of one: vectors of it, one of two, tasks of it. */
#include "by_hand.h"

static int cells[20000];
static double reals[20000], others[20000];

#ifdef COUNT_BY_HAND
#define ADD(name) __atomic_fetch_add(&visit_##name->iterations, 1, __ATOMIC_RELAXED)
#else
#define ADD(name)
#endif

APART static double simd(int n) {
  double s = 0;
  LOOP_IN(simd);
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < n; i++) { /* loop simd directive */
    LOOP_IT(simd);
    s += reals[i] * others[i];
  }
  return s;
}

APART static void simd_len(int n) {
  LOOP_IN(simd_len);
#pragma omp simd safelen(4)
  for (int i = 4; i < n; i++) { /* loop simd_len directive */
    LOOP_IT(simd_len);
    reals[i] = reals[i - 4] + others[i];
  }
}

APART static void par_simd(int n) {
  LOOP_IN(par_simd);
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; i++) { /* loop par_simd split directive */
    ADD(par_simd);
    others[i] += 1;
  }
}

APART static void collapsed(int n, int m) {
  LOOP_IN(collapsed);
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < n; i++) /* loop collapsed split directive */
    for (int j = 0; j < m; j++) {
      ADD(collapsed);
      cells[i * m + j] += i ^ j;
    }
}

APART static void tasks(int n) {
  LOOP_IN(tasks);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(7)
  for (int i = 0; i < n; i++) { /* loop tasks split directive */
    ADD(tasks);
    cells[i] += 3;
  }
}

int main(void) {
  static const int sizes[] = {0, 1, 5, 40, 100};
  double s = 0;
  for (unsigned i = 0; i < 20000; i++)
    reals[i] = i % 13, others[i] = i % 7;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int n = unknown(sizes[i]);
    s += simd(n);
    simd_len(n);
    par_simd(n);
    collapsed(n, unknown(7));
    tasks(n);
  }
  printf("%g %d\n", s, cells[33]);
  return 0;
}
