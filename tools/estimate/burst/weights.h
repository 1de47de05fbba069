/*
 * tools/estimate/burst/weights.h - how long a stretch of the recording each window stands for.
 *
 * Windows come seldom where they cost much: in dense phases, while the recorder doesn't run, on a busy machine.  All
 * alike, they would give such phases too little.  So neighbours share the time around them, as in a stratified sample.
 * In: when windows of one kind began, in order, and the time that they are of.  Out: a weight for each: the ticks
 * that it stands for.
 */
#ifndef PROF_ESTIMATE_BURST_WEIGHTS_H
#define PROF_ESTIMATE_BURST_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * begins: ticks, ascending; weights: as many.  begin, end: of the time that all of them share; 0: not known, which is
 * half the mean distance of two windows before the first one, or behind the last one.
 */
void prof_burst_weights(const uint64_t *begins, size_t count, uint64_t begin, uint64_t end, double *weights);

#endif
