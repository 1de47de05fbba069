/* kernels.c - kernels whose operations and bytes are counted.  Between the two breakpoints each runs once. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) void
#define COUNT 203 /* no multiple of a vector's lanes: something is left behind */
#define SIDE 11

static float x[COUNT], y[COUNT], out[8];
static double a[COUNT], b[COUNT], c[SIDE * SIDE], left[SIDE * SIDE], right[SIDE * SIDE];
static double complex z[COUNT], w[COUNT];
static int whole[COUNT];

KERNEL saxpy(float *to, const float *from, int count) {
  for (int i = 0; i < count; i++)
    to[i] = 2.5f * from[i] + to[i];
}

KERNEL dot(const double *from, const double *other, int count, double *to) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += from[i] * other[i];
  *to = sum;
}

KERNEL stencil(double *to, const double *from, int count) {
  for (int i = 1; i < count - 1; i++)
    to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
}

KERNEL product(double *to, const double *from, const double *other, int side) {
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++) {
      double sum = 0;
      for (int k = 0; k < side; k++)
        sum += from[i * side + k] * other[k * side + j];
      to[i * side + j] = sum;
    }
}

KERNEL choice(float *to, const float *from, int count) {
  for (int i = 0; i < count; i++)
    if (from[i] > 0.5f)
      to[i] = to[i] * from[i] + 1;
}

KERNEL branches(const float *from, int count, float *to) {
  float sum = 0;
  for (int i = 0; i < count; i++)
    if (from[i] > 0.5f)
      sum = (sum + 3) * from[i];
    else
      sum -= from[i];
  *to = sum;
}

KERNEL mixed(double *to, const int *from, int count) {
  for (int i = 0; i < count; i++)
    to[i] += from[i] * 0.5;
}

KERNEL turn(double complex *to, const double complex *from, int count) {
  for (int i = 0; i < count; i++)
    to[i] *= from[i];
}

KERNEL unrolled(float *to, const float *from, int count) {
  for (int i = 0; i + 4 <= count; i += 4) {
    to[i] += from[i];
    to[i + 1] += 2 * from[i + 1];
    to[i + 2] += 3 * from[i + 2];
    to[i + 3] += 4 * from[i + 3];
  }
}

KERNEL roots(double *to, const double *from, int count) {
  for (int i = 0; i < count; i++)
    to[i] = __builtin_sqrt(from[i] + 1) / 3;
}

KERNEL search(const float *from, float wanted, int count, float *to) {
  int i;
  for (i = 0; i < count; i++)
    if (from[i] * 2 > wanted)
      break;
  *to = (float)i;
}

KERNEL fixed(double *to, const double *from) {
  for (int i = 0; i < 8; i++)
    to[i] = from[i] * from[i] - 1;
}

int main(void) {
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)(i * 7919 % 1000) / 1000;
    y[i] = 1;
    a[i] = b[i] = x[i];
    z[i] = x[i] + 2.0 * I;
    w[i] = 1 - x[i] * I;
    whole[i] = i;
  }
  for (int i = 0; i < SIDE * SIDE; i++)
    left[i] = right[i] = i;
#ifdef STEPPED
  __asm__ volatile("int3");
#endif
  saxpy(y, x, COUNT);
  dot(a, b, COUNT, c);
  stencil(a, b, COUNT);
  product(c, left, right, SIDE);
  choice(y, x, COUNT);
  branches(x, COUNT, out);
  mixed(a, whole, COUNT);
  turn(z, w, COUNT);
  unrolled(y, x, COUNT);
  roots(b, a, COUNT);
  search(x, 1.9f, COUNT, out + 1);
  fixed(c, a);
#ifdef STEPPED
  __asm__ volatile("int3");
#endif
  printf("%g %g %g %g\n", y[5], a[7] + b[9] + c[3], creal(z[4]), out[0] + out[1]);
  return 0;
}
