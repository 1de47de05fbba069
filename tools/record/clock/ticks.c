/*
 * tools/record/clock/ticks.c - see ticks.h.
 *
 * The step: two consecutive readings differ at least by the cost of a reading, so their smallest difference is not the
 * step.  But if the clock moves in steps, all differences lie near multiples of one number.  It may have a fraction (10
 * ns are 22.5 ticks at 2.25 GHz: differences of 22, 23, 45).  So it is the mean of the lowest cluster, refined by the
 * higher ones, and accepted if they lie within a tick of its multiples and leave room between them.  Readings in the
 * same step may differ by a tick where a hypervisor scales the clock.
 */
#include "record/clock/ticks.h"
#include "base/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  PAIR_TRIES = 16,
  STEP_READINGS = 4096,
  COARSE_STEP = 6, /* below it, clusters look like noise: use the common divisor */
};

uint64_t prof_tsc_now(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

static uint64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t prof_steady_ns(void) {
  return clock_ns(CLOCK_MONOTONIC);
}

uint64_t prof_ticks_now(enum prof_ticks_of of) {
  return of == PROF_TICKS_OS ? prof_steady_ns() : prof_tsc_now();
}

struct prof_clock_pair prof_clock_pair_read(enum prof_ticks_of of) {
  struct prof_clock_pair best = {0};
  uint64_t narrowest = UINT64_MAX;
  for (int i = 0; i < PAIR_TRIES; i++) {
    uint64_t before = prof_ticks_now(of);
    uint64_t monotonic = clock_ns(CLOCK_MONOTONIC_RAW), realtime = clock_ns(CLOCK_REALTIME);
    uint64_t width = prof_ticks_now(of) - before;
    if (width < narrowest) {
      narrowest = width;
      best = (struct prof_clock_pair){before + width / 2, monotonic, realtime};
    }
  }
  return best;
}

uint64_t prof_clock_frequency(const struct prof_clock_pair *first, const struct prof_clock_pair *last) {
  if (last->monotonic_ns <= first->monotonic_ns || last->ticks <= first->ticks)
    return 0;
  double seconds = (double)(last->monotonic_ns - first->monotonic_ns) / 1e9;
  return (uint64_t)((double)(last->ticks - first->ticks) / seconds + 0.5);
}

static int compare_differences(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return prof_order(a, b);
}

static uint32_t common_divisor(uint32_t a, uint32_t b) {
  while (b != 0) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The share of differences within a tick of a multiple of `step`. */
static double near_multiples(const uint32_t *differences, size_t count, double step) {
  size_t near = 0;
  for (size_t i = 0; i < count; i++) {
    double steps = (double)(uint64_t)(differences[i] / step + 0.5), away = differences[i] - steps * step;
    near += away > -1.01 && away < 1.01;
  }
  return (double)near / (double)count;
}

/* How many of the lowest differences are within one step: the zeros, and the ones if the rest is far from 1. */
static size_t within_one_step(const uint32_t *differences, size_t count) {
  size_t zeros = 0;
  while (zeros < count && differences[zeros] == 0)
    zeros++;
  size_t ones = zeros;
  while (ones < count && differences[ones] == 1)
    ones++;
  return ones < count && differences[ones] >= COARSE_STEP ? ones : zeros;
}

/* The best step for all differences of at most `most` steps. */
static double refine(const uint32_t *differences, size_t count, double step, double most) {
  double sum = 0, steps = 0;
  for (size_t i = 0; i < count && differences[i] < most * step; i++) {
    sum += differences[i];
    steps += (double)(uint64_t)(differences[i] / step + 0.5);
  }
  return steps > 0 ? sum / steps : step;
}

uint32_t prof_clock_step_find(uint32_t *differences, size_t count) {
  qsort(differences, count, sizeof *differences, compare_differences);
  size_t begin = within_one_step(differences, count);
  differences += begin;
  count -= begin;
  if (count == 0)
    return 1;
  /* Interrupts cause the longest ones. */
  count -= count / 20;
  uint32_t divisor = 0;
  for (size_t i = 0; i < count; i++)
    divisor = common_divisor(differences[i], divisor);
  if (divisor >= COARSE_STEP)
    return divisor;
  size_t lowest = 0;
  double sum = 0;
  while (lowest < count && differences[lowest] <= differences[0] + 1)
    sum += differences[lowest++];
  double step = sum / (double)lowest;
  if (step < COARSE_STEP || lowest == count)
    return divisor;
  for (double most = 8; most <= 512; most *= 8)
    step = refine(differences, count, step, most);
  return near_multiples(differences, count, step) > 0.97 ? (uint32_t)(step + 0.5) : divisor;
}

uint32_t prof_clock_step_measure(enum prof_ticks_of of) {
  static const unsigned pauses = 7;
  uint32_t *differences = malloc(STEP_READINGS * sizeof *differences);
  if (differences == NULL)
    return 1;
  volatile unsigned work = 0;
  for (size_t i = 0; i < STEP_READINGS; i++) { /* pauses of different lengths give differences of several steps */
    uint64_t before = prof_ticks_now(of);
    for (unsigned pause = i % pauses * 64; pause > 0; pause--)
      work += pause;
    uint64_t passed = prof_ticks_now(of) - before;
    differences[i] = passed < UINT32_MAX ? (uint32_t)passed : UINT32_MAX;
  }
  uint32_t step = prof_clock_step_find(differences, STEP_READINGS);
  free(differences);
  return step;
}

bool prof_clock_is_invariant(void) {
#if defined(__x86_64__)
  FILE *file = fopen("/proc/cpuinfo", "re");
  char *line = NULL;
  size_t size = 0;
  bool constant = false, nonstop = false;
  while (file != NULL && getline(&line, &size, file) > 0 && !(constant && nonstop)) {
    if (strncmp(line, "flags", 5) != 0)
      continue;
    constant = strstr(line, " constant_tsc") != NULL;
    nonstop = strstr(line, " nonstop_tsc") != NULL;
    break;
  }
  free(line);
  if (file != NULL)
    fclose(file);
  return constant && nonstop;
#else
  return true;
#endif
}
