/* api.c - uses prof.h; prints whether it records, and how many calls it made while it did. */
#include <stdio.h>

#include "prof.h"

static volatile int sink;
PROF_PROBE __attribute__((noinline)) static void counted(void) {
  sink++;
}
PROF_NO_PROBE __attribute__((noinline)) static void uncounted(void) {
  sink++;
}

int main(void) {
  int calls = 0;
  for (int round = 0; round < 10; round++) {
    int on = prof_is_recording();
    for (int i = 0; i < 100; i++) {
      counted();
      uncounted();
      calls += on;
    }
    int answer = round % 2 ? prof_start() : prof_stop();
    if (answer != prof_is_recording())
      puts("wrong answer");
  }
  printf("recorded %d\n", calls);
  return 0;
}
