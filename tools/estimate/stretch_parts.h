/*
 * tools/estimate/stretch_parts.h - what moments in short stretches stand for, if nothing is known of the time between
 * these.
 *
 * In: stretches in order, which begin at random times; the era that they are of.  Out: parts of that era.  16
 * neighbours share the time from the middle of the gap before them to the middle of the gap behind them.
 */
#ifndef PROF_ESTIMATE_STRETCH_PARTS_H
#define PROF_ESTIMATE_STRETCH_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct prof_sampled_stretch {
  uint64_t begin, end; /* ticks */
};

struct prof_stretch_part {
  uint64_t begin, end; /* ticks */
  double times;        /* what a tick within its stretches stands for, times that of prof_stretch_parts_add */
};
typedef PROF_VEC(struct prof_stretch_part) prof_stretch_parts; /* by time, apart */

/* Adds the parts of an era.  Returns the sum of the stretches' lengths; *done false: no memory. */
uint64_t prof_stretch_parts_add(prof_stretch_parts *, const struct prof_sampled_stretch *, size_t count, uint64_t begin,
                                uint64_t end, double times, bool *done);
/* 0: in no part. */
double prof_stretch_parts_times(const prof_stretch_parts *, uint64_t time);

#endif
