/* zones_library.c - a shared library with zones; one has the name of a zone of the program. */
#include <prof.h>

__attribute__((visibility("default"))) int library_work(int turns);

int library_work(int turns) {
  PROF_ZONE("library");
  volatile int sum = 0;
  for (int i = 0; i < turns; i++) {
    PROF_ZONE("step");
    sum = sum + i;
  }
  return sum;
}
