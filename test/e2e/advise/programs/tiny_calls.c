/* Sums a vector.  Planted: a function of its own reads each element.  CLEAN: it is inlined. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000 };

struct vector {
  double *items;
};

#ifdef CLEAN
enum { ROUNDS = 400000 };
#define INLINE static inline __attribute__((always_inline))
#else
enum { ROUNDS = 20000 };
#define INLINE __attribute__((noinline)) static
#endif

INLINE double vector_at(const struct vector *vector, int i) {
  return vector->items[i];
}

__attribute__((noinline)) static double sum_of(const struct vector *vector) {
  double sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += vector_at(vector, i);
  return sum;
}

int main(void) {
  struct vector vector = {calloc(COUNT, sizeof(double))};
  double sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    vector.items[round % COUNT] = round;
    sum += sum_of(&vector);
  }
  printf("%f\n", sum);
  free(vector.items);
  return 0;
}
