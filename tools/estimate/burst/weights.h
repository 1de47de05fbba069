/*
 * tools/estimate/burst/weights.h - how long a stretch of the recording each window stands for.
 *
 * Windows come seldom where they cost much: in dense phases, while the recorder doesn't run, on a busy machine.  All
 * alike, they would give such phases too little.  So neighbours share the time around them, as in a stratified sample.
 * In: when windows of one kind began, in order.  Out: a weight for each, 1 on average.
 */
#ifndef PROF_ESTIMATE_BURST_WEIGHTS_H
#define PROF_ESTIMATE_BURST_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

/* begins: ticks, ascending; weights: as many.  Of few windows each has 1. */
void prof_burst_weights(const uint64_t *begins, size_t count, double *weights);

#endif
