/* backend.h - what plugin.cc and functions.cc share: the unit of this compiler process, and the pass. */
#ifndef PROF_GCC_BACKEND_H
#define PROF_GCC_BACKEND_H

#include "unit.h"

class opt_pass;

extern struct prof_unit prof_backend_unit;

opt_pass *prof_functions_pass_new(void);

#endif
