/*
 * registers.c COUNT - arguments and results in every register that a call passes them in: a probe that changes one of
 * them changes the sum that is printed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef float four __attribute__((vector_size(16)));

#define APART __attribute__((noinline, noclone))
#ifdef __clang__
#undef APART
#define APART __attribute__((noinline))
#endif

APART static double doubles(double a, double b, double c, double d, double e, double f, double g, double h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

APART static four vectors(four a, four b, four c, four d, four e, four f, four g, four h) {
  return a - b + c - d + e - f + g - h;
}

APART static uint64_t words(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g) {
  return a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4 ^ f << 5 ^ g << 6;
}

APART static long double extended(long double a, long double b) {
  return a * 3 + b;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1;
  double sum = 0;
  four lanes = {0, 0, 0, 0};
  uint64_t bits = 0;
  long double wide = 0;
  for (int i = 0; i < count; i++) {
    double x = i;
    four v = {(float)(i & 15), 1, 2, 3};
    sum += doubles(x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7);
    lanes += vectors(v, v + 1, v + 2, v + 4, v + 8, v + 16, v + 32, v + 64);
    bits = bits * 31 + words((uint64_t)i, bits, bits + 1, bits + 2, bits + 3, bits + 4, bits + 5);
    wide = extended(wide / 5, i);
  }
  printf("%.17g %g %g %g %g %llx %.20Lg\n", sum, lanes[0], lanes[1], lanes[2], lanes[3], (unsigned long long)bits,
         wide);
  return 0;
}
