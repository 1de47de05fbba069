/* rests.c - calls leaf, and rests until a signal ends it: no frame is open then, as main isn't instrumented. */
#include <unistd.h>

#include "leaf.h"

__attribute__((no_instrument_function)) int main(void) {
  for (int i = 0; i < 1000; i++)
    leaf(i);
  for (;;)
    pause();
}
