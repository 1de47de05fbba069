/*
 * tools/estimate/burst/parts.h - how the calls of a function from one caller are divided among the caller's nodes.
 *
 * In: of each node of the caller its calls, and the samples that lie in the callee beneath it.  Out: the node's part of
 * the callee's calls.
 *
 * A call of the caller makes as many calls in every node, unless samples contradict: then a node has more or fewer of
 * them, by as much as its samples show.  Such factors have a gamma distribution, samples are Poisson's; its variance
 * comes from Pearson's statistic, and is 0 up to the bound that chance exceeds once in a hundred (N. E. Breslow, Appl.
 * Statist. 33, 1984; G. Casella, Am. Stat. 39, 1985).  So what is called once a call has as many calls as its caller.
 */
#ifndef PROF_ESTIMATE_BURST_PARTS_H
#define PROF_ESTIMATE_BURST_PARTS_H

#include <stddef.h>

struct prof_burst_part {
  double calls;   /* of the caller's node; 0 in all: not known, so samples alone tell */
  double samples; /* in the callee beneath it */
  double part;    /* out: 0 to 1, the sum over all is 1 */
};

void prof_burst_parts(struct prof_burst_part *, size_t count);

#endif
