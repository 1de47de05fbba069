/*
 * test/bench/fold_speed.c - events per second of the fold on a trace: one core, two cores, the ratio, peak memory.
 *
 *   fold_speed TRACE [TURNS]
 *
 * Turns with one and two workers alternate; the median counts.  A table row for people; nothing is asserted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "estimate/profile_build.h"

#define MOST_TURNS 99

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double fold_seconds(const prof_trace *trace, unsigned workers, struct prof_coverage *coverage, uint32_t *nodes) {
  struct prof_diag diag;
  struct prof_profile *profile;
  double begin = seconds_now();
  if (prof_profile_fold(trace, NULL, &(struct prof_fold_options){.workers = workers}, &diag, &profile) != PROF_OK) {
    fprintf(stderr, "fold_speed: %s\n", diag.what);
    exit(1);
  }
  double taken = seconds_now() - begin;
  *coverage = profile->coverage;
  *nodes = profile->node_count;
  prof_profile_free(profile);
  return taken;
}

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

int main(int argc, char **argv) {
  struct prof_diag diag;
  prof_trace *trace;
  if (argc < 2 || prof_trace_open(argv[1], &diag, &trace) != PROF_OK) {
    fprintf(stderr, "fold_speed: %s\n", argc < 2 ? "usage: fold_speed TRACE [TURNS]" : diag.what);
    return 1;
  }
  int turns = argc > 2 ? atoi(argv[2]) : 5;
  turns = turns < 1 ? 1 : turns > MOST_TURNS ? MOST_TURNS : turns;
  double taken[2][MOST_TURNS];
  struct prof_coverage coverage;
  uint32_t nodes;
  for (int turn = 0; turn < turns; turn++)
    for (unsigned workers = 1; workers <= 2; workers++)
      taken[workers - 1][turn] = fold_seconds(trace, workers, &coverage, &nodes);
  for (int i = 0; i < 2; i++)
    qsort(taken[i], (size_t)turns, sizeof taken[i][0], by_value);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double one = taken[0][turns / 2], two = taken[1][turns / 2];
  printf("%.0fM events, %u nodes: one core %.1fM events/s, two cores %.1fM, %.2fx; peak %.0f MB\n",
         (double)coverage.events / 1e6, nodes, (double)coverage.events / one / 1e6, (double)coverage.events / two / 1e6,
         one / two, (double)usage.ru_maxrss / 1024);
  prof_trace_close(trace);
  return 0;
}
