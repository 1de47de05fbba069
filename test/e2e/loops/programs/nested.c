/* Loops in loops: each level's entries and iterations. */
#include "by_hand.h"

#define SIDE 40

static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static int cells[SIDE * SIDE];

APART static void touch(int i) {
  cells[(unsigned)i % (SIDE * SIDE)]++;
}

APART static void perfect(int n, int m) {
  LOOP_IN(perfect);
  for (int i = 0; i < n; i++) { /* loop perfect */
    LOOP_IT(perfect);
    LOOP_IN(perfect_inner);
    for (int j = 0; j < m; j++) { /* loop perfect_inner depth=2 */
      LOOP_IT(perfect_inner);
      touch(i * j);
    }
  }
}

APART static void imperfect(int n, int m) {
  LOOP_IN(imperfect);
  for (int i = 0; i < n; i++) { /* loop imperfect */
    LOOP_IT(imperfect);
    touch(i);
    LOOP_IN(imperfect_inner);
    for (int j = m; j > i; j--) { /* loop imperfect_inner depth=2 costly */
      LOOP_IT(imperfect_inner);
      touch(j);
    }
    touch(-i);
  }
}

APART static void triangular(int n) {
  LOOP_IN(triangular);
  for (int i = 0; i < n; i++) { /* loop triangular */
    LOOP_IT(triangular);
    LOOP_IN(triangular_inner);
    for (int j = 0; j < i; j++) { /* loop triangular_inner depth=2 cheap */
      LOOP_IT(triangular_inner);
      cells[i * SIDE + j] ^= i - j;
    }
  }
}

APART static void matrices(int n) {
  LOOP_IN(matrices);
  for (int i = 0; i < n; i++) { /* loop matrices */
    LOOP_IT(matrices);
    LOOP_IN(matrices_row);
    for (int j = 0; j < n; j++) { /* loop matrices_row depth=2 cheap */
      LOOP_IT(matrices_row);
      double sum = 0;
      LOOP_IN(matrices_sum);
      for (int k = 0; k < n; k++) { /* loop matrices_sum depth=3 cheap */
        LOOP_IT(matrices_sum);
        sum += left[i][k] * right[k][j];
      }
      product[i][j] = sum;
    }
  }
}

APART static void constant_inner(int n) {
  LOOP_IN(constant_inner);
  for (int i = 0; i < n; i++) { /* loop constant_inner */
    LOOP_IT(constant_inner);
    LOOP_IN(constant_within);
    for (int j = 0; j < 300; j++) { /* loop constant_within depth=2 */
      LOOP_IT(constant_within);
      touch(i + j);
    }
  }
}

/* The inner loop's end is not known when it begins. */
APART static void digits(int n) {
  LOOP_IN(digits);
  for (int i = 0; i < n; i++) { /* loop digits */
    LOOP_IT(digits);
    int rest = i;
    LOOP_IN(digits_inner);
    while (rest) { /* loop digits_inner depth=2 costly */
      LOOP_IT(digits_inner);
      touch(rest % 10);
      rest /= 10;
    }
  }
}

APART static void sometimes(int n) {
  LOOP_IN(sometimes);
  for (int i = 0; i < n; i++) { /* loop sometimes */
    LOOP_IT(sometimes);
    if (i % 3)
      touch(i);
    else {
      LOOP_IN(sometimes_inner);
      for (int j = 0; j < i % 5; j++) { /* loop sometimes_inner depth=2 */
        LOOP_IT(sometimes_inner);
        touch(j);
      }
    }
  }
}

APART static void inner_break(int n) {
  LOOP_IN(inner_break);
  for (int i = 0; i < n; i++) { /* loop inner_break */
    LOOP_IT(inner_break);
    LOOP_IN(inner_broken);
    for (int j = 0; j < n; j++) { /* loop inner_broken depth=2 costly */
      LOOP_IT(inner_broken);
      if (cells[(i * 7 + j) % 50] == 1)
        break;
      touch(j + 100);
    }
  }
}

APART static void siblings(int n) {
  LOOP_IN(siblings);
  for (int i = 0; i < n; i++) { /* loop siblings */
    LOOP_IT(siblings);
    LOOP_IN(sibling_one);
    for (int j = 0; j < i; j += 2) { /* loop sibling_one depth=2 */
      LOOP_IT(sibling_one);
      touch(j);
    }
    LOOP_IN(sibling_other);
    for (int j = i; j < n; j++) { /* loop sibling_other depth=2 */
      LOOP_IT(sibling_other);
      touch(j);
    }
  }
}

APART static void next_outer(int n) {
  LOOP_IN(next_outer);
  for (int i = 0; i < n; i++) { /* loop next_outer */
    LOOP_IT(next_outer);
    LOOP_IN(next_inner);
    for (int j = 0; j < n; j++) { /* loop next_inner depth=2 */
      LOOP_IT(next_inner);
      if (i * j % 11 == 10)
        goto next;
      touch(i + j);
    }
    touch(i);
  next:;
  }
}

APART static int out_of_two(int n) {
  LOOP_IN(two_outer);
  for (int i = 0; i < n; i++) { /* loop two_outer */
    LOOP_IT(two_outer);
    LOOP_IN(two_inner);
    for (int j = 0; j < n; j++) { /* loop two_inner depth=2 */
      LOOP_IT(two_inner);
      if (i * j == 42)
        goto out;
      touch(i - j);
    }
  }
out:
  return cells[3];
}

APART static int return_from_three(int n) {
  LOOP_IN(three_outer);
  for (int i = 1; i < n; i++) { /* loop three_outer */
    LOOP_IT(three_outer);
    LOOP_IN(three_middle);
    for (int j = 1; j < n; j++) { /* loop three_middle depth=2 */
      LOOP_IT(three_middle);
      LOOP_IN(three_inner);
      for (int k = 1; k < n; k++) { /* loop three_inner depth=3 */
        LOOP_IT(three_inner);
        touch(i + j + k);
        if (i * i + j * j == k * k && k > 11)
          return k;
      }
    }
  }
  return 0;
}

/* No inner loop where the condition of an outer one runs one. */
static inline int steps_to(int n) {
  int steps = 0;
  LOOP_IN(steps_to);
  while (n > 1) { /* loop steps_to inlined */
    LOOP_IT(steps_to);
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}

APART static int loop_in_condition(int n) {
  int i = 1;
  LOOP_IN(in_condition);
  while (steps_to(i) < n) { /* loop in_condition */
    LOOP_IT(in_condition);
    touch(i++);
  }
  return i;
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 5, 13, 24, 39};
  unsigned sum = 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    left[i / SIDE][i % SIDE] = i, right[i % SIDE][i / SIDE] = unknown(i) % 7;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int n = unknown(sizes[i]);
    perfect(n, unknown(n / 2 + 1)), imperfect(n, unknown(20)), triangular(n), matrices(n), constant_inner(n),
        digits(n * 30);
    sometimes(n), inner_break(n), siblings(n), next_outer(n);
    sum += (unsigned)(out_of_two(n) + return_from_three(n) + loop_in_condition(n));
  }
  for (int i = 0; i < SIDE * SIDE; i++)
    sum = sum * 31 + (unsigned)cells[i];
  printf("%u %g\n", sum, product[3][4]);
  return 0;
}
