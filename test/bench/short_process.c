/*
 * short_process.c - some hundred calls, and the end; for what recording adds to short processes.
 */
__attribute__((noinline)) static int leaf(int x) {
  __asm__ volatile("" : "+r"(x));
  return 3 * x + 1;
}

__attribute__((noinline)) static int sum(int count) {
  int all = 0;
  for (int i = 0; i < count; i++)
    all += leaf(i);
  return all;
}

int main(void) {
  return sum(300) == 0;
}
