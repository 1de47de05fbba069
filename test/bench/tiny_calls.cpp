/*
 * test/bench/tiny_calls.cpp - six kernels that do hardly anything but call: what the probes cost is most of a
 * recording.
 *
 *   tiny_calls KERNEL CALLS
 *
 * Prints a checksum and, on standard error, the processor time that the kernel took.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>

#define KEPT __attribute__((noinline))
#define IMPURE(value) __asm__ volatile("" : "+r"(value)) /* else the compiler calls it once for all */

static double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/* ---- flat: one function in a loop ---- */

KEPT unsigned tiny(unsigned value) {
  IMPURE(value);
  return value * 3 + 1;
}

KEPT unsigned flat(unsigned long calls) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < calls; i++)
    sum ^= tiny(sum + static_cast<unsigned>(i));
  return sum;
}

/* ---- nested: three levels ---- */

KEPT unsigned innermost(unsigned value) {
  IMPURE(value);
  return value ^ value >> 3;
}

KEPT unsigned middle(unsigned value) {
  return innermost(value) + innermost(value + 1);
}

KEPT unsigned outer(unsigned value) {
  return middle(value) ^ value;
}

KEPT unsigned nested(unsigned long calls) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < calls / 4; i++)
    sum += outer(sum ^ static_cast<unsigned>(i));
  return sum;
}

/* ---- recursive ---- */

KEPT unsigned fibonacci(unsigned n) {
  IMPURE(n);
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

KEPT unsigned recursive(unsigned long calls) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < calls / 21891; i++) /* so many calls does fibonacci(20) make */
    sum += fibonacci(20);
  return sum;
}

/* ---- mixed: a call of a microsecond after twenty tiny ones ---- */

KEPT unsigned longer(unsigned value) {
  for (int i = 0; i < 800; i++) {
    value = value * 1664525 + 1013904223;
    IMPURE(value);
  }
  return value;
}

KEPT unsigned mixed(unsigned long calls) {
  unsigned sum = 0;
  for (unsigned long i = 0; i < calls; i++)
    sum ^= i % 20 ? tiny(sum + static_cast<unsigned>(i)) : longer(sum);
  return sum;
}

/* ---- threads: two of them ---- */

static unsigned long thread_calls;

static void *worker(void *sum) {
  *static_cast<unsigned *>(sum) = flat(thread_calls);
  return nullptr;
}

KEPT unsigned threads(unsigned long calls) {
  pthread_t other;
  unsigned here, there = 0;
  thread_calls = calls / 2;
  if (pthread_create(&other, nullptr, worker, &there) != 0)
    return 0;
  worker(&here);
  pthread_join(other, nullptr);
  return here + there;
}

/* ---- accessors: methods of one line ---- */

struct Point {
  KEPT long x() const {
    long value = x_;
    IMPURE(value);
    return value;
  }
  KEPT long y() const {
    long value = y_;
    IMPURE(value);
    return value;
  }
  KEPT void move(long by_x, long by_y) {
    x_ += by_x;
    y_ -= by_y;
  }
  long x_, y_;
};

KEPT unsigned accessors(unsigned long calls) {
  static Point points[64];
  long sum = 0;
  for (unsigned long i = 0; i < calls / 3; i++) {
    Point &point = points[i % 64];
    point.move(sum & 7, static_cast<long>(i));
    sum += point.x() - point.y();
  }
  return static_cast<unsigned>(sum);
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    unsigned (*run)(unsigned long);
  } kernels[] = {{"flat", flat},   {"nested", nested},   {"recursive", recursive},
                 {"mixed", mixed}, {"threads", threads}, {"accessors", accessors}};
  for (const auto &kernel : kernels) {
    if (count != 3 || strcmp(kernel.name, arguments[1]) != 0)
      continue;
    double begin = cpu_seconds();
    unsigned sum = kernel.run(strtoul(arguments[2], nullptr, 10));
    fprintf(stderr, "%.6f s\n", cpu_seconds() - begin);
    printf("%u\n", sum);
    return 0;
  }
  fprintf(stderr, "tiny_calls: KERNEL CALLS\n");
  return 2;
}
