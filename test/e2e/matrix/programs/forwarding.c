/* __builtin_apply and __builtin_return: a function that passes its arguments on and is left with no return statement.
 */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(forward, "forward")                                                                                                \
  F(target, "target")                                                                                                  \
  F(after, "after")
#include "matrix.h"

NOINLINE static void after(void) {
  COUNT(after);
  BARRIER();
}

__attribute__((noinline, noipa)) static int target(int x, int y) {
  COUNT(target);
  BARRIER();
  return 10 * x + y;
}

__attribute__((noinline, noipa)) static int forward(int x, int y) {
  void *arguments = __builtin_apply_args();
  COUNT(forward);
  __builtin_return(__builtin_apply((void (*)())target, arguments, 64));
}

int main(int argc, char **argv) {
  int sum = 0;
  COUNT(main);
  for (int i = 0; i < 3; i++) {
    sum += forward(i, 2);
    after();
  }
  printf("%d\n", sum);
  return 0;
}
