/*
 * tools/estimate/summary_load.h - the samples and pauses of a trace that has a summary (fold/summary).
 *
 * A row of alike samples becomes as many samples; beyond MOST of all rows together, fewer ones that stand for more
 * each. A row of pauses becomes one.  They have no times.
 */
#ifndef PROF_ESTIMATE_SUMMARY_LOAD_H
#define PROF_ESTIMATE_SUMMARY_LOAD_H

#include "estimate/samples_loading.h"
#include "fold/summary/summary.h"

#define PROF_SUMMARY_SAMPLES_MOST (1u << 20)

/* For samples_load.c alone.  Nodes are the summary's. */
prof_status prof_summary_samples_load(struct prof_samples_loading *, struct prof_diag *) PROF_MUST_CHECK;

#endif
