/* shapes.cc - virtual functions, a global constructor, an exception; a second copy of what units.h has inline. */
#include "units.h"

namespace {
struct Global {
  APART Global() : value(4) { COUNT(GLOBAL); }
  int value;
} global;
} // namespace

/* An inline constructor: inlined or not, as the level has it; so it counts nothing and has no probe. */
#define NO_PROBE __attribute__((no_instrument_function))

struct Shape {
  NO_PROBE explicit Shape(int size) : size(size) {}
  virtual int area() const = 0;
  int size;
};
struct Square : Shape {
  NO_PROBE explicit Square(int size) : Shape(size) {}
  APART int area() const override {
    COUNT(SQUARE);
    return size * size;
  }
};
struct Circle : Shape {
  NO_PROBE explicit Circle(int size) : Shape(size) {}
  APART int area() const override {
    COUNT(CIRCLE);
    return static_cast<int>(largest<long>(size * size * 3, 4));
  }
};

APART int areas(int count) {
  COUNT(AREAS);
  int sum = global.value;
  for (int i = 0; i < count; i++) {
    Square square(i);
    Circle circle(i + 1);
    const Shape *volatile shapes[] = {&square, &circle};
    sum += shapes[0]->area() + shapes[1]->area() + largest(i, 2);
  }
  return sum;
}

APART int throws(int x) {
  COUNT(THROWS);
  return inlined_in_two(x) * 2;
}
