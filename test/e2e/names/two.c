/* Is y/part.c in the test: see one.c. */
static volatile int sum;

static __attribute__((noinline)) void init(int times) {
  for (int i = 0; i < times; i++)
    sum -= i;
}

__attribute__((noinline)) void y_run(void) {
  for (int i = 0; i < 2; i++)
    init(1000);
  for (int i = 0; i < 10; i++)
    sum++;
}
