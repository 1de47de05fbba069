/* Calls into the other files, so that a linker can throw away only what is meant to go. */
#include "inlined.h"
#include <stdio.h>
#include <stdlib.h>

int asm_work(int);
int part_work(int, const char *);
int object_work(int);

static __attribute__((noinline)) int looping(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += middle(i); /* into looping */
  return sum;
}

int main(int argc, char **argv) {
  HERE(main);
  int x = looping(argc * 10) + from_header(argc);
  x += part_work(argc, argv[0]);
  x += object_work(x);
#ifdef WITH_ASM
  x += asm_work(x);
#endif
  printf("%d\n", x & 1);
  return 0;
}
