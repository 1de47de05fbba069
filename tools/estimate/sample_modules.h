/*
 * tools/estimate/sample_modules.h - what placing samples needs to know of modules.
 *
 * In: a trace.  Out: an array by module index.
 */
#ifndef PROF_ESTIMATE_SAMPLE_MODULES_H
#define PROF_ESTIMATE_SAMPLE_MODULES_H

#include <stdbool.h>

#include "proftrace.h"

struct prof_sample_module {
  uint32_t twin;   /* the module of the same file that has probes, or itself */
  bool has_probes; /* its twin has */
  bool spins;      /* threads wait in it while they run: spin_waits.h */
};

/* The caller frees it.  NULL: no memory. */
struct prof_sample_module *prof_sample_modules_of(const prof_trace *);

#endif
