/* plain.c - compiled without the plugin in every program. */
int unprobed(int (*function)(int), int x);

__attribute__((noinline, visibility("default"))) int unprobed(int (*function)(int), int x) {
  return function(x) + 1;
}
