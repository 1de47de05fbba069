// C++: templates, lambdas, virtual functions, operators, exceptions, thread_local objects, global constructors.
#include <cstdio>
#include <pthread.h>

namespace shop {
template <class T, int N> struct Shelf {
  T items[N] = {};
  T total() const {
    T sum{};
    for (T item : items)
      sum += item;
    return sum;
  }
};

struct Price {
  int cents;
  explicit operator bool() const { return cents > 0; }
  Price operator+(Price other) const { return {cents + other.cents}; }
  bool operator<(Price other) const { return cents < other.cents; }
};

struct Item {
  virtual ~Item() {}
  virtual int price() { return 1; }
};
struct Bread : Item {
  int price() override { return 2; }
};
} // namespace shop

namespace {
struct Till {
  Till() { std::puts("open"); }
  ~Till() { std::puts("closed"); }
} till;

struct Visit {
  ~Visit() { std::puts("left"); }
  void note() {}
};
thread_local Visit visit;
} // namespace

template <class F> int apply(F f) {
  return f(3);
}

static void refuse(int n) {
  if (n == 0)
    throw n;
  refuse(n - 1);
}

static int sell() {
  try {
    refuse(2);
  } catch (int) {
    return 1;
  }
  return 0;
}

static void *visitor(void *) {
  visit.note();
  return nullptr;
}

int main() {
  shop::Shelf<int, 3> shelf;
  shop::Bread bread;
  shop::Item *item = &bread;
  int sum = shelf.total() + item->price() + apply([](int x) { return x + 1; }) + sell();
  shop::Price price = shop::Price{1} + shop::Price{2};
  std::printf("%d %d %d\n", sum, bool(price), price < shop::Price{4});
  pthread_t thread;
  pthread_create(&thread, nullptr, visitor, nullptr);
  pthread_join(thread, nullptr);
  return 0;
}
