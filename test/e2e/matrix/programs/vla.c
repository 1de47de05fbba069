/* Arrays of variable length and alloca: the frame grows while the function runs, also in a recursion and in a loop. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(fill, "fill")                                                                                                      \
  F(vla, "vla")                                                                                                        \
  F(grown, "grown")                                                                                                    \
  F(looped, "looped")                                                                                                  \
  F(nest, "nest")                                                                                                      \
  F(aligned, "aligned")
#include "matrix.h"
#include <alloca.h>

NOINLINE static long fill(volatile char *bytes, int count) {
  long sum = 0;
  COUNT(fill);
  for (int i = 0; i < count; i++)
    bytes[i] = (char)(i * 7);
  for (int i = 0; i < count; i++)
    sum += bytes[i];
  return sum;
}

NOINLINE static long vla(int count) {
  COUNT(vla);
  char bytes[count];
  long sum = fill(bytes, count);
  if (sum == 1) /* a second way out, with the array still there */
    return bytes[0];
  return sum + bytes[count - 1];
}

NOINLINE static long grown(int count) {
  COUNT(grown);
  char *bytes = alloca((size_t)count), *more = alloca((size_t)count * 2);
  return fill(bytes, count) + fill(more, count);
}

NOINLINE static long looped(int count) {
  long sum = 0;
  COUNT(looped);
  for (int i = 1; i < count; i++) {
    int numbers[i];
    sum += fill((char *)numbers, (int)sizeof numbers);
    sum += fill(alloca(32), 32);
  }
  return sum;
}

NOINLINE static long nest(int level) {
  COUNT(nest);
  char bytes[level * 16 + 1];
  long sum = fill(bytes, (int)sizeof bytes);
  if (level > 0)
    sum += nest(level - 1);
  BARRIER();
  return sum + bytes[level];
}

NOINLINE static long aligned(int count) {
  COUNT(aligned);
  _Alignas(64) char line[64];
  char bytes[count];
  long sum = fill(line, sizeof line) + fill(bytes, count);
  return sum + (long)((uintptr_t)line % 64);
}

int main(int argc, char **argv) {
  COUNT(main);
  printf("%ld %ld ", vla(argc + 99), grown(1000));
  printf("%ld %ld %ld\n", looped(5), nest(3), aligned(77));
  return 0;
}
