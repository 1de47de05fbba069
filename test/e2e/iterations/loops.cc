/* loops.cc - what C++ adds: range-for, exceptions, destructors, lambdas, templates, constexpr; see loops.c. */
#include <cstdio>
#include <stdexcept>
#include <vector>

#define APART __attribute__((noinline))

static volatile int sink;

APART static void work(int n) {
  for (int i = 0; i < n; i++)
    sink = sink + i;
}

struct guard {
  int *left;
  explicit guard(int *left) : left(left) {}
  APART ~guard() { work(++*left); }
};

APART static int ranged(const std::vector<int> &values) {
  int sum = 0;
  for (int value : values)
    sum += value + sink;
  return sum;
}

APART static void may_throw(int i) {
  if (i % 3 == 2)
    throw std::runtime_error("third");
}

/* Caught around the loop, and in it. */
APART static int thrown(int n) {
  int left = 0;
  try {
    for (int i = 0; i < n; i++) {
      guard inner(&left);
      may_throw(i);
    }
  } catch (const std::exception &) {
    left += 10;
  }
  for (int i = 0; i < n; i++) {
    guard inner(&left);
    try {
      may_throw(i);
      if (i == 4)
        continue;
      work(1);
    } catch (const std::exception &) {
      left += 100;
    }
  }
  return left;
}

/* Leaves through two functions that have iterations. */
APART static void passes(int n) {
  for (int i = 0; i < n; i++)
    may_throw(i);
}

APART static int outer() {
  int caught = 0;
  for (int i = 0; i < 3; i++)
    try {
      passes(i + 1);
    } catch (const std::exception &) {
      caught++;
    }
  return caught;
}

template <typename type> struct box {
  type value;
  APART type sums(int n) {
    type sum = 0;
    for (int i = 0; i < n; i++) {
      work(1);
      sum += value;
      if (i == 5)
        return sum;
    }
    return sum;
  }
};

constexpr int folded(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}
static_assert(folded(4) == 6, "evaluated by the compiler");

APART static int calls_lambda(int n) {
  auto lambda = [n] {
    int sum = 0;
    for (int i = 0; i < n; i++)
      sum += sink + i;
    return sum;
  };
  return lambda();
}

int main() {
  box<int> of_int{2};
  box<double> of_double{0.5};
  int total = ranged({1, 2, 3, 4}) + thrown(6) + outer() + of_int.sums(3) + (int)of_double.sums(9) + calls_lambda(7) +
              folded(sink * 0 + 5);
  std::printf("%d\n", total - sink + sink);
}
