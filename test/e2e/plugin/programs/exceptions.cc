/* exceptions.cc - exceptions through, out of and inside of probed functions; destructors run in order. */
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define NOINLINE [[gnu::noinline]]

struct Trace {
  std::string name;
  explicit Trace(std::string n) : name(std::move(n)) { std::printf("+%s ", name.c_str()); }
  ~Trace() { std::printf("-%s ", name.c_str()); }
};

NOINLINE static int deep(int n) {
  Trace trace("d" + std::to_string(n));
  if (n == 0)
    throw std::runtime_error("bottom");
  return deep(n - 1) + 1;
}
NOINLINE static int passes(int n) {
  return deep(n);
}
NOINLINE static int rethrows(int n) {
  try {
    return passes(n);
  } catch (const std::exception &caught) {
    std::printf("[%s] ", caught.what());
    throw;
  }
}
NOINLINE static int catches(int n) {
  try {
    return rethrows(n);
  } catch (...) {
    Trace trace("handler");
    return -n;
  }
}
NOINLINE static int in_loop(int n) {
  int caught = 0;
  for (int i = 0; i < n; i++) {
    try {
      if (i % 3 == 0)
        throw i;
      Trace trace("l");
    } catch (int value) {
      caught += value;
    }
  }
  return caught;
}
struct Base {
  Trace part{"part"};
  virtual int value() const { return 1; }
  virtual ~Base() = default;
};
struct Fails : Base {
  Fails() { throw std::logic_error("constructor"); }
};
struct Derived final : Base {
  int value() const override { return 2; }
};
NOINLINE static int constructors() {
  try {
    Fails fails;
    return 0;
  } catch (const std::logic_error &caught) {
    std::printf("[%s] ", caught.what());
  }
  std::unique_ptr<Base> base = std::make_unique<Derived>();
  return base->value();
}
NOINLINE static int no_throw(int x) noexcept {
  return x + 1;
}
NOINLINE static int lambdas(int x) {
  std::function<int(int)> self = [&](int n) { return n == 0 ? throw n : self(n - 1); };
  try {
    return self(x);
  } catch (int) {
    return no_throw(x);
  }
}
NOINLINE static int pointer_kept() {
  std::exception_ptr kept;
  try {
    deep(1);
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    std::rethrow_exception(kept);
  } catch (const std::runtime_error &) {
    return 5;
  }
}
static Trace global("global");

int main() {
  std::printf("\n%d\n", catches(3));
  std::printf("\n%d\n", in_loop(8));
  std::printf("\n%d\n", constructors());
  std::printf("\n%d\n", lambdas(6));
  std::printf("\n%d\n", pointer_kept());
  std::vector<Trace> traces;
  traces.emplace_back("a");
  traces.emplace_back("b");
  std::set_terminate([] {
    std::printf("\nterminated\n");
    std::fflush(stdout);
    std::_Exit(6);
  });
  [](int x) noexcept { return deep(x); }(0);
}
