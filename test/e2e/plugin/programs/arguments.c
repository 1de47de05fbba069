/* arguments.c - values of every class go in and out of probed functions unchanged. */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))
typedef float vector __attribute__((vector_size(16)));
typedef float wide_vector __attribute__((vector_size(32)));

struct big {
  long values[9];
};
struct pair {
  double first;
  long second;
};

NOINLINE static double sum(int count, ...) {
  va_list list;
  double total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    total += i % 2 ? va_arg(list, double) : va_arg(list, int);
  va_end(list);
  return total;
}
NOINLINE static struct big big(struct big in, int by) {
  for (int i = 0; i < 9; i++)
    in.values[i] *= by;
  return in;
}
NOINLINE static struct pair pair(struct pair in) {
  return (struct pair){in.first * 2, in.second + 1};
}
NOINLINE static long double extended(long double x) {
  return x / 3;
}
NOINLINE static double complex turned(double complex x) {
  return x * I;
}
NOINLINE static vector scaled(vector x, float by) {
  return x * by;
}
NOINLINE static __int128 wide(__int128 x) {
  return x * x;
}
NOINLINE __attribute__((target("avx"))) static wide_vector scaled_wide(wide_vector x) {
  return x + x;
}
/* The caller knows the wide registers too: how such a value is passed depends on it. */
NOINLINE __attribute__((target("avx"))) static void scaled_wide_print(void) {
  wide_vector w = scaled_wide((wide_vector){1, 2, 3, 4, 5, 6, 7, 8});
  printf("%.1f %.1f\n", w[0], w[7]);
}
NOINLINE static _Bool carries(unsigned a, unsigned b) {
  unsigned result;
  return __builtin_add_overflow(a, b, &result);
}
NOINLINE static int old_style(a, b)
int a;
char b;
{ return a + b; }

int main(void) {
  struct big in = {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, out = big(in, 3);
  struct pair two = pair((struct pair){1.5, 4});
  vector v = scaled((vector){1, 2, 3, 4}, 2.5f);
  double complex turn = turned(3 + 4 * I);
  printf("%.2f %ld %ld %.1f %ld\n", sum(5, 1, 2.5, 3, 4.5, 5), out.values[0], out.values[8], two.first, two.second);
  printf("%.6Lf %.1f %.1f %.1f %.1f\n", extended(10.0L), creal(turn), cimag(turn), v[0], v[3]);
  printf("%lld %d %d %d\n", (long long)wide(3000000000), carries(~0u, 1), carries(1, 1), old_style(3, 'A'));
  if (__builtin_cpu_supports("avx"))
    scaled_wide_print();
  else
    printf("2.0 16.0\n");
  return 0;
}
