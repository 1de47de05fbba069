/* textures.c - the texture that frames show, and the next one. */
#include <pthread.h>
#include <stdlib.h>

#include "frames.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *shown, *next;
static uint32_t sum;

int textures_make(void) {
  shown = calloc(1, TEXTURE_BYTES);
  next = calloc(1, TEXTURE_BYTES);
  return shown != NULL && next != NULL ? 0 : -1;
}

const uint8_t *textures_take(void) {
  pthread_mutex_lock(&lock);
  return shown;
}

void textures_give_back(void) {
  pthread_mutex_unlock(&lock);
}

void textures_reload(void) {
#ifdef CHECK_FIRST
  sum = checksum(next, TEXTURE_BYTES);
  pthread_mutex_lock(&lock);
#else
  pthread_mutex_lock(&lock);
  sum = checksum(next, TEXTURE_BYTES);
#endif
  uint8_t *before = shown;
  shown = next;
  next = before;
  pthread_mutex_unlock(&lock);
}
