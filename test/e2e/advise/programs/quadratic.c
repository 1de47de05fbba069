/* Removes duplicates.  Planted: each word is compared with all words before it.  CLEAN: sorted first. */
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 16000 };

static int by_value(const void *a, const void *b) {
  const unsigned *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

__attribute__((noinline)) static int contains(const unsigned *numbers, size_t count, unsigned number) {
  for (size_t i = 0; i < count; i++)
    if (numbers[i] == number)
      return 1;
  return 0;
}

__attribute__((noinline)) static size_t remove_duplicates(unsigned *numbers, size_t count) {
  size_t kept = 0;
#ifdef CLEAN
  qsort(numbers, count, sizeof *numbers, by_value);
  for (size_t i = 0; i < count; i++)
    if (!contains(numbers + kept - (kept > 0), kept > 0, numbers[i]))
      numbers[kept++] = numbers[i];
#else
  (void)by_value;
  for (size_t i = 0; i < count; i++)
    if (!contains(numbers, kept, numbers[i]))
      numbers[kept++] = numbers[i];
#endif
  return kept;
}

int main(void) {
  unsigned *numbers = malloc(NUMBERS * sizeof *numbers), state = 1;
#ifdef CLEAN
  enum { ROUNDS = 60 };
#else
  enum { ROUNDS = 3 };
#endif
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < NUMBERS; i++)
      numbers[i] = (state = state * 1664525u + 1013904223u) >> 8;
    printf("%zu\n", remove_duplicates(numbers, NUMBERS));
  }
  free(numbers);
  return 0;
}
