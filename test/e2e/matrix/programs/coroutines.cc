// C++20 coroutines: a generator resumed in turn from two callers, one in another, one that throws, one destroyed early.
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(leaf, "leaf")                                                                                                      \
  F(ask, "ask")                                                                                                        \
  F(other, "other")                                                                                                    \
  F(held_end, "Held::~Held")
#include "matrix.h"
#include <coroutine>

struct Generator {
  struct promise_type {
    int current = 0;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int value) {
      current = value;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
};

NOINLINE static void leaf(int what) {
  COUNT(leaf);
  printf("%d ", what);
}

struct Held {
  NOINLINE ~Held() {
    COUNT(held_end);
    leaf(0);
    BARRIER();
  }
};

// What runs in a coroutine counts as called by whoever resumed it.
NOINLINE static Generator count(int from, int to) {
  Held held;
  for (int i = from; i < to; i++) {
    leaf(i);
    co_yield i;
  }
}

NOINLINE static Generator outer(int to) {
  Generator inner = count(0, to);
  for (inner.handle.resume(); !inner.handle.done(); inner.handle.resume())
    co_yield inner.handle.promise().current * 10;
  inner.handle.destroy();
}

NOINLINE static Generator fails(int at) {
  Held held;
  for (int i = 0;; i++) {
    leaf(i);
    if (i == at)
      throw i;
    co_yield i;
  }
}

NOINLINE static int ask(Generator &generator) {
  COUNT(ask);
  generator.handle.resume();
  BARRIER();
  return generator.handle.done() ? -1 : generator.handle.promise().current;
}

NOINLINE static int other(Generator &generator) {
  COUNT(other);
  generator.handle.resume();
  BARRIER();
  return generator.handle.promise().current;
}

int main(int argc, char **argv) {
  COUNT(main);
  Generator one = count(1, 3), two = outer(2), three = fails(1), four = count(7, 9);
  int sum = ask(one) + other(one) + ask(one);
  while (ask(two) >= 0)
    sum++;
  ask(three);
  try {
    ask(three);
  } catch (int caught) {
    sum += caught;
  }
  other(four);
  /* Not three: clang runs the destructors of a coroutine that has thrown a second time. */
  four.handle.destroy();
  two.handle.destroy();
  one.handle.destroy();
  printf("%d\n", sum);
  return 0;
}
