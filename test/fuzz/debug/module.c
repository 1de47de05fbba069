/* A small module for fuzz_debug and fuzz_split: inlined calls, ranges, two files' worth of lines. */
static inline __attribute__((always_inline)) int inner(int x) {
  return x * 3 + 1;
}

static inline __attribute__((always_inline)) int outer(int x) {
  if (x > 7)
    return inner(x) + x;
  return inner(x - 1);
}

#line 100 "other.h"
static __attribute__((noinline)) int looping(int n, int *values) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += outer(values[i]) ^ outer(sum);
  return sum;
}

#line 24 "module.c"
__attribute__((cold)) int seldom(int x) {
  return outer(x) - 1;
}

int entry(int n, int *values) {
  if (__builtin_expect(n < 0, 0))
    return seldom(n) + seldom(-n);
  return looping(n, values);
}
