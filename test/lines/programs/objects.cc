// Templates, lambdas, a local class, a member of a namespace.
#include <cstdio>
#include <string>
#include <vector>

#include "here.h"

namespace shapes {
template <typename Value> struct Box {
  std::vector<Value> values;
  __attribute__((noinline)) Value total() const {
    HERE(total);
    Value sum{};
    for (const Value &value : values)
      sum += value;
    return sum;
  }
};

__attribute__((noinline)) int in_lambda(int x) {
  auto twice = [x](int y) __attribute__((always_inline)) {
    HERE(lambda);
    return x * y * 2;
  };
  return twice(3); // into in_lambda
}
} // namespace shapes

extern "C" __attribute__((noinline)) int object_work(int x) {
  struct Local {
    __attribute__((noinline)) static int act(int y) {
      HERE(local);
      return y + 2;
    }
  };
  shapes::Box<int> box;
  for (int i = 0; i < x % 17; i++)
    box.values.push_back(Local::act(i));
  std::string text = std::to_string(shapes::in_lambda(x));
  return box.total() + static_cast<int>(text.size());
}
