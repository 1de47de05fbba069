/* start_main.c - says when its constructor, main and destructor run, and errno as main finds it. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

__attribute__((constructor(101))) static void first(void) {
  printf("constructor\n");
  fflush(stdout);
}

__attribute__((destructor(101))) static void last(void) {
  printf("destructor\n");
  fflush(stdout);
}

int main(int count, char **arguments) {
  printf("main errno %d\n", errno);
  fflush(stdout);
  void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (count > 1 && !library)
    printf("%s\n", dlerror());
  if (library)
    dlclose(library);
  printf("main ends\n");
  fflush(stdout);
  return 3;
}
