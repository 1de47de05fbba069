/* Ways that control takes in C++ besides those of C, for counts of lines.  Prints a sum. */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <setjmp.h>
#include <stdexcept>
#include <string>
#include <vector>
template <class T> T add(T a, T b) {
  if (a > b)
    return a + b;
  return b - a;
}
struct S {
  int v;
  explicit S(int x) : v(x) { v++; }
  ~S() { v = 0; }
  int get() const { return v - 1; }
};
static int thrower(int n) {
  S s(n);
  if (n % 3 == 0)
    throw std::runtime_error("three");
  for (int i = 0; i < n; ++i) {
    s.v += i;
    if (s.v > 100)
      break;
  }
  return s.get();
}
static jmp_buf jb;
static void jumper(int n) {
  if (n == 2)
    longjmp(jb, 1);
}
int main() {
  int total = 0;
  for (int i = 0; i < 20; i++) {
    try {
      total += thrower(i);
    } catch (const std::exception &e) {
      total--;
    }
  }
  volatile int k = 0;
  if (setjmp(jb))
    total += 7;
  for (; k < 5; k++) {
    int q = k;
    k = q;
    jumper(q == 2 && total % 2 ? 2 : 0);
  }
  std::map<std::string, int> m;
  for (auto w : {"a", "b", "a"})
    m[w]++;
  for (auto &p : m)
    total += p.second;
  auto f = [&](int x) {
    total++;
    return x + total;
  };
  total += f(1) + add(1, 2) + (int)add(2.5, 1.5);
  void *labels[] = {&&l0, &&l1, &&l2};
  int st = 0;
  goto *labels[st];
l0:
  st = 1;
  goto *labels[st];
l1:
  if (total++ < 1000)
    goto *labels[1];
  st = 2;
  goto *labels[st];
l2:
  printf("%d\n", total);
  do {
    total /= 2;
  } while (total > 0);
  switch (total) {
  case 0:
    std::puts("zero");
  case 1:
    std::puts("one");
    break;
  default:
    std::puts("many");
  }
  return 0;
}
