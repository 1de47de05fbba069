// test/e2e/readers/calls.cc - every way to leave a function that a trace has to tell; see test_readers.py.
#include <csetjmp>
#include <cstdio>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" {
static std::jmp_buf back;
static volatile int sink;

struct guard { // so that frames between throw and catch have landing pads
  ~guard() { sink = sink + 1; }
};

__attribute__((noinline)) void leaf(int number) {
  sink = number;
}
__attribute__((noinline)) void thrower(int number) {
  if (number % 2)
    throw std::runtime_error("odd");
}
__attribute__((noinline)) void between(int number) {
  guard kept;
  leaf(number);
  thrower(number);
}
__attribute__((noinline)) void catcher(int number) {
  try {
    between(number);
  } catch (const std::exception &) {
    leaf(-number);
  }
}
__attribute__((noinline)) void jumper(int depth) {
  if (!depth)
    std::longjmp(back, 1);
  jumper(depth - 1);
  leaf(depth);
}
__attribute__((noinline)) void jumped_over() {
  if (!setjmp(back))
    jumper(5);
}
__attribute__((noinline)) void deep(int depth) {
  leaf(depth);
  if (depth)
    deep(depth - 1);
  leaf(depth);
}
__attribute__((noinline)) void many() {
  for (int i = 0; i < 20000; i++)
    leaf(i);
}
__attribute__((noinline)) void work() {
  for (int i = 0; i < 100; i++)
    catcher(i);
  many();
}
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back(work);
  for (auto &thread : threads)
    thread.join();
  for (int i = 0; i < 10; i++)
    jumped_over();
  deep(100000); // deeper than a trace holds
  if (pid_t child = fork())
    waitpid(child, nullptr, 0);
  else
    _exit((many(), 0));
  return 0;
}
