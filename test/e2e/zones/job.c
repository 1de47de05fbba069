/* job.c - the same in C: zones begin and end by a context. */
#include "tracy/TracyC.h"

static void work(int rounds) {
  TracyCZone(all, 1);
  for (int i = 0; i < rounds; i++) {
    TracyCZoneN(one, "round", 1);
    TracyCZoneValue(one, i);
    TracyCPlot("rounds", i);
    TracyCZoneEnd(one);
  }
  TracyCZoneEnd(all);
}

int main(void) {
  TracyCSetThreadName("job");
  work(5);
  TracyCFrameMark;
  return 0;
}
