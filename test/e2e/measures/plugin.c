/* plugin.c - a library that dlopen loads, compiled without the plugin. */
#include <stdlib.h>

void *plugin_make(void);

static void *(*const allocate)(size_t) = malloc;

void *plugin_make(void) {
  void *volatile first = allocate(234);
  (void)first;
  return malloc(1000);
}
