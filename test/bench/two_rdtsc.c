/*
 * two_rdtsc.c - what two bare reads of the clock cost, the floor for a timed call.
 *
 * A function that reads the TSC at entry and exit against the same function without; both are called in turn in blocks,
 * and the median over blocks is printed: "nanoseconds per call".  Source of the idea: the floor of docs/benchmarks.md.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { CALLS = 2000, BLOCKS = 4001 }; /* a block is shorter than a turn of the scheduler */

static volatile uint64_t stored[2];

__attribute__((noinline)) static uint64_t work_plain(uint64_t x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

__attribute__((noinline)) static uint64_t work_timed(uint64_t x) {
  stored[0] = __rdtsc();
  __asm__ volatile("" : "+r"(x));
  stored[1] = __rdtsc();
  return x + 1;
}

static double block_ns(uint64_t (*work)(uint64_t)) {
  struct timespec begin, end;
  uint64_t x = 0;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < CALLS; i++)
    x = work(x);
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (x != CALLS)
    abort();
  return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / CALLS;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  double costs[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    double plain = block_ns(work_plain);
    costs[i] = block_ns(work_timed) - plain;
  }
  qsort(costs, BLOCKS, sizeof costs[0], compare);
  printf("%.3f\n", costs[BLOCKS / 2]);
  return 0;
}
