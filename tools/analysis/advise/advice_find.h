/*
 * tools/analysis/advise/advice_find.h - runs all rules over a recording.
 */
#ifndef PROF_ANALYSIS_ADVICE_FIND_H
#define PROF_ANALYSIS_ADVICE_FIND_H

#include "analysis/advise/advice.h"

/* Folds the recording.  PROF_EMPTY: no calls; PROF_NO_MEMORY.  Free *out with prof_advice_free. */
prof_status prof_advice_find(const struct prof_recording *, struct prof_symbols *, const struct prof_advice_options *,
                             uint64_t max_bytes, struct prof_diag *, struct prof_advice_list *out) PROF_MUST_CHECK;
void prof_advice_free(struct prof_advice_list *);

#endif
