/*
 * tools/statistics/distributions.c - see distributions.h.
 */
#include "statistics/distributions.h"

#include <math.h>

#define TINY 1e-300
#define PRECISION 1e-15
#define MOST_TERMS 10000
#define SERIES_FROM 12.0 /* the series of digamma and trigamma are exact to 1e-15 from here on */

/* The continued fraction of the incomplete beta function, by Lentz's method; quick for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b) {
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < TINY ? TINY : d);
  double fraction = d;
  for (int m = 1; m < MOST_TERMS; m++) {
    const double terms[2] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                             -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))};
    double step = 1;
    for (int i = 0; i < 2; i++) {
      d = 1 + terms[i] * d;
      d = 1 / (fabs(d) < TINY ? TINY : d);
      c = 1 + terms[i] / c;
      c = fabs(c) < TINY ? TINY : c;
      step = c * d;
      fraction *= step;
    }
    if (fabs(step - 1) < PRECISION)
      break;
  }
  return fraction;
}

/* lgamma of libc writes a global. */
static double log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

/* The regularized incomplete beta function; 1 - x is given, as x near 1 would lose its digits. */
static double beta_below(double x, double rest, double a, double b) {
  if (x <= 0 || rest <= 0)
    return x <= 0 ? 0 : 1;
  const double front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(rest));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a : 1 - front * beta_fraction(rest, b, a) / b;
}

double prof_t_above(double value, double freedom) {
  const double square = value * value, all = freedom + square;
  const double tail = isinf(square) ? 0 : beta_below(freedom / all, square / all, freedom / 2, 0.5) / 2;
  return value >= 0 ? tail : 1 - tail;
}

double prof_t_value(double probability, double freedom) {
  if (probability > 0.5)
    return -prof_t_value(1 - probability, freedom);
  double low = 0, high = 1;
  while (prof_t_above(high, freedom) > probability && high < 1e300)
    low = high, high *= 2;
  for (int i = 0; i < 200 && high - low > PRECISION * high; i++) {
    const double middle = low + (high - low) / 2;
    if (prof_t_above(middle, freedom) > probability)
      low = middle;
    else
      high = middle;
  }
  return low + (high - low) / 2;
}

double prof_digamma(double x) {
  double below = 0;
  for (; x < SERIES_FROM; x++)
    below -= 1 / x;
  const double square = 1 / (x * x);
  return below + log(x) - 0.5 / x -
         square * (1 / 12. - square * (1 / 120. - square * (1 / 252. - square * (1 / 240. - square / 132.))));
}

double prof_trigamma(double x) {
  double below = 0;
  for (; x < SERIES_FROM; x++)
    below += 1 / (x * x);
  const double square = 1 / (x * x);
  return below + 1 / x + square / 2 +
         square / x * (1 / 6. - square * (1 / 30. - square * (1 / 42. - square * (1 / 30. - square * 5 / 66.))));
}
