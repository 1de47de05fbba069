/* __builtin_setjmp and __builtin_longjmp, which have receivers of their own: what follows is called by the catcher. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(catcher, "catcher")                                                                                                \
  F(deep, "deep")                                                                                                      \
  F(after, "after")
#include "matrix.h"

static void *buffer[5];

NOINLINE static void after(void) {
  COUNT(after);
  BARRIER();
}

NOINLINE static void deep(int levels) {
  COUNT(deep);
  if (levels == 0)
    __builtin_longjmp(buffer, 1);
  deep(levels - 1);
  BARRIER();
}

NOINLINE static int catcher(void) {
  COUNT(catcher);
  if (!__builtin_setjmp(buffer)) {
    deep(2);
    return 0;
  }
  after();
  return 1;
}

int main(int argc, char **argv) {
  int caught = 0;
  COUNT(main);
  for (int i = 0; i < 3; i++) {
    caught += catcher();
    after();
  }
  printf("%d\n", caught);
  return 0;
}
