/* The loop that asks OpenMP for shares stands at the directive, the one over a share behind it. */
#include <stdio.h>

int main(int count, char **words) {
  (void)words;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 10) /* main */
  for (int i = 0; i < 1000 * count; i++)
    sum += i / (sum + 1); /* end */
  return printf("%d\n", sum > 0) < 0;
}
