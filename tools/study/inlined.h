/*
 * tools/study/inlined.h - functions that were inlined: their lines, and where their code is.
 *
 * Job: what `prof annotate` shows of a function that has no calls, because the compiler put its code into its callers.
 * In: the debug information of all modules with probes (it reads all of it), or what was packed into the trace: then
 * only places that samples or calls met are known.  Out: texts that live as long as the symbols.
 */
#ifndef PROF_STUDY_INLINED_H
#define PROF_STUDY_INLINED_H

#include "base/vec.h"
#include "study/symbols.h"

struct prof_inlined_place {
  const char *into; /* the function that has the code */
  const char *file; /* where it was called; "" unknown */
  uint32_t line;
};

struct prof_inlined {
  const char *function, *file;                /* as they are shown */
  uint32_t first, last;                       /* lines of the file that its code came from */
  uint32_t module;                            /* index of the first that has some */
  PROF_VEC(struct prof_inlined_place) places; /* by file and line, each once */
};

struct prof_inlined_list { /* zeroed: empty */
  PROF_VEC(struct prof_inlined) list;
};

/* Finds those that a pattern matches, as for -F.  Finding none is PROF_OK; PROF_NO_MEMORY with a diagnostic. */
prof_status prof_inlined_find(const char *pattern, struct prof_symbols *, struct prof_diag *,
                              struct prof_inlined_list *) PROF_MUST_CHECK;
void prof_inlined_fini(struct prof_inlined_list *);

#endif
