/* Loops of one level whose iterations can be known before they begin, and some that look so. */
#include "by_hand.h"

static int data[1000];
static float reals[1000];

APART static void touch(int i) {
  data[(unsigned)i % 1000]++;
}

APART static void up(int n) {
  LOOP_IN(up);
  for (int i = 0; i < n; i++) { /* loop up */
    LOOP_IT(up);
    touch(i);
  }
}

APART static void down(int n) {
  LOOP_IN(down);
  for (int i = n; i > 0; i--) { /* loop down */
    LOOP_IT(down);
    touch(i);
  }
}

APART static void by_three(int n) {
  LOOP_IN(by_three);
  for (int i = 1; i <= n; i += 3) { /* loop by_three */
    LOOP_IT(by_three);
    touch(i);
  }
}

APART static void by_step(int n, int step) {
  LOOP_IN(by_step);
  for (int i = 0; i < n; i += step) { /* loop by_step */
    LOOP_IT(by_step);
    touch(i);
  }
}

APART static void down_by_seven(int n) {
  LOOP_IN(down_by_seven);
  for (int i = n; i >= 0; i -= 7) { /* loop down_by_seven */
    LOOP_IT(down_by_seven);
    touch(i);
  }
}

APART static void until_equal(unsigned char from, unsigned char to) {
  LOOP_IN(until_equal);
  for (unsigned char i = from; i != to; i++) { /* loop until_equal */
    LOOP_IT(until_equal);
    touch(i);
  }
}

APART static void long_bounds(long long from, long long to) {
  LOOP_IN(long_bounds);
  for (long long i = from; i < to; i += 1LL << 33) { /* loop long_bounds */
    LOOP_IT(long_bounds);
    touch((int)(i >> 33));
  }
}

APART static void with_while(int n) {
  int i = 0;
  LOOP_IN(with_while);
  while (i < n) { /* loop with_while */
    LOOP_IT(with_while);
    touch(i++);
  }
}

APART static void with_do(int n) {
  int i = 0;
  LOOP_IN(with_do);
  do { /* loop with_do */
    LOOP_IT(with_do);
    touch(i++);
  } while (i < n);
}

APART static void counting_down(int n) {
  LOOP_IN(counting_down);
  while (n--) { /* loop counting_down */
    LOOP_IT(counting_down);
    touch(n);
  }
}

APART static void counting_before(int n) {
  LOOP_IN(counting_before);
  while (--n > 0) { /* loop counting_before */
    LOOP_IT(counting_before);
    touch(n);
  }
}

APART static void from_both_ends(int n) {
  LOOP_IN(from_both_ends);
  for (int i = 0, j = n; i < j; i++, j--) { /* loop from_both_ends */
    LOOP_IT(from_both_ends);
    touch(i + j);
  }
}

APART static void geometric(int n) {
  LOOP_IN(geometric);
  for (int i = 1; i < n; i *= 2) { /* loop geometric */
    LOOP_IT(geometric);
    touch(i);
  }
}

APART static void with_reals(double to) {
  LOOP_IN(with_reals);
  for (double x = 0; x < to; x += 0.125) { /* loop with_reals */
    LOOP_IT(with_reals);
    touch((int)(x * 8));
  }
}

/* The body is a store: it may be unrolled or be made a library call. */
APART static void four_times(int *at) {
  LOOP_IN(four_times);
  for (int i = 0; i < 4; i++) { /* loop four_times removable */
    LOOP_IT(four_times);
    at[i] += i;
  }
}

APART static void fixed_times(void) {
  LOOP_IN(fixed_times);
  for (int i = 0; i < 250; i++) { /* loop fixed_times */
    LOOP_IT(fixed_times);
    touch(i);
  }
}

APART static void set_all(int n) {
  LOOP_IN(set_all);
  for (int i = 0; i < n; i++) { /* loop set_all removable */
    LOOP_IT(set_all);
    data[i] = 0;
  }
}

/* Vectorised, with what is left over behind it; and never entered for n <= 0. */
APART static void scaled(int n, float by) {
  LOOP_IN(scaled);
  for (int i = 0; i < n; i++) { /* loop scaled */
    LOOP_IT(scaled);
    reals[i] = reals[i] * by + 1.5f;
  }
}

APART static int summed(const int *from, int n) {
  int sum = 0;
  LOOP_IN(summed);
  for (int i = 0; i < n; i++) { /* loop summed */
    LOOP_IT(summed);
    sum += from[i] * i;
  }
  return sum;
}

APART static float multiplied(int n) {
  float product = 1;
  LOOP_IN(multiplied);
  for (int i = 0; i < n; i++) { /* loop multiplied */
    LOOP_IT(multiplied);
    product *= 1 + reals[i] / 65536;
  }
  return product;
}

APART static int least(const int *from, int n) {
  int found = 1 << 30;
  LOOP_IN(least);
  for (int i = 0; i < n; i++) { /* loop least */
    LOOP_IT(least);
    if (from[i] < found)
      found = from[i];
  }
  return found;
}

/* The compiler may know what comes out without running it. */
APART static unsigned closed_form(unsigned n) {
  unsigned sum = 0;
  LOOP_IN(closed_form);
  for (unsigned i = 0; i < n; i++) { /* loop closed_form removable */
    LOOP_IT(closed_form);
    sum += i * i;
  }
  return sum;
}

APART static void with_array(int n) {
  LOOP_IN(with_array);
  for (int i = 1; i <= n; i++) { /* loop with_array */
    LOOP_IT(with_array);
    volatile char room[i];
    room[i - 1] = (char)i;
    touch(room[i - 1]);
  }
}

APART static void volatile_bound(volatile int *bound) {
  LOOP_IN(volatile_bound);
  for (int i = 0; i < *bound; i++) { /* loop volatile_bound */
    LOOP_IT(volatile_bound);
    touch(i);
  }
}

APART static void volatile_counter(int n) {
  volatile int i = 0;
  LOOP_IN(volatile_counter);
  while (i < n) { /* loop volatile_counter */
    LOOP_IT(volatile_counter);
    i++;
  }
}

static inline __attribute__((always_inline)) void inlined(int n) {
  LOOP_IN(inlined);
  for (int i = 0; i < n; i++) { /* loop inlined inlined */
    LOOP_IT(inlined);
    touch(i + 7);
  }
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 7, 8, 17, 64, 100, 333};
  unsigned sum = 0;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int n = unknown(sizes[i]);
    volatile int bound = n;
    up(n), down(n), by_three(n), by_step(n, unknown(1 + i)), down_by_seven(n), until_equal((unsigned char)n, 100);
    long_bounds(-((long long)n << 32), (long long)n << 34);
    with_while(n), with_do(n), counting_down(n), counting_before(n), from_both_ends(n), geometric(n), with_reals(n);
    four_times(data), fixed_times(), set_all(n), scaled(n, 0.5f);
    sum += summed(data, n) + least(data, n) + closed_form(n) + (unsigned)(multiplied(n) * 1000);
    with_array(n), volatile_bound(&bound), volatile_counter(n);
    inlined(n);
    if (n > 5)
      inlined(n / 2);
  }
  for (int i = 0; i < 1000; i++)
    sum = sum * 31 + (unsigned)data[i] + (unsigned)reals[i];
  printf("%u\n", sum);
  return 0;
}
