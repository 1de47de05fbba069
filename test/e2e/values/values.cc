/* values.cc - what C++ adds: this, references, templates, default arguments, operators, members that return. */
#include <cstdio>
#include <stdexcept>
#include <string>

static volatile long sink;

class account {
public:
  explicit account(int balance) : balance(balance) {}
  __attribute__((noinline)) int add(int amount, const char *reason = "none") {
    sink += reason[0];
    return balance += amount;
  }
  __attribute__((noinline)) static long total(long first, long second) { return first + second; }
  __attribute__((noinline)) bool operator<(const account &other) const { return balance < other.balance; }
  virtual ~account() {}
  __attribute__((noinline)) virtual const char *kind(char letter) const { return letter == 'a' ? "first" : "second"; }

private:
  int balance;
};

template <typename T> __attribute__((noinline)) T twice(T value) {
  sink += 1;
  return value + value;
}

namespace shop {
__attribute__((noinline)) std::string label(const std::string &name, unsigned count) {
  return name + std::to_string(count);
}
__attribute__((noinline)) int thrown(int n) {
  if (n > 1)
    throw std::runtime_error("large");
  return n;
}
} // namespace shop

static __attribute__((noinline)) void throws(int n) {
  if (n < 0)
    throw n;
  sink += n;
}
struct guard { /* inlined, also where an exception lands */
  __attribute__((always_inline)) guard() { throws(100); }
  __attribute__((always_inline)) ~guard() { throws(200); }
};
__attribute__((noinline)) int guarded(int n) {
  guard inside;
  throws(n);
  return n + 1;
}

int main() {
  account one(10), two(20);
  sink += one.add(5) + one.add(-3, "fee");
  sink += account::total(1, -2) + (one < two);
  const account &base = two;
  sink += base.kind('a')[0];
  sink += twice(4) + (long)twice(2.5);
  sink += (long)shop::label("x", 3).size();
  try {
    sink += shop::thrown(1) + shop::thrown(2);
  } catch (const std::exception &) {
    sink += 1;
  }
  try {
    sink += guarded(1) + guarded(-1);
  } catch (int n) {
    sink += n;
  }
  std::printf("done\n");
  return 3;
}
