/* backend.h - what the files of this backend share: the unit of this compiler process, descriptions, passes. */
#ifndef PROF_GCC_BACKEND_H
#define PROF_GCC_BACKEND_H

#include "unit.h"

class opt_pass;
struct function;

extern struct prof_unit prof_backend_unit;

/* One function as the selection and the facts want it; without anchor and statements. */
struct prof_description {
  struct prof_function facts;
  char *owned[4];
};

void prof_description_init(struct prof_description *description, function *fun);
void prof_description_fini(struct prof_description *description);

opt_pass *prof_functions_pass_new(void);

/* Counters of lines: at the end of lowering. */
opt_pass *prof_counts_pass_new(void);
/* Has this unit, or what is linked here with -flto, the switch of counters? */
bool prof_counts_are_there(void);

#endif
