/* scene.c - what moves, and what is seen of it. */
#include "frames.h"

#define THINGS 300000
#define STEP 16

volatile uint32_t scene;

void update(int number) {
  uint32_t state = (uint32_t)number;
  for (int i = 0; i < THINGS; i++)
    state = state * 1664525 + 1013904223;
  scene = state;
}

void draw(int number) {
  const uint8_t *texture = textures_take();
  uint32_t sum = (uint32_t)number;
  for (size_t i = 0; i < TEXTURE_BYTES; i += STEP)
    sum += texture[i];
  textures_give_back();
  scene = sum;
}
