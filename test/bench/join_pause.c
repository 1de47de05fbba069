/*
 * join_pause.c - how long a thread is held up while `prof record -p` joins and leaves the program.
 *
 * A thread calls an instrumented function without end, and reads the clock each time.  A long gap counts if the thread
 * was not preempted meanwhile (getrusage: involuntary switches); a wait for a lock of the kernel's is none.
 *
 *   join_pause SECONDS      prints: longest gap, second longest, calls        (microseconds)
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define LOOK_NS 20000

static volatile uint64_t sink;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static long preempted(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

__attribute__((noinline, noclone)) void called(uint64_t x) {
  for (int i = 0; i < 20; i++)
    x = x * 6364136223846793005ull + 1442695040888963407ull;
  sink = x;
}

int main(int argc, char **argv) {
  int64_t end = now_ns() + (int64_t)(atof(argc > 1 ? argv[1] : "1") * 1e9), last = now_ns(), longest = 0, second = 0;
  uint64_t calls = 0;
  long before = preempted();
  while (last < end) {
    called(calls++);
    int64_t now = now_ns();
    if (now - last > LOOK_NS) {
      long after = preempted();
      if (after == before && now - last > second) {
        second = now - last > longest ? longest : now - last;
        longest = now - last > longest ? now - last : longest;
      }
      before = after;
      now = now_ns();
    }
    last = now;
  }
  printf("%lld %lld %llu\n", (long long)longest / 1000, (long long)second / 1000, (unsigned long long)calls);
  return 0;
}
