/*
 * taken_time.c - how much of a busy thread's time do interrupts take?
 *
 * Reads the time stamp counter again and again for MILLISECONDS of its own; where two readings lie further apart than
 * the longest step of an undisturbed reading, something took the processor.  Gaps of at most 100 us are summed up:
 * longer ones are other threads' turns.  Prints `taken` (share of the time without those turns), and gaps per second.
 * The probes of this program lie outside of what is timed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { SLICE = 1000 * 1000, LEAST_NS = 300, MOST_NS = 100 * 1000 };

struct taken {
  uint64_t ticks, gaps, whole; /* whole: all ticks but those of others' turns */
};

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void watch(struct taken *taken, uint64_t least, uint64_t most) {
  uint64_t before = __rdtsc();
  for (int i = 0; i < SLICE; i++) {
    uint64_t after = __rdtsc(), gap = after - before;
    before = after;
    if (gap > most)
      continue;
    taken->whole += gap;
    if (gap >= least) {
      taken->ticks += gap;
      taken->gaps++;
    }
  }
}

int main(int argc, char **argv) {
  double milliseconds = argc > 1 ? atof(argv[1]) : 1000, begin = now_ns();
  uint64_t begin_ticks = __rdtsc();
  while (now_ns() - begin < 20e6)
    ;
  double ticks_per_ns = (double)(__rdtsc() - begin_ticks) / (now_ns() - begin);
  struct taken taken = {0};
  while ((double)taken.whole < milliseconds * 1e6 * ticks_per_ns)
    watch(&taken, (uint64_t)(LEAST_NS * ticks_per_ns), (uint64_t)(MOST_NS * ticks_per_ns));
  printf("taken %.6f\ngaps_per_s %.1f\n", (double)taken.ticks / (double)taken.whole,
         (double)taken.gaps / ((double)taken.whole / ticks_per_ns) * 1e9);
  return 0;
}
