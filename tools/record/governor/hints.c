/*
 * tools/record/governor/hints.c - see hints.h.
 */
#include "record/governor/hints.h"

#include <stdlib.h>
#include <string.h>

int prof_hint_compare(const void *left, const void *right) {
  const struct prof_hint *a = left, *b = right;
  return strcmp(a->name, b->name) ?: strcmp(a->file, b->file);
}

bool prof_hints_have(struct prof_hints *hints, const char *name, const char *file) {
  const struct prof_hint wanted = {name, file};
  bool found = hints != NULL && hints->count > 0 &&
               bsearch(&wanted, hints->items, hints->count, sizeof wanted, prof_hint_compare) != NULL;
  if (found)
    hints->met++;
  return found;
}
