/*
 * tools/analysis/gpu/gpu_leads.h - which host paths of GPU calls the filter by callers (--caller) shows.
 *
 * A path is shown if the fold shows a call by it: then in one of these calls a function of the filter was called, by
 * this path or by another one without GPU calls.
 */
#ifndef PROF_ANALYSIS_GPU_LEADS_H
#define PROF_ANALYSIS_GPU_LEADS_H

#include "analysis/gpu/gpu_study.h"

/* By path: 1: the filter shows it.  NULL: no memory; the caller frees.  The study's filter must be by_caller. */
uint8_t *prof_gpu_leads_find(const struct prof_gpu_study *);

#endif
