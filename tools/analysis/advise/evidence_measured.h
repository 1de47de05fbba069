/*
 * tools/analysis/advise/evidence_measured.h - what rules look at of memory, locks, input and output, where recorded.
 */
#ifndef PROF_ANALYSIS_EVIDENCE_MEASURED_H
#define PROF_ANALYSIS_EVIDENCE_MEASURED_H

#include "analysis/measures/held_waits.h"
#include "analysis/measures/io.h"
#include "analysis/measures/locks.h"
#include "analysis/measures/memory.h"
#include "analysis/measures/openmp.h"
#include "analysis/measures/wait_habits.h"

struct prof_measured_evidence { /* all zero: nothing was measured */
  struct prof_locks locks;      /* sleeps and so on too; most wait first */
  struct prof_held_waits held;
  struct prof_wait_habits habits;
  struct prof_openmp regions, region_threads;
  struct prof_io io; /* by place */
  struct prof_memory memory;
};

prof_status prof_measured_evidence_make(const struct prof_recording *, struct prof_symbols *, struct prof_diag *,
                                        struct prof_measured_evidence *out) PROF_MUST_CHECK;
void prof_measured_evidence_free(struct prof_measured_evidence *);

#endif
