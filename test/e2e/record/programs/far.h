/* Functions of another file than near.c. */
#include <setjmp.h>
#include <string.h>

static jmp_buf far_place;

__attribute__((noinline)) static unsigned far_leaf(unsigned x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

__attribute__((noinline)) static unsigned far_many(unsigned (*call)(unsigned), unsigned x) {
  for (int i = 0; i < 3; i++)
    x += far_leaf(call(x));
  return x;
}

/* Control lands here when the call jumps. */
__attribute__((noinline)) static unsigned far_guard(unsigned (*call)(unsigned), unsigned x) {
  if (setjmp(far_place) == 0)
    return call(x);
  return far_leaf(x);
}

/* A patched sled is a jump, near the function's begin. */
__attribute__((noinline)) static int far_is_on(void) {
  unsigned char code[24];
  memcpy(code, (const void *)(size_t)far_leaf, sizeof code);
  return memchr(code, 0xe9, sizeof code) != NULL;
}
