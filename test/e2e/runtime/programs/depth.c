/* depth.c - recursion beyond what a recording holds. */
int down(int n);

__attribute__((noinline, noclone, optimize("no-optimize-sibling-calls"))) int down(int n) {
  volatile int left = n;
  return left > 0 ? 1 + down(left - 1) : 0;
}

int main(void) {
  return down(69999) != 69999;
}
