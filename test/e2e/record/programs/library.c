/* A library whose function library_leaf is called a known number of times. */
static volatile long sum;
__attribute__((noipa)) static void library_leaf(long i) {
  sum += i;
}
void library_calls(long count) {
  for (long i = 0; i < count; i++)
    library_leaf(i);
}
