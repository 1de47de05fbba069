/*
 * tools/names/function_groups.c - see function_groups.h.
 */
#include "names/function_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

struct keyed {
  const char *key;
  uint32_t function;
};

static int by_text(const void *a, const void *b) {
  const struct keyed *left = a, *right = b;
  return strcmp(left->key, right->key) ?: prof_order(left->function, right->function);
}

bool prof_function_groups(struct prof_names *names, bool by_file, size_t count, uint32_t *of) {
  struct keyed *keyed = malloc((count + 1) * sizeof *keyed);
  if (!keyed)
    return false;
  for (uint32_t i = 0; i < count; i++)
    keyed[i] = (struct keyed){by_file ? prof_names_file(names, i) : prof_names_module(names, i), i};
  qsort(keyed, count, sizeof *keyed, by_text);
  for (size_t i = 0, first = 0; i < count; i++) {
    first = i == 0 || strcmp(keyed[i].key, keyed[i - 1].key) != 0 ? i : first;
    of[keyed[i].function] = keyed[first].function;
  }
  free(keyed);
  return true;
}
