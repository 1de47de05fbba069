// ways.cc - as ways.c, in C++: exceptions, destructors, inlined functions, templates, lambdas, coroutines.
#include <cstdio>
#include <stdexcept>
#include <vector>
#if defined(__cpp_impl_coroutine) && __has_include(<coroutine>)
#include <coroutine>
#define HAS_COROUTINES 1
#endif

static volatile unsigned sink;

struct guard {
  ~guard() {
    sink += 1; // visits 40
  }
};

__attribute__((noinline)) static unsigned thrower(unsigned n) {
  guard held;
  if (n % 2)
    throw std::runtime_error("odd"); // visits 20
  return n;
}

__attribute__((noinline)) static void catcher() {
  for (unsigned i = 0; i < 40; i++) {
    try {
      sink += thrower(i); // visits 40
    } catch (const std::runtime_error &) {
      sink += 2; // visits 20
    }
    sink += 3; // visits 40
  }
}

template <typename T> static inline T twice(T value) {
  sink += 4; // visits 60
  return value * 2;
}

__attribute__((noinline)) static void inlined() {
  for (unsigned i = 0; i < 30; i++) {
    sink += twice(i);                 // visits 30
    sink += (unsigned)twice((long)i); // visits 30
  }
}

__attribute__((noinline)) static void lambdas() {
  auto add = [](unsigned n) {
    sink += n; // visits 15
  };
  for (unsigned i = 0; i < 15; i++)
    add(i); // visits 15
}

#ifdef HAS_COROUTINES
struct task { // hands over to the other one by symmetric transfer
  struct promise_type {
    std::coroutine_handle<> other;
    task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

struct hand_over {
  std::coroutine_handle<> to;
  bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<>) noexcept { return to; }
  void await_resume() noexcept {}
};

static std::coroutine_handle<> sides[2];

static task side(unsigned number, unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) {
    sink += number;
    co_await hand_over{sides[1 - number]};
  }
}
#endif

static void coroutines(unsigned rounds) {
#ifdef HAS_COROUTINES
  task first = side(0, rounds), second = side(1, rounds);
  sides[0] = first.handle;
  sides[1] = second.handle;
  first.handle.resume();
  std::printf("coroutines: %d %d\n", (int)first.handle.done(), (int)second.handle.done());
  first.handle.destroy();
  second.handle.destroy();
#else
  std::printf("coroutines: %u\n", rounds - rounds);
#endif
}

int main(int argc, char **) {
  catcher();
  inlined();
  lambdas();
  coroutines(argc > 1 ? 400000 : 50);
  std::vector<unsigned> numbers;
  for (unsigned i = 0; i < 12; i++)
    numbers.push_back(i); // visits 12
  std::printf("end %zu\n", numbers.size());
  return 4;
}
