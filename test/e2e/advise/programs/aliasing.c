/* Scales rows.  Planted: the store may change the row's count and the factor, so the compiler does not vectorise.
 * CLEAN: both are copied before the loop, and the pointers are restrict. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096, ROUNDS = 100000 };

struct row {
  int count, factor;
  int *values;
};

__attribute__((noinline)) static void scale(struct row *row, const int *in) {
#ifdef CLEAN
  int *restrict values = row->values;
  int count = row->count, factor = row->factor;
  for (int i = 0; i < count; i++)
    values[i] = in[i] * factor + i;
#else
  for (int i = 0; i < row->count; i++)
    row->values[i] = in[i] * row->factor + i;
#endif
}

int main(void) {
  int *in = malloc(COUNT * sizeof *in);
  struct row row = {COUNT, 3, calloc(COUNT, sizeof(int))};
  for (int i = 0; i < COUNT; i++)
    in[i] = i;
  for (int round = 0; round < ROUNDS; round++)
    scale(&row, in);
  printf("%d\n", row.values[17]);
  free(in);
  free(row.values);
  return 0;
}
