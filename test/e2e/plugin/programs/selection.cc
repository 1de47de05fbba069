/* selection.cc - functions that the arguments of the plugin choose between. */
#ifndef PROF_PROBE
#define PROF_PROBE __attribute__((prof_probe))
#endif
#define NOINLINE __attribute__((noinline, noclone))

namespace shapes {
struct Circle {
  NOINLINE int area(int radius) { return radius * radius * 3; }
};
NOINLINE int count(int x) {
  return x + 1;
}
} // namespace shapes

NOINLINE PROF_PROBE int asked_for(int x) {
  return x + 2;
}
[[gnu::prof_probe]] NOINLINE int asked_too(int x) {
  return x + 3;
}
PROF_PROBE static inline int asked_small(int x) { /* is not inlined */
  return x + 4;
}
extern "C" NOINLINE int plain_c(int x) {
  return x * 7;
}
NOINLINE int longer(int x) {
  int total = 0;
  for (int i = 0; i < x; i++)
    total += plain_c(i) * asked_for(x - i) + shapes::count(total);
  return total;
}
__attribute__((no_instrument_function)) NOINLINE int left_alone(int x) {
  return x - 1;
}
extern "C" NOINLINE int __cuda_stub(int x) {
  return x - 2;
}
extern "C" NOINLINE int __nv_stub(int x) {
  return x - 3;
}
NOINLINE int __device_stub__kernel(int x) {
  return x - 4;
}
extern "C" NOINLINE int __prof_own(int x) {
  return x - 5;
}
__attribute__((naked)) int bare(void) {
  __asm__("ret");
}

int main() {
  shapes::Circle circle;
  return circle.area(2) + longer(3) + asked_too(1) + left_alone(1) + asked_small(2) + __cuda_stub(1) + __nv_stub(1) +
         __device_stub__kernel(1) + __prof_own(1);
}
