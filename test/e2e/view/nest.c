/* nest.c - almost all CPU time is on the line marked HOT, in the loop marked LOOP; see README.md. */
#include <stdio.h>

#define ROUNDS 400
#define CELLS 100000

static unsigned long cells[CELLS];

__attribute__((noinline)) static unsigned long churn(unsigned long seed) {
  for (long i = 0; i < CELLS; i++) {                               /* LOOP */
    seed = (seed / 7 + cells[i]) * 0x9e3779b97f4a7c15ul % 1000003; /* HOT */
    cells[i] = seed;
  }
  return seed;
}

int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < ROUNDS; i++)
    sum += churn(sum + (unsigned long)i);
  printf("%lu\n", sum);
  return 0;
}
