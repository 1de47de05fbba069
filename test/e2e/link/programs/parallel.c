/* parallel.c - OpenMP: bodies of parallel loops become functions of their own, run by a team of two. */
#include <stdio.h>

__attribute__((noinline)) static int half(int x) {
  return x / 2;
}

__attribute__((noinline)) int sum_of(int count) {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < count; i++)
    sum += half(i);
  return sum;
}

int main(void) {
  printf("%d\n", sum_of(100));
  printf("calls\t1\tmain\ncalls\t1\tsum_of\ncalls\t100\thalf\n");
}
