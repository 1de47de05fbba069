/* start_library.c - a shared library of two probed functions. */
int library_inner(int x);
int library_outer(int x);

__attribute__((noinline)) int library_inner(int x) {
  return x * 3;
}

int library_outer(int x) {
  return library_inner(x) + 1;
}
