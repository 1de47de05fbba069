/* growth.c - a server that leaks, one with a cache that becomes full, in zones and requests. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prof.h"

enum { TURNS = 24, LEAK = 1000, SLOTS = 4 };
static char *leaked[TURNS], *slots[SLOTS];
static char *volatile buffer, *volatile table; /* so that no compiler leaves them out */

static __attribute__((noinline)) void leak(int turn) {
  leaked[turn] = malloc(LEAK);
}

static __attribute__((noinline)) void keep(int turn) {
  PROF_ZONE("keep");
  free(slots[turn % SLOTS]);
  slots[turn % SLOTS] = malloc(5000);
}

static __attribute__((noinline)) void serve(int turn) {
  PROF_REQUEST(turn / 12);
  buffer = malloc(20000);
  memset(buffer, turn, 20000);
  keep(turn);
  leak(turn);
  usleep(5000);
  free(buffer);
}

int main(void) {
  table = malloc(100000);
  memset(table, 1, 100000);
  PROF_MARK("loaded");
  for (int turn = 0; turn < TURNS; turn++) {
    serve(turn);
    if (turn == 11)
      PROF_MARK("half");
  }
  PROF_MARK("served");
  free(table);
  for (int i = 0; i < SLOTS; i++)
    free(slots[i]);
  return leaked[0] == NULL;
}
