/* Loops as macros, statement expressions, jumps into them and calls that don't come back make them. */
#include <pthread.h>

#include "by_hand.h"

static int cells[500];

APART static void touch(int i) {
  cells[(unsigned)i % 500]++;
}

struct link {
  struct link *next;
  int value;
};

#define EACH(at, first) for (struct link *at = (first); at; at = at->next)
#define TAKEN(what)                                                                                                    \
  do {                                                                                                                 \
    if (!(what))                                                                                                       \
      break;                                                                                                           \
    touch(3);                                                                                                          \
  } while (0)
#define FILLED(from, n, name)                                                                                          \
  ({                                                                                                                   \
    int sum_ = 0;                                                                                                      \
    for (int i_ = 0; i_ < (n); i_++) {                                                                                 \
      LOOP_IT(name);                                                                                                   \
      sum_ += (from)[i_], touch(i_);                                                                                   \
    }                                                                                                                  \
    sum_;                                                                                                              \
  })

/* Before main: the program's recording has begun. */
__attribute__((constructor)) static void before_main(void) {
  LOOP_IN(before_main);
  for (int i = 0; i < unknown(21); i++) { /* loop before_main */
    LOOP_IT(before_main);
    touch(i);
  }
}

APART static int each(struct link *first) {
  int sum = 0;
  LOOP_IN(each);
  EACH(at, first) { /* loop each */
    LOOP_IT(each);
    TAKEN(at->value % 3);
    sum += at->value;
  }
  return sum;
}

/* A loop that a macro makes whole. */
APART static int in_expression(const int *from, int n) {
  LOOP_IN(in_expression);
  int sum = FILLED(from, n, in_expression); /* loop in_expression */
  return sum;
}

/* The condition is a loop of its own, on lines of its own. */
APART static int expression_alone(int n) {
  int i = 0;
  LOOP_IN(expression_alone);
  while (({ /* loop expression_alone */
            int rest = i, digits = 0;
            LOOP_IN(its_digits);
            while (rest) { /* loop its_digits depth=2 */
              LOOP_IT(its_digits);
              digits++;
              touch(rest);
              rest /= 2;
            }
            digits < n;
  })) {
    LOOP_IT(expression_alone);
    touch(i++);
  }
  return i;
}

APART static int next_char(const char **text) {
  return **text ? *(*text)++ : -1;
}

APART static int assigned(const char *text) {
  int c, sum = 0;
  LOOP_IN(assigned);
  while ((c = next_char(&text)) != -1) { /* loop assigned */
    LOOP_IT(assigned);
    sum = sum * 3 + c;
  }
  return sum;
}

/* Entered in its middle: no loop for a compiler. */
APART static void duff(int n) {
  int turns = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do { /* loop duff unseen */
      touch(n);
    case 3:
      touch(n + 1);
    case 2:
      touch(n + 2);
    case 1:
      touch(n + 3);
    } while (--turns > 0);
  }
}

/* A switch whose cases hold the ways on. */
APART static int machine(const char *code) {
  int state = 0;
  LOOP_IN(machine);
  for (;;) { /* loop machine merged */
    LOOP_IT(machine);
    switch (state) {
    case 0:
      state = *code == 'a' ? 1 : 2;
      break;
    case 1:
      touch(*code++);
      state = 0;
      continue;
    case 2:
      touch(7);
      if (!*code)
        return state;
      state = *code == 'b' ? 3 : 4;
      break;
    case 3:
      code++;
      state = 0;
      break;
    default:
      return -1;
    }
  }
}

APART __attribute__((noreturn)) static void leave(long value) {
  pthread_exit((void *)value);
}

/* What is counted in this visit is lost. */
APART static void until_left(long n) {
  LOOP_IN(until_left);
  for (long i = 0;; i++) { /* loop until_left entries-only */
    LOOP_IT(until_left);
    touch((int)i);
    if (i == n)
      leave(i);
  }
}

APART static void *thread(void *n) {
  until_left((long)n);
  return NULL;
}

APART static int checked(const int *from, int n) {
  LOOP_IN(checked);
  for (int i = 0; i < n; i++) { /* loop checked */
    LOOP_IT(checked);
    if (from[i] < 0)
      abort();
    if (from[i] == 12345)
      __builtin_unreachable();
    touch(from[i]);
  }
  return n;
}

