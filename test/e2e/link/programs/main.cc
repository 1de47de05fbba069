/*
 * main.cc - calls into every other unit and prints what came out, then how often each function was called.
 *
 * With LIBRARIES: arguments are libraries (library.cc), each loaded and used; the first is also closed and loaded
 * again.
 */
#include <cstdio>

#include "units.h"
#ifdef LIBRARIES
#include <dlfcn.h>
#endif

long counted_calls[COUNTED_COUNT];

APART static int run(int x) {
  COUNT(RUN);
  return inlined_in_two(x) + largest(x, 3) + apply(is_even, x) + same_one(x) + weak_and_strong(x) + alias(x);
}

APART static int catches(int x) {
  COUNT(CATCHES);
  try {
    return unprobed(throws, x);
  } catch (int caught) {
    return caught;
  }
}

APART PUBLIC int unused_in_main(int x) {
  COUNT(RUN);
  return run(x) * 5;
}

#ifdef LIBRARIES
__attribute__((no_instrument_function)) static void library_use(const char *path, bool close) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::printf("%s\n", dlerror());
    return;
  }
  int (*entry)(long *, int) = reinterpret_cast<int (*)(long *, int)>(dlsym(library, "library_run"));
  std::printf("library %d\n", entry(counted_calls, 5));
  if (close)
    dlclose(library);
}
#endif

int main(int count, char **arguments) {
  COUNT(MAIN);
  int sum = 0;
  for (int i = 0; i < 7; i++)
    sum += run(i);
  std::printf("run %d\n", sum);
  std::printf("areas %d, factorial %ld, more %d\n", areas(6), factorial(9), more(4));
  std::printf("caught %d %d\n", catches(3), catches(2000));
  std::printf("even %d, jumps %d\n", is_even(101), jumps(3));
#ifdef LIBRARIES
  for (int i = 1; i < count; i++)
    library_use(arguments[i], i == 1);
  if (count > 1)
    library_use(arguments[1], false);
#else
  (void)count;
  (void)arguments;
#endif
#define NAMES(id, names) names,
  static const char *const names[] = {COUNTED_ROWS(NAMES)};
  for (int i = 0; i < COUNTED_COUNT; i++)
    if (counted_calls[i])
      std::printf("calls\t%ld\t%s\n", counted_calls[i], names[i]);
}
