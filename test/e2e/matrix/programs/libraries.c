/* dlopen and dlclose: a library twice, another one in its place, one inside the other, and their constructors. */
#define _GNU_SOURCE
#define FUNCTIONS(F) F(main, "main") F(use, "use") F(leaf, "leaf")
#include "matrix.h"
#include <dlfcn.h>

typedef int entry(int);
NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

NOINLINE static int use(const char *file, const char *name) {
  COUNT(use);
  void *handle = dlopen(file, RTLD_NOW);
  entry *function = handle ? (entry *)dlsym(handle, name) : NULL;
  if (!function)
    return -1000;
  int got = function(3);
  leaf();
  dlclose(handle);
  BARRIER();
  return got;
}

int main(int argc, char **argv) {
  int sum = 0;
  COUNT(main);
  for (int i = 0; i < 3; i++) {
    sum += use("./library_one.so", "one");
    sum += use("./library_two.so", "two");
  }
  sum += use("./library_one.so", "one");
  sum += use("./library_one.so", "one");
  printf("%d\n", sum);
  return 0;
}
