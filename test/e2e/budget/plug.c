/* plug.c - a library with dense functions, loaded again and again. */
__attribute__((noinline)) unsigned plug_tiny(unsigned x) {
  __asm__("" : "+r"(x));
  return x * 2654435761u + 1;
}

__attribute__((noinline)) unsigned plug_coarse(unsigned x) {
  for (int i = 0; i < 20000; i++)
    x += plug_tiny(x);
  __asm__ volatile("" ::: "memory");
  return x;
}

unsigned plug_rounds(unsigned x, int count) {
  for (int i = 0; i < count; i++)
    x ^= plug_coarse(x);
  return x;
}
