/* more.c - see numbers.c; and a function that setjmp returns into twice. */
#include <setjmp.h>

#include "units.h"

APART static int static_in_two(int x) {
  COUNT(STATIC);
  return x * 5;
}

APART int same_two(int x) {
  COUNT(SAME);
  return x * 3 + 1;
}

APART int weak_and_strong(int x) {
  COUNT(WEAK);
  return x + 1;
}

APART int more(int x) {
  COUNT(MORE);
  return apply(same_two, x) + static_in_two(x);
}

static jmp_buf place;

__attribute__((no_instrument_function)) static int jump_back(int x) {
  longjmp(place, x);
}

APART int jumps(int x) {
  COUNT(JUMPS);
  int volatile times = 0;
  if (setjmp(place) < x)
    return unprobed(jump_back, ++times + x - 1);
  return times + static_in_two(x);
}

APART PUBLIC int unused_in_more(int x) {
  COUNT(MORE);
  return static_in_two(x) + 9;
}
