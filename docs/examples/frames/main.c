/*
 * main.c - draws 300 frames while another thread loads a texture from time to time.
 *
 * One flaw is left in for the tutorial, in textures.c; -DCHECK_FIRST mends it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "frames.h"

#define FRAMES 300

static _Atomic int done;

void rest(long microseconds) {
  const struct timespec time = {0, microseconds * 1000};
  nanosleep(&time, NULL);
}

static void *loader(void *nothing) {
  while (!done) {
    rest(100000);
    textures_reload();
  }
  return nothing;
}

int main(void) {
  pthread_t thread;
  if (textures_make() != 0 || pthread_create(&thread, NULL, loader, NULL) != 0)
    return 1;
  for (int i = 0; i < FRAMES; i++)
    frame(i);
  done = 1;
  pthread_join(thread, NULL);
  printf("%d frames\n", FRAMES);
  return 0;
}
