/* code.c - a helper that is inlined into the function with all the time; see README.md. */
#include <stdio.h>

static inline __attribute__((always_inline)) unsigned long mix(unsigned long value) {
  return (value / 7 + 11) * 0x9e3779b97f4a7c15ul % 1000003; /* INLINED */
}

__attribute__((noinline)) unsigned long churn(unsigned long rounds) {
  unsigned long value = rounds;
  for (unsigned long i = 0; i < rounds; i++)
    value = mix(value + i); /* CALLER */
  return value;
}

int main(void) {
  printf("%lu\n", churn(40000000));
  return 0;
}
