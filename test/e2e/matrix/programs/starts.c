/* Before and after main: constructors and destructors by attribute, with priorities, and atexit, also from a
 * destructor. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(early, "early")                                                                                                    \
  F(first, "first")                                                                                                    \
  F(second, "second")                                                                                                  \
  F(ends, "ends")                                                                                                      \
  F(late, "late")                                                                                                      \
  F(exit_one, "exit_one")                                                                                              \
  F(exit_two, "exit_two")                                                                                              \
  F(leaf, "leaf")
#include "matrix.h"

NOINLINE static void leaf(const char *text) {
  COUNT(leaf);
  printf("%s ", text);
  fflush(stdout);
}

__attribute__((constructor(150))) static void early(void) {
  COUNT(early);
  leaf("early");
  BARRIER();
}
__attribute__((constructor(200))) static void first(void) {
  COUNT(first);
  leaf("first");
  BARRIER();
}
__attribute__((constructor)) static void second(void) {
  COUNT(second);
  leaf("second");
  BARRIER();
}
static void exit_two(void) {
  COUNT(exit_two);
  leaf("exit_two");
  BARRIER();
}
static void exit_one(void) {
  COUNT(exit_one);
  leaf("exit_one");
  atexit(exit_two);
}
__attribute__((destructor)) static void ends(void) {
  COUNT(ends);
  leaf("ends");
  BARRIER();
}
__attribute__((destructor(150))) static void late(void) {
  COUNT(late);
  leaf("late");
  BARRIER();
}

int main(int argc, char **argv) {
  COUNT(main);
  atexit(exit_one);
  leaf("main");
  return 0;
}
