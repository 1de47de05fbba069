/*
 * probe_floor.c - what an entry and an exit probe cost over two bare reads of the clock in the same function.
 *
 * A tiny function and fib, each plain, with two rdtsc, with probes off and with probes on; all four in turn in short
 * blocks, the events of a block taken away between blocks, untimed.  Prints "name value" lines: nanoseconds per call
 * (median over rounds), and ratios (median of each round's ratio).  Needs no compiler plugin: the sleds are written by
 * hand.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "ring_double.h"
#include "sled.h"

enum { ROUNDS = 301, TINY_CALLS = 16000, FIB_OF = 18, FIB_CALLS = 8361, VARIANTS = 4 };

#define CLOCK_READ()                                                                                                   \
  do {                                                                                                                 \
    uint32_t low, high;                                                                                                \
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));                                                                 \
    uint64_t ticks = (uint64_t)high << 32 | low;                                                                       \
    __asm__ volatile("" : : "r"(ticks));                                                                               \
  } while (0)
#define NOTHING()
#define ENTRY() PROF_TEST_SLED(1)
#define EXIT() PROF_TEST_SLED(2)

#define TINY(name, enter, leave)                                                                                       \
  __attribute__((noinline)) static int name(int x) {                                                                   \
    enter();                                                                                                           \
    __asm__ volatile("" : "+r"(x));                                                                                    \
    x++;                                                                                                               \
    leave();                                                                                                           \
    return x;                                                                                                          \
  }
#define FIB(name, enter, leave)                                                                                        \
  __attribute__((noinline, optimize("no-optimize-sibling-calls", "no-inline"))) static long name(int n) {              \
    enter();                                                                                                           \
    long result = n < 2 ? n : name(n - 1) + name(n - 2);                                                               \
    leave();                                                                                                           \
    return result;                                                                                                     \
  }
TINY(tiny_plain, NOTHING, NOTHING)
TINY(tiny_clock, CLOCK_READ, CLOCK_READ)
TINY(tiny_probed, ENTRY, EXIT)
FIB(fib_plain, NOTHING, NOTHING)
FIB(fib_clock, CLOCK_READ, CLOCK_READ)
FIB(fib_probed, ENTRY, EXIT)

enum variant { PLAIN, CLOCK, OFF, ON };
static int (*const tiny[VARIANTS])(int) = {tiny_plain, tiny_clock, tiny_probed, tiny_probed};
static long (*const fib[VARIANTS])(int) = {fib_plain, fib_clock, fib_probed, fib_probed};

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double tiny_block(enum variant variant) {
  int x = 0;
  int (*call)(int) = tiny[variant];
  double begin = now_ns();
  for (int i = 0; i < TINY_CALLS; i++)
    x = call(x);
  double spent = now_ns() - begin;
  if (x != TINY_CALLS)
    abort();
  return spent / TINY_CALLS;
}

static double fib_block(enum variant variant) {
  double begin = now_ns();
  long result = fib[variant](FIB_OF);
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

static void measure(const char *what, double (*block)(enum variant)) {
  static double spent[VARIANTS][ROUNDS], on_ratio[ROUNDS], off_ratio[ROUNDS];
  static const char *const names[VARIANTS] = {"plain", "two_rdtsc", "off", "on"};
  uint64_t before = reader.events;
  for (int round = 0; round < ROUNDS; round++) {
    for (int v = 0; v < VARIANTS; v++) {
      if (v == ON)
        hooks.control(PROF_CONTROL_START);
      block((enum variant)v); /* once for the caches */
      ring_double_drain(&ring, &reader, ring_double_find(&ring, gettid()), false, NULL, NULL);
      spent[v][round] = block((enum variant)v);
      if (v == ON)
        hooks.control(PROF_CONTROL_STOP);
      ring_double_drain(&ring, &reader, ring_double_find(&ring, gettid()), false, NULL, NULL);
    }
    on_ratio[round] = spent[ON][round] / spent[CLOCK][round];
    off_ratio[round] = spent[OFF][round] / spent[PLAIN][round];
  }
  if (reader.events == before)
    abort();
  for (int v = 0; v < VARIANTS; v++)
    printf("%s_%s_ns %.2f\n", what, names[v], median(spent[v]));
  printf("%s_off_ratio %.3f\n%s_ratio %.3f\n", what, median(off_ratio), what, median(on_ratio));
}

int main(void) {
  ring_double_open(&ring, 256, 128, PROF_WHEN_FULL_WAIT);
  struct prof_module_start start = prof_test_start(&hooks);
  prof_runtime_attach_v1(&start);
  tiny_probed(0); /* attaches the thread */
  if (hooks.wire_version == 0 || ring_double_find(&ring, gettid()) == UINT32_MAX)
    return 1;
  hooks.control(PROF_CONTROL_STOP);
  measure("tiny", tiny_block);
  measure("fib", fib_block);
  return 0;
}
