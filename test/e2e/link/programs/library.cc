/* library.cc - a library that main.cc loads at run time, several times under several names. */
#include "counted.h"

static long *calls;

APART static int library_step(int x) {
  calls[COUNTED_STEP]++;
  return x < 2 ? LIBRARY : library_step(x - 1) * 3 % 1009;
}

extern "C" PUBLIC int library_run(long *counted, int x) {
  calls = counted;
  calls[COUNTED_LIBRARY]++;
  return library_step(x) * 2;
}
