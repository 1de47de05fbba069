/* Reads numbers, of which every second one is bad.  Planted: the bad ones throw.  CLEAN: a status. */
#include <cstdio>
#include <stdexcept>

static int value_of(unsigned text) {
  for (int i = 0; i < 40; i++)
    text ^= text * 2654435761u >> 15;
  return static_cast<int>(text % 1000);
}

#ifdef CLEAN
enum { NUMBERS = 1000000 };
__attribute__((noinline)) static bool parse(int text, int &number) {
  number = value_of(static_cast<unsigned>(text));
  return text % 2 == 0;
}
#else
enum { NUMBERS = 200000 };
__attribute__((noinline)) static int parse(int text) {
  if (text % 2)
    throw std::runtime_error("no number");
  return value_of(static_cast<unsigned>(text));
}
#endif

__attribute__((noinline)) static long sum_of(int count) {
  long sum = 0;
  for (int i = 0; i < count; i++) {
#ifdef CLEAN
    int number = 0;
    sum += parse(i, number) ? number : -1;
#else
    try {
      sum += parse(i);
    } catch (const std::exception &) {
      sum--;
    }
#endif
  }
  return sum;
}

int main() {
  std::printf("%ld\n", sum_of(NUMBERS));
}
