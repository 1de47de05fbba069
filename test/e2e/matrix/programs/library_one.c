/* Opened by libraries.c: calls itself. */
#define FUNCTIONS(F)                                                                                                   \
  F(one, "one")                                                                                                        \
  F(one_start, "one_start")                                                                                            \
  F(one_end, "one_end")                                                                                                \
  F(one_leaf, "one_leaf")
#include "matrix.h"

NOINLINE static void one_leaf(void) {
  COUNT(one_leaf);
  BARRIER();
}

__attribute__((constructor)) static void one_start(void) {
  COUNT(one_start);
  one_leaf();
  BARRIER();
}

__attribute__((destructor)) static void one_end(void) {
  COUNT(one_end);
  one_leaf();
  BARRIER();
}

int one(int level);
NOINLINE int one(int level) {
  COUNT(one);
  int rest = level > 1 ? one(level - 1) : 0;
  BARRIER();
  return rest + 1;
}
