/* scopes.cc - zones in C++: templates, lambdas, members, exceptions out of a zone and inside of one. */
#include <prof.h>

#include <cstdio>
#include <stdexcept>

static volatile int sink;

template <class T> static T of_template(T value) {
  PROF_ZONE("template");
  return value + 1;
}

struct holder {
  holder() {
    PROF_ZONE("constructor");
    sink = sink + 1;
  }
  ~holder() {
    PROF_ZONE("destructor");
    sink = sink + 1;
  }
  static int member(int x) {
    PROF_ZONE("member");
    auto add = [&](int y) {
      PROF_ZONE("lambda");
      return x + y;
    };
    return add(1) + add(2);
  }
};

__attribute__((noinline)) static void after() {
  PROF_ZONE("after");
  sink = sink + 1;
}

__attribute__((noinline)) static void throws(int what) {
  PROF_ZONE("throws");
  holder held;
  if (what)
    throw std::runtime_error("thrown");
}

/* The zone goes on behind the catch. */
__attribute__((noinline)) static void catches() {
  PROF_ZONE("catches");
  try {
    throws(1);
  } catch (const std::runtime_error &) {
    sink = sink + 1;
  }
  after();
}

static holder global;

int main() {
  PROF_ZONE("main zone");
  of_template(1);
  of_template(1.0);
  holder::member(1);
  throws(0);
  catches();
  std::puts("done");
  return 3;
}
