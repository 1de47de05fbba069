/* chosen.c - lines timed in one function only: by its name, or by the attribute. */
#include <stdio.h>

static volatile unsigned sink;

#ifdef ATTRIBUTE
__attribute__((prof_lines))
#endif
static unsigned
wanted(unsigned n) {
  sink += n;    /* visits 100 */
  return n + 1; /* visits 100 */
}

static unsigned other(unsigned n) {
  sink += n;
  return n + 2;
}

int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 100; i++)
    sum += wanted(i) + other(i);
  printf("%u\n", sum);
  return 0;
}
