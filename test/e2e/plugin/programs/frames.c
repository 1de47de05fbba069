/* frames.c - frames of unusual shape: alloca, arrays of run-time length, big alignment, nested functions, nonlocal
 * goto. */
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE static int with_alloca(int n) {
  char *room = alloca(n);
  memset(room, 'x', n);
  room[n - 1] = 0;
  return (int)strlen(room);
}
NOINLINE static int with_array(int n) {
  int values[n], total = 0;
  for (int i = 0; i < n; i++)
    values[i] = i * i;
  for (int i = 0; i < n; i++)
    total += values[i];
  return total;
}
NOINLINE static int aligned(int x) {
  char room[100] __attribute__((aligned(128)));
  memset(room, x, sizeof room);
  return (uintptr_t)room % 128 == 0 ? room[99] : -1;
}
NOINLINE static int apply(int (*function)(int), int x) {
  return function(x);
}
NOINLINE static int nested(int base) {
  int calls = 0;
  int add(int x) {
    calls++;
    return x + base;
  }
  return apply(add, 5) * 10 + apply(add, 6) + calls;
}
NOINLINE static void escape(void (*away)(int), int x) {
  away(x);
}
NOINLINE static int nonlocal(int n) {
  __label__ out;
  int volatile got = 0;
  void leave(int x) {
    got = x;
    goto out;
  }
  for (int i = 0; i < n; i++)
    escape(leave, i + 40);
  return -1;
out:
  return got;
}
NOINLINE static void *frame(void) {
  return __builtin_frame_address(0);
}
NOINLINE static int huge_frame(int n) {
  char room[200000];
  memset(room, n, sizeof room);
  return room[n] + (frame() < (void *)room);
}

int main(void) {
  printf("%d %d %d %d %d %d\n", with_alloca(1000), with_array(20), aligned(7), nested(100), nonlocal(3), huge_frame(9));
  return 0;
}
