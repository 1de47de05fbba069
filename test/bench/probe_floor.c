/*
 * probe_floor.c - what an entry and an exit probe cost over two bare reads of the clock in the same function.
 *
 *     probe_floor LIBRARY      made from floor_work.c by the compiler in question
 *
 * A tiny function and fib, each plain, with two rdtsc, with probes off and with probes on; all four in turn in short
 * blocks, the events of a block taken away between blocks, untimed.  Prints "name value" lines: nanoseconds per call
 * (median over rounds), and ratios (median of each round's ratio).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "floor_work.h"
#include "ring_double.h"
#include "sled.h"

enum { ROUNDS = 301, TINY_CALLS = 16000, FIB_OF = 18, FIB_CALLS = 8361 };

static const struct floor_work *work;

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double tiny_block(enum floor_variant variant) {
  int x = 0;
  int (*call)(int) = work->tiny[variant];
  double begin = now_ns();
  for (int i = 0; i < TINY_CALLS; i++)
    x = call(x);
  double spent = now_ns() - begin;
  if (x != TINY_CALLS)
    abort();
  return spent / TINY_CALLS;
}

static double fib_block(enum floor_variant variant) {
  double begin = now_ns();
  long result = work->fib[variant](FIB_OF);
  double spent = now_ns() - begin;
  if (result != 2584)
    abort();
  return spent / FIB_CALLS;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values) {
  qsort(values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

static struct ring_double ring;
static struct ring_reader reader;
static struct prof_hooks hooks;

static void measure(const char *what, double (*block)(enum floor_variant)) {
  static double spent[FLOOR_VARIANTS][ROUNDS], on_ratio[ROUNDS], off_ratio[ROUNDS];
  static const char *const names[FLOOR_VARIANTS] = {"plain", "two_rdtsc", "off", "on"};
  uint64_t before = reader.events;
  for (int round = 0; round < ROUNDS; round++) {
    for (int v = 0; v < FLOOR_VARIANTS; v++) {
      if (v == FLOOR_ON)
        hooks.control(PROF_CONTROL_START, NULL);
      block((enum floor_variant)v); /* once for the caches */
      ring_double_drain(&ring, &reader, ring_double_find(&ring, gettid()), false, NULL, NULL);
      spent[v][round] = block((enum floor_variant)v);
      if (v == FLOOR_ON)
        hooks.control(PROF_CONTROL_STOP, NULL);
      ring_double_drain(&ring, &reader, ring_double_find(&ring, gettid()), false, NULL, NULL);
    }
    on_ratio[round] = spent[FLOOR_ON][round] / spent[FLOOR_CLOCK][round];
    off_ratio[round] = spent[FLOOR_OFF][round] / spent[FLOOR_PLAIN][round];
  }
  if (reader.events == before)
    abort();
  for (int v = 0; v < FLOOR_VARIANTS; v++)
    printf("%s_%s_ns %.2f\n", what, names[v], median(spent[v]));
  printf("%s_off_ratio %.3f\n%s_ratio %.3f\n", what, median(off_ratio), what, median(on_ratio));
}

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  work = library ? dlsym(library, FLOOR_WORK_SYMBOL) : NULL;
  if (!work) {
    fprintf(stderr, "probe_floor: give a library made from floor_work.c: %s\n", argc == 2 ? dlerror() : "none given");
    return 2;
  }
  ring_double_open(&ring, 256, 128, PROF_WHEN_FULL_WAIT);
  struct prof_module_start start = work->start(&hooks);
  prof_runtime_attach_v1(&start);
  work->tiny[FLOOR_ON](0); /* attaches the thread */
  if (hooks.wire_version == 0 || ring_double_find(&ring, gettid()) == UINT32_MAX)
    return 1;
  hooks.control(PROF_CONTROL_STOP, NULL);
  measure("tiny", tiny_block);
  measure("fib", fib_block);
  return 0;
}
