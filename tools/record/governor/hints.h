/*
 * tools/record/governor/hints.h - which functions an earlier recording found dense: they begin in state burst.
 *
 * In: names, sorted.  Out: per function of a module, whether it is among them.  Without hints every function begins in
 * state always, and the first thousands of its calls are recorded before it leaves.
 */
#ifndef PROF_RECORD_HINTS_H
#define PROF_RECORD_HINTS_H

#include <stdbool.h>
#include <stddef.h>

struct prof_hint {
  const char *name, *file; /* linkage name, source file */
};

struct prof_hints {
  struct prof_hint *items; /* by prof_hint_compare; borrowed */
  size_t count;
  size_t met; /* functions that were among them, of all modules */
};

int prof_hint_compare(const void *left, const void *right);

/* hints: NULL: there are none.  Counts what it finds. */
bool prof_hints_have(struct prof_hints *, const char *name, const char *file);

#endif
