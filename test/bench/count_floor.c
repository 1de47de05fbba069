/*
 * count_floor.c - what a call costs that is counted (wire/control.h), against one that writes an event at its entry.
 *
 *     count_floor
 *
 * A loop that calls a tiny function, with more or less work of its own between two calls; its sleds are all off, only
 * its ENTRY counts, or only its ENTRY writes an event, in turn in short blocks.  Prints "name value" lines: calls per
 * microsecond while all is off, nanoseconds that a count and an event add (medians over rounds), and their ratio.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "ring_double.h"
#include "sled.h"

enum { ROUNDS = 301, CALLS = 8000, ROOM = 1 << 20, COUNTERS = 512 };
enum mode { OFF, COUNT, EVENT, MODES };

static struct ring_double ring;
static struct ring_reader reader;
static struct prof_hooks hooks;
static uint8_t *base;
static const struct prof_text_site *site; /* of the ENTRY */

__attribute__((noinline)) static unsigned mix(unsigned x) {
  PROF_TEST_SLED(1);
  return (x ^ x >> 15) * 2246822519u;
}

__attribute__((noinline)) static unsigned calls_alone(unsigned x) {
  for (unsigned i = 0; i < CALLS; i++)
    x += mix(i);
  return x;
}

/* Each call waits for the one before it. */
__attribute__((noinline)) static unsigned calls_in_chain(unsigned x) {
  for (unsigned i = 0; i < CALLS; i++)
    x = mix(x);
  return x;
}

__attribute__((noinline)) static unsigned calls_among_work(unsigned x) {
  for (unsigned i = 0; i < CALLS; i++) {
    for (unsigned k = 0; k < 16; k++) {
      x = x * 3 + k;
      __asm__ volatile("" : "+r"(x));
    }
    x = mix(x);
  }
  return x;
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void set(enum mode mode) {
  uint64_t word = mode == EVENT ? site->on : mode == COUNT ? site->count : site->off;
  __atomic_store_n((uint64_t *)(void *)(base + site->at), word, __ATOMIC_RELEASE);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values) {
  qsort(values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

static void drain(void) {
  ring_double_drain(&ring, &reader, ring_double_find(&ring, (int)gettid()), false, NULL, NULL);
}

static void measure(const char *what, unsigned (*block)(unsigned)) {
  static double off[ROUNDS], added[MODES][ROUNDS];
  unsigned sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double spent[MODES];
    for (int mode = 0; mode < MODES; mode++) {
      set((enum mode)mode);
      sum += block(sum); /* once for the caches */
      drain();
      double begin = now_ns();
      sum += block(sum);
      spent[mode] = now_ns() - begin;
      drain();
    }
    off[round] = spent[OFF] / CALLS;
    for (int mode = COUNT; mode < MODES; mode++)
      added[mode][round] = (spent[mode] - spent[OFF]) / CALLS;
  }
  double count_ns = median(added[COUNT]), event_ns = median(added[EVENT]);
  printf("%s_calls_per_us %.0f\n%s_count_ns %.2f\n%s_event_ns %.2f\n%s_ratio %.3f\n", what, 1000 / median(off), what,
         count_ns, what, event_ns, what, count_ns / event_ns);
  if (sum == 1) /* the work is used */
    puts("");
}

static bool copy_find(void) {
  const struct prof_log_head *head = NULL;
  for (uint64_t at = 0; (head = ring_double_log(&ring, &at)) && head->kind != PROF_LOG_MODULE;)
    ;
  const struct prof_log_module *record = (const void *)head;
  if (!record || !record->text)
    return false;
  base = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, (off_t)(record->text - record->text_bytes));
  if (base == MAP_FAILED)
    return false;
  site = (const struct prof_text_site *)(const void *)(base + record->text_bytes + sizeof(struct prof_text_head));
  return site->count != 0;
}

int main(void) {
  ring_double_open(&ring, 256, 128, PROF_WHEN_FULL_WAIT);
  ring_double_open_texts(&ring, ROOM, COUNTERS);
  struct prof_module_start start = prof_test_start(&hooks);
  prof_runtime_attach_v1(&start);
  if (hooks.wire_version == 0 || !copy_find())
    return 1;
  mix(0); /* attaches the thread */
  measure("alone", calls_alone);
  measure("chain", calls_in_chain);
  measure("work", calls_among_work);
  const struct prof_shared_cost *cost = &ring.control->count_cost;
  printf("calibrated_alone_ticks %.2f\ncalibrated_among_ticks %.2f\n", (double)(cost->figure >> 32 & INT32_MAX) / 1000,
         (double)(uint32_t)cost->figure / 1000);
  uint64_t counted = ring_double_count(&ring, ring_double_find(&ring, (int)gettid()), site->counter);
  return counted == 3ull * ROUNDS * 2 * CALLS ? 0 : 1;
}
