/* coroutines.cc - C++20 coroutines: suspended, resumed, thrown through, destroyed half-way; and virtual thunks. */
#include <coroutine>
#include <cstdio>
#include <exception>
#include <utility>

struct Generator {
  struct promise_type {
    int current = 0;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int value) {
      current = value;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
  explicit Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
  Generator(Generator &&other) noexcept : handle(std::exchange(other.handle, {})) {}
  ~Generator() {
    if (handle)
      handle.destroy();
  }
  bool next() {
    handle.resume();
    return !handle.done();
  }
};

struct Left {
  ~Left() { std::printf("left "); }
};

[[gnu::noinline]] static Generator count(int from, int to) {
  Left left;
  for (int i = from; i < to; i++) {
    if (i == 13)
      throw i;
    co_yield i;
  }
}

struct First {
  virtual int first() { return 1; }
};
struct Second {
  virtual Second *self() { return this; }
  virtual int second() { return 2; }
};
struct Both : First, Second {
  Both *self() override { return this; }
  int second() override { return 22; }
};

int main() {
  {
    Generator whole = count(0, 4);
    while (whole.next())
      std::printf("%d ", whole.handle.promise().current);
    Generator half = count(5, 100);
    half.next();
  }
  try {
    Generator thrown = count(12, 20);
    while (thrown.next())
      std::printf("%d ", thrown.handle.promise().current);
  } catch (int caught) {
    std::printf("caught %d ", caught);
  }
  Both both;
  Second *second = &both;
  std::printf("%d %d\n", second->second(), second->self()->second());
}
