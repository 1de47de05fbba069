/* Functions of a header that are inlined into one another. */
#ifndef INLINED_H
#define INLINED_H
#include "here.h"

static inline __attribute__((always_inline)) int deep(int x) {
  HERE(deep);
  return x * 3 + 1;
}

static inline __attribute__((always_inline)) int middle(int x) {
  int y = x + 7;
  return deep(y) /* into middle */ - x;
}

/* Not inlined: code of its own from a header. */
static __attribute__((noinline)) int from_header(int x) {
  HERE(header);
  return x ^ 0x55;
}
#endif
