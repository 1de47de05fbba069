/* parallel.c - loops that OpenMP shares out: each iteration is one of some thread. */
#include <stdio.h>

static double results[64];

__attribute__((noinline)) static void shared(int n) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < n; i++)
    results[i] += i * 0.5;
}

__attribute__((noinline)) static void joined(int n) {
#pragma omp parallel for collapse(2) num_threads(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      results[i * 4 + j] += 1;
}

__attribute__((noinline)) static void around(int n) {
  for (int i = 0; i < n; i++) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
    for (int j = 0; j < 8; j++)
      results[j] += i;
  }
}

int main(void) {
  shared(40);
  joined(5);
  around(3);
  printf("%.1f\n", results[3]);
  return 0;
}
