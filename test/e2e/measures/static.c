/* static.c - allocates; linked statically, nothing can be wrapped. */
#include <stdlib.h>

__attribute__((noinline, noclone)) static void *make(size_t bytes) {
  return malloc(bytes);
}

int main(void) {
  void *volatile block = make(10);
  free(block);
  return 6;
}