APART static int by_asm(int n) {
  int i = 0;
  LOOP_IN(by_asm);
  while (1) { /* loop by_asm early */
    LOOP_IT(by_asm);
    __asm__ goto("cmpl %1, %0\n\tjge %l[out]" : : "r"(i), "r"(n) : "cc" : out);
    touch(i++);
  }
out:
  return i;
}

APART static int commas(int n) {
  int i, j;
  LOOP_IN(commas);
  for (i = 0, j = n; touch(i), i < j; i += 2, j--) { /* loop commas */
    LOOP_IT(commas);
    touch(i ^ j);
  }
  return i;
}

APART static void wraps(unsigned short from) {
  LOOP_IN(wraps);
  for (unsigned short i = from; i; i++) { /* loop wraps */
    LOOP_IT(wraps);
    touch(i);
  }
}

APART static void cleaned(int *value) {
  touch(*value);
}

APART static int with_cleanup(int n) {
  LOOP_IN(with_cleanup);
  for (int i = 0; i < n; i++) { /* loop with_cleanup */
    LOOP_IT(with_cleanup);
    __attribute__((cleanup(cleaned))) int held = i;
    if (i % 7 == 6)
      continue;
    if (i == 150)
      return held;
    touch(held * 2);
  }
  return 0;
}

APART static unsigned popcounts(unsigned long bits) {
  unsigned count = 0;
  LOOP_IN(popcounts);
  for (; bits; bits &= bits - 1) { /* loop popcounts removable */
    LOOP_IT(popcounts);
    count++;
  }
  return count;
}

/* Ways back that differ in what they change: compilers take such loops apart. */
APART static int by_ways(const int *from, int n) {
  int i = 0, k = 0;
  LOOP_IN(by_ways);
  while (i < n) { /* loop by_ways */
    LOOP_IT(by_ways);
    if (from[i] & 1) {
      i++;
      continue;
    }
    i += 2;
    touch(++k);
  }
  return k;
}

APART static int by_three_ways(const char *text) {
  int k = 0, lines = 0;
  LOOP_IN(by_three_ways);
  while (*text) { /* loop by_three_ways */
    LOOP_IT(by_three_ways);
    if (__builtin_expect(*text == 'a', 0)) {
      text++;
      touch(++lines);
      continue;
    }
    if (*text == 'b') {
      text++;
      k += lines;
      continue;
    }
    text++;
  }
  return k + lines;
}

APART static int without_step(const char *text) {
  int depth = 0, words = 0;
  LOOP_IN(without_step);
  for (;;) { /* loop without_step early removable */
    LOOP_IT(without_step);
    char c = *text++;
    if (!c)
      break;
    if (c == 'a') {
      depth++;
      continue;
    }
    if (c == 'b' && depth) {
      depth--;
      continue;
    }
    words++;
  }
  return words * depth;
}

static int fold(int n) {
  if (n < 2)
    return n;
  return n % 3 + fold(n - 1); /* may be made a loop, which nobody wrote */
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 5, 13, 60, 199};
  struct link links[200];
  unsigned sum = 0;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    int n = unknown(sizes[i]);
    char text[256];
    for (int k = 0; k < 200; k++)
      links[k] = (struct link){k + 1 < n ? &links[k + 1] : NULL, k}, text[k] = "abcbbcac"[k * 7 % 8];
    text[n] = 0;
    sum += (unsigned)(each(n ? links : NULL) + in_expression(cells, n) + expression_alone(n % 8) + assigned(text));
    sum += (unsigned)(by_ways(cells, n) + by_three_ways(text) + without_step(text));
    duff(n + 1);
    sum += (unsigned)(machine(text) + checked(cells, n) + by_asm(n) + commas(n) + with_cleanup(n) + fold(n));
    wraps((unsigned short)(65536 - n));
    sum += popcounts((unsigned long)n * 1237);
    pthread_t other;
    pthread_create(&other, NULL, thread, (void *)(long)n);
    pthread_join(other, NULL);
  }
  for (int i = 0; i < 500; i++)
    sum = sum * 31 + (unsigned)cells[i];
  printf("%u\n", sum);
  return 0;
}
