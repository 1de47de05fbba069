/*
 * tools/command/doctor/peaks.c - see peaks.h.
 *
 * Time is the thread's CPU time, so that being preempted does not count.
 */
#include "command/doctor/peaks.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum {
  BYTES = 96 << 20, /* more than last-level caches of one core's part usually hold */
  TURNS = 4,
  STEPS = 3000000,
  CHAINS = 8, /* independent sums: more than the latency of an operation */
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double best(double most, double work, double begin, double end) {
  double rate = end > begin ? work / (end - begin) : 0;
  return rate > most ? rate : most;
}

static double read_memory(void) {
  const size_t count = BYTES / sizeof(uint64_t);
  uint64_t *words = malloc(BYTES);
  double most = 0;
  if (!words)
    return 0;
  for (size_t i = 0; i < count; i++)
    words[i] = i;
  for (int turn = 0; turn < TURNS; turn++) {
    uint64_t sums[4] = {0};
    double begin = seconds();
    for (size_t i = 0; i + 4 <= count; i += 4) {
      sums[0] += words[i];
      sums[1] += words[i + 1];
      sums[2] += words[i + 2];
      sums[3] += words[i + 3];
    }
    double end = seconds();
    __asm__ volatile("" ::"r"(sums[0] + sums[1] + sums[2] + sums[3]));
    most = best(most, BYTES, begin, end);
  }
  free(words);
  return most;
}

/* Kept scalar: each chain is of its own, and hidden from the vectoriser. */
static double compute(void) {
  double most = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    double a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1;
    const double by = 0.999999, add = 1e-6;
    double begin = seconds();
    for (int i = 0; i < STEPS; i++) {
      a = a * by + add, b = b * by + add, c = c * by + add, d = d * by + add;
      e = e * by + add, f = f * by + add, g = g * by + add, h = h * by + add;
      __asm__ volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f), "+x"(g), "+x"(h));
    }
    most = best(most, 2.0 * CHAINS * STEPS, begin, seconds());
  }
  return most;
}

void prof_peaks_measure(struct prof_peaks *out) {
  out->read_bytes_per_second = read_memory();
  out->flops = compute();
}
