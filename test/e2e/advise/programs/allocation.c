/* Joins lines.  Planted: a buffer is allocated for each.  CLEAN: one for all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 3000000 };

__attribute__((noinline)) static unsigned line_weight(const char *text, size_t bytes, char **spare) {
#ifdef CLEAN
  char *copy = *spare;
#else
  char *copy = malloc(bytes + 1 + bytes % 7 * 40);
  (void)spare;
#endif
  memcpy(copy, text, bytes);
  copy[bytes] = 0;
  unsigned weight = 0;
  for (size_t i = 0; i < bytes; i++)
    weight += (unsigned char)copy[i] ^ (unsigned)i;
#ifndef CLEAN
  free(copy);
#endif
  return weight;
}

int main(void) {
  static const char text[] = "the quick brown fox jumps over the lazy dog and then it sleeps";
  char *spare = malloc(sizeof text);
  unsigned sum = 0;
#ifdef CLEAN
  enum { ROUNDS = 4 };
#else
  enum { ROUNDS = 2 };
#endif
  for (int round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < LINES; i++)
      sum += line_weight(text + i % 8, 8 + i % 16, &spare);
  printf("%u\n", sum);
  free(spare);
  return 0;
}
