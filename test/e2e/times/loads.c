/* loads.c - calls a library that it is linked with, and the same code three times in one that comes and goes. */
#include <dlfcn.h>
#include <stdio.h>

unsigned work(unsigned n);

int main(void) {
  work(100); /* visits 1 */
  for (int i = 0; i < 3; i++) {
    void *library = dlopen("./library.so", RTLD_NOW | RTLD_LOCAL); /* visits 3 */
    if (!library)
      return 1;
    unsigned (*loaded)(unsigned) = (unsigned (*)(unsigned))dlsym(library, "work"); /* visits 3 */
    loaded(100);                                                                   /* visits 3 */
    dlclose(library);                                                              /* visits 3 */
  }
  printf("end\n"); /* visits 1 */
  return 0;
}
