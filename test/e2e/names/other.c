/* See one.c. */
static volatile int sum;
void x_run(void);
void y_run(void);

static __attribute__((noinline)) void step(int times) {
  for (int i = 0; i <= times; i++)
    sum += i;
}

static __attribute__((noinline)) void only(void) {
  for (int i = 0; i < 10; i++)
    sum++;
}

int main(void) {
  x_run();
  y_run();
  for (int i = 0; i < 5; i++)
    step(i);
  only();
  return 0;
}
