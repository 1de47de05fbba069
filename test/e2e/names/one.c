/* Is x/part.c in the test: two.c has a function init too, other.c a function step. */
static volatile int sum;

static __attribute__((noinline)) void init(int times) {
  for (int i = 0; i < times; i++)
    sum += i;
}

static __attribute__((noinline)) void step(int times) {
  for (int i = 0; i <= times; i++)
    sum += i;
}

__attribute__((noinline)) void x_run(void) {
  init(1000);
  for (int i = 0; i < 3; i++)
    step(i);
  for (int i = 0; i < 10; i++)
    sum++;
}
