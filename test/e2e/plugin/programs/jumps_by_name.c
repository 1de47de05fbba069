/* jumps_by_name.c - jumps.c, and a loop, compiled without builtins: the compiler may not know that setjmp returns
 * twice. */
#define main jumps_main
#include "jumps.c"
#undef main

NOINLINE static int jump_from(volatile int *times) {
  if (++*times < 50)
    longjmp(outer_buffer, 1);
  return *times;
}

NOINLINE static int jumped_in_a_loop(void) {
  volatile int times = 0, sum = 0;
  for (volatile int i = 0; i < 3; i++) {
    setjmp(outer_buffer);
    sum += jump_from(&times);
  }
  return sum;
}

int main(void) {
  printf("%d\n", jumped_in_a_loop());
  return jumps_main();
}
