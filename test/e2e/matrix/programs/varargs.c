/* Variable arguments, of both kinds of registers and on the stack, forwarded and returned as a struct. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(sum, "sum")                                                                                                        \
  F(forward, "forward")                                                                                                \
  F(total, "total")                                                                                                    \
  F(mixed, "mixed")                                                                                                    \
  F(spread, "spread")
#include "matrix.h"
#include <stdarg.h>

struct spread {
  long low, high;
  double mean;
};

NOINLINE static long total(int count, va_list list) {
  long result = 0;
  COUNT(total);
  for (int i = 0; i < count; i++)
    result += va_arg(list, long);
  return result;
}

NOINLINE static long forward(int count, ...) {
  va_list list;
  COUNT(forward);
  va_start(list, count);
  long result = total(count, list);
  va_end(list);
  return result;
}

NOINLINE static long sum(int count, ...) {
  va_list list;
  long result = 0;
  COUNT(sum);
  va_start(list, count);
  for (int i = 0; i < count; i++)
    result += va_arg(list, long);
  va_end(list);
  return result;
}

NOINLINE static double mixed(const char *kinds, ...) {
  va_list list;
  double result = 0;
  COUNT(mixed);
  va_start(list, kinds);
  for (; *kinds; kinds++)
    result += *kinds == 'd'   ? va_arg(list, double)
              : *kinds == 'l' ? (double)va_arg(list, long double)
                              : va_arg(list, int);
  va_end(list);
  return result;
}

NOINLINE static struct spread spread(int count, ...) {
  struct spread result = {1000, -1000, 0};
  va_list list;
  COUNT(spread);
  va_start(list, count);
  for (int i = 0; i < count; i++) {
    long value = va_arg(list, long);
    result.low = value < result.low ? value : result.low;
    result.high = value > result.high ? value : result.high;
    result.mean += (double)value / count;
  }
  va_end(list);
  return result;
}

int main(int argc, char **argv) {
  COUNT(main);
  printf("%ld %ld\n", sum(3, 1l, 2l, 3l), sum(9, 1l, 2l, 3l, 4l, 5l, 6l, 7l, 8l, 9l));
  printf("%ld\n", forward(8, 1l, 2l, 3l, 4l, 5l, 6l, 7l, 80l));
  printf("%g\n", mixed("didldididididd", 1.5, 2, 3.5, 4.25L, 5.5, 6, 7.5, 8, 9.5, 10, 11.5, 12, 13.5, 14.5));
  struct spread got = spread(4, 5l, -2l, 9l, 4l);
  printf("%ld %ld %g\n", got.low, got.high, got.mean);
  return 0;
}
