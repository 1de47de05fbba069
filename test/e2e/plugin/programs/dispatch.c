/* dispatch.c - interpreter loops: computed goto with returns in its targets, a dense and a sparse switch. */
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE static int tail(int x) {
  return x * 2;
}
NOINLINE static int threaded(const unsigned char *code) {
  static void *const targets[] = {&&add, &&twice, &&jump_back, &&stop, &&leave};
  int value = 1, budget = 5;
#define NEXT goto *targets[*code++]
  NEXT;
add:
  value += 3;
  NEXT;
twice:
  value *= 2;
  NEXT;
jump_back:
  if (budget-- > 0)
    code -= 3;
  NEXT;
stop:
  return value;
leave:
  return tail(value);
}
/* The compiler sees a loop here only late, when the jump has become one of its ways back. */
NOINLINE static int late_loop(const unsigned short *offsets, int *out) {
  int x = 0;
base:
  x++;
  if (x == 4) {
    *out = 0;
    return x;
  }
  *out++ = x;
  goto *(&&base + *offsets++);
}
NOINLINE static int switched(int x) {
  switch (x) {
  case 0:
    return 5;
  case 1:
    return tail(x);
  case 2:
    x += 7;
    break;
  case 3:
  case 4:
    return -x;
  case 1000:
    return tail(4);
  case 100000:
    break;
  default:
    __builtin_unreachable();
  }
  return x;
}
NOINLINE static int many_returns(int a, int b) {
  for (int i = 0; i < a; i++) {
    if (i * b > 50)
      return i;
    for (int j = 0; j < b; j++)
      if (i * j == 42)
        return j;
  }
  return a < b ? a : tail(b);
}

int main(void) {
  static const unsigned short offsets[10];
  int out[9];
  printf("%d %d\n", late_loop(offsets, out), out[2]);
  printf("%d %d\n", threaded((const unsigned char[]){0, 1, 2, 3}), threaded((const unsigned char[]){0, 0, 1, 4}));
  for (int i = 0; i < 5; i++)
    printf("%d ", switched(i));
  printf("%d %d\n", switched(1000), switched(100000));
  printf("%d %d %d\n", many_returns(10, 20), many_returns(2, 3), many_returns(50, 7));
  return 0;
}
