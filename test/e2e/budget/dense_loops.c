/*
 * dense_loops.c - a function that is called too often to be recorded, with a loop of much work and one of little.
 */
enum { CALLS = 1000000, MUCH = 400, LITTLE = 8, STATUS = 3 };

__attribute__((noinline)) static unsigned two_loops(unsigned x, int times) {
#pragma prof loop
  for (int i = 0; i < MUCH * times; i++) /* much */
    __asm__ volatile("" : "+r"(x));
#pragma prof loop
  for (int i = 0; i < LITTLE * times; i++) /* little */
    __asm__ volatile("" : "+r"(x));
  return x + 1;
}

int main(int argc, char **argv) {
  (void)argv;
  unsigned x = 1;
  for (int i = 0; i < CALLS; i++)
    x = two_loops(x, argc);
  return x == CALLS + 1 ? STATUS : 1;
}
