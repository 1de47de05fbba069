/* frame.c - one frame: moves things, draws them, waits for the screen. */
#include "frames.h"

void frame(int number) {
  update(number);
  draw(number);
  rest(1000);
}
