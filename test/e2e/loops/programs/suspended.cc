// A loop with a suspension in it is several functions: the program must do what it does, and other loops are counted.
#include <coroutine>

#include "by_hand.h"

struct generator {
  struct promise_type {
    int value;
    generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int made) {
      value = made;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

static generator counting(int n) {
  for (int i = 0; i < n; i++) /* loop counting unseen */
    co_yield i;
}

APART static long consumed(int n) {
  long sum = 0;
  generator made = counting(n);
  LOOP_IN(consumed);
  for (made.handle.resume(); !made.handle.done(); made.handle.resume()) { /* loop consumed removable */
    LOOP_IT(consumed);
    sum += made.handle.promise().value;
  }
  made.handle.destroy();
  return sum;
}

int main() {
  long sum = 0;
  int until = unknown(30);
  LOOP_IN(turns);
  for (int n = 0; n < until; n++) { /* loop turns */
    LOOP_IT(turns);
    sum = sum * 3 + consumed(n);
  }
  printf("%ld\n", sum);
  return 0;
}
