/* allocator.c - a program that brings its own malloc: each of its blocks must come back to it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char heap[1 << 20];
static size_t used;
static unsigned taken, returned, foreign;

void *malloc(size_t bytes) {
  size_t at = __atomic_fetch_add(&used, (bytes + 31) & ~(size_t)15, __ATOMIC_RELAXED);
  taken++;
  *(size_t *)(void *)(heap + at) = bytes;
  return heap + at + 16;
}
void free(void *block) {
  if (!block)
    return;
  returned++;
  foreign += (char *)block < heap || (char *)block >= heap + sizeof heap;
}
void *calloc(size_t count, size_t bytes) {
  return malloc(count * bytes);
}
void *realloc(void *old, size_t bytes) {
  void *block = malloc(bytes);
  if (old)
    memcpy(block, old, bytes < ((size_t *)old)[-2] ? bytes : ((size_t *)old)[-2]);
  free(old);
  return block;
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    char *volatile copy = strdup("a text that libc copies into our heap");
    if (copy < heap || copy >= heap + sizeof heap)
      return 1;
    free(copy);
  }
  printf("foreign %u\n", foreign);
  return taken >= 5 && returned >= 5 && foreign == 0 ? 0 : 2;
}
