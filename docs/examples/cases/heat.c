/*
 * heat.c - how heat spreads in a plate of 1,024 x 1,024 points, in 20 steps or as many as the first argument says.
 *
 * The inner loop goes from row to row, so each access is in another part of memory.  -DBY_ROWS mends it: the inner loop
 * goes along a row.
 */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1024 };
static float plates[2][SIZE][SIZE];

static float next_of(float (*now)[SIZE], int y, int x) {
  return 0.2f * (now[y][x] + now[y - 1][x] + now[y + 1][x] + now[y][x - 1] + now[y][x + 1]);
}

__attribute__((noinline)) static void step(float (*now)[SIZE], float (*next)[SIZE]) {
#ifdef BY_ROWS
  for (int y = 1; y < SIZE - 1; y++)
    for (int x = 1; x < SIZE - 1; x++)
      next[y][x] = next_of(now, y, x);
#else
  for (int x = 1; x < SIZE - 1; x++)
    for (int y = 1; y < SIZE - 1; y++)
      next[y][x] = next_of(now, y, x);
#endif
}

int main(int count, char **words) {
  const int steps = count > 1 ? atoi(words[1]) : 20;
  double sum = 0;
  for (int x = SIZE / 4; x < SIZE / 2; x++)
    for (int y = SIZE / 4; y < SIZE / 2; y++)
      plates[0][y][x] = 100;
  for (int i = 0; i < steps; i++)
    step(plates[i % 2], plates[(i + 1) % 2]);
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      sum += plates[steps % 2][y][x];
  printf("%.0f\n", sum);
  return 0;
}
