/*
 * tools/analysis/gpu/gpu_stretches.h - sets of times as sorted, disjoint stretches.
 */
#ifndef PROF_ANALYSIS_GPU_STRETCHES_H
#define PROF_ANALYSIS_GPU_STRETCHES_H

#include <stdbool.h>

#include "base/vec.h"

struct prof_stretch {
  uint64_t begin, end;
};

struct prof_stretches { /* all zero: empty */
  PROF_VEC(struct prof_stretch) items;
};

/* Adds a stretch that begins no earlier than all before; false: no memory. */
bool prof_stretches_add(struct prof_stretches *, uint64_t begin, uint64_t end);
uint64_t prof_stretches_total(const struct prof_stretches *);
uint64_t prof_stretches_overlap(const struct prof_stretches *, const struct prof_stretches *);
void prof_stretches_fini(struct prof_stretches *);

#endif
