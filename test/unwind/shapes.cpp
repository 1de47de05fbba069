/*
 * shapes.cpp - frames of all shapes, for ever: the program that test_live.py stops and unwinds.
 *
 * Leaf with a red zone, saved registers, arguments on the stack, frames of variable size, realigned stacks, recursion,
 * exceptions, callbacks from libc, calls through the PLT, a signal handler at any instruction, a second thread's
 * bottom.
 */
#include <alloca.h>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <vector>

#define KEEP __attribute__((noinline))

static volatile unsigned long sink;

static KEEP unsigned long leaf(unsigned long x) { /* its locals lie in the red zone */
  volatile unsigned char room[64];
  for (unsigned i = 0; i < sizeof room; i++)
    room[i] = static_cast<unsigned char>(x * i);
  for (unsigned i = 0; i < sizeof room; i++)
    x += room[i] ^ (x << 3);
  return x;
}

static KEEP unsigned long saved(unsigned long a, unsigned long b, unsigned long c) {
  unsigned long sum = a;
  for (unsigned i = 0; i < 5; i++)
    sum += leaf(a + i) * leaf(b - i) ^ leaf(c * i);
  return sum + a * b + c;
}

static KEEP unsigned long seven(long a, long b, long c, long d, long e, long f, long g, long h) { /* on the stack */
  return saved(static_cast<unsigned long>(a + b + c), static_cast<unsigned long>(d * e),
               static_cast<unsigned long>(f - g + h));
}

static KEEP unsigned long variable(unsigned long x) {
  auto *room = static_cast<volatile unsigned char *>(alloca(16 + x % 900));
  room[x % 16] = 3;
  unsigned long sum = saved(x, room[x % 16], 5);
  return sum + room[x % 16] + seven(1, 2, static_cast<long>(x), 4, 5, 6, 7, 8);
}

static KEEP unsigned long aligned(unsigned long x) {
  alignas(128) volatile unsigned char room[256];
  room[x % 256] = 1;
  unsigned long sum = variable(x + reinterpret_cast<std::uintptr_t>(room) % 128);
  return sum + room[x % 256];
}

static KEEP unsigned long deep(unsigned level, unsigned long x) {
  unsigned long sum = level == 0 ? aligned(x) : deep(level - 1, x + level);
  return sum * 3 + level;
}

static KEEP void throws(unsigned long x) {
  std::string text(x % 60, 'a');
  if (x % 2 == 0)
    throw std::runtime_error(text);
  sink += text.size();
}

static KEEP unsigned long catches(unsigned long x) {
  try {
    throws(x);
    throws(x + 1);
  } catch (const std::exception &e) {
    return std::strlen(e.what()) + leaf(x);
  }
  return x;
}

static int compare(const void *left, const void *right) {
  auto a = *static_cast<const unsigned long *>(left), b = *static_cast<const unsigned long *>(right);
  return a < b ? -1 : static_cast<int>(leaf(a) % 1) + (a > b);
}

static KEEP unsigned long sorts(unsigned long x) {
  std::vector<unsigned long> items;
  for (unsigned i = 0; i < 60; i++)
    items.push_back((x + i) * 2654435761u % 1000);
  std::qsort(items.data(), items.size(), sizeof items[0], compare);
  return items[3];
}

static KEEP unsigned long libc(unsigned long x) {
  char text[128];
  std::snprintf(text, sizeof text, "%lu %g %s", x, static_cast<double>(x) / 7, "text");
  return std::strlen(text) + std::strtoul(text, nullptr, 10);
}

struct Shape {
  virtual ~Shape() = default;
  virtual unsigned long area(unsigned long x) = 0;
};
struct Square final : Shape {
  unsigned long area(unsigned long x) override { return saved(x, x, x); }
};
struct Circle final : Shape {
  unsigned long area(unsigned long x) override { return deep(static_cast<unsigned>(x % 12), x); }
};

static void on_signal(int) {
  for (unsigned i = 0; i < 20; i++)
    sink += deep(i % 5, i);
}

static KEEP unsigned long round_of(unsigned long x) {
  Square square;
  Circle circle;
  Shape *shapes[] = {&square, &circle};
  unsigned long sum = shapes[x % 2]->area(x) + catches(x) + sorts(x) + libc(x);
  if (x % 16 == 0)
    std::raise(SIGUSR1);
  return sum + aligned(x);
}

static KEEP void *forever(void *) {
  for (unsigned long x = 1;; x++)
    sink += round_of(x);
}

int main(int count, char **arguments) {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGVTALRM, &action, nullptr);
  itimerval often = {{0, 4000}, {0, 4000}}; /* at any instruction */
  setitimer(ITIMER_VIRTUAL, &often, nullptr);
  if (count > 1 && std::strcmp(arguments[1], "thread") == 0) {
    pthread_t thread;
    sigset_t all;
    pthread_create(&thread, nullptr, forever, nullptr);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    pthread_join(thread, nullptr);
  }
  forever(nullptr);
}
