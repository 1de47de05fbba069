/*
 * values.h - arguments and returned values of functions that the plugin's argument `values` names.
 */
#ifndef PROF_GCC_VALUES_H
#define PROF_GCC_VALUES_H

#include "compat.h"

#include "backend.h"
#include "probe_text.h"

struct prof_valued { /* a function that gets probes */
  const struct prof_candidate *facts;
  uint64_t key;
};

/* Statements for behind the ENTRY; NULL: none.  Reading parameters in memory leaves virtual operands to be renamed. */
gimple_seq prof_values_entered(const struct prof_valued *, function *fun);
/* Statements for before the EXIT that stands before `before`, or on the edge `way` into a return; NULL: none. */
gimple_seq prof_values_returned(const struct prof_valued *, function *fun, gimple *before);
gimple_seq prof_values_returned_on_edge(const struct prof_valued *, function *fun, edge way);

void prof_values_register(const char *plugin);

#endif
