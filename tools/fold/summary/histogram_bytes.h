/*
 * tools/fold/summary/histogram_bytes.h - a histogram as varints of a payload (docs/trace-format-summary.md, durations),
 * and back.
 */
#ifndef PROF_FOLD_HISTOGRAM_BYTES_H
#define PROF_FOLD_HISTOGRAM_BYTES_H

#include "fold/histogram.h"

struct prof_payload;
struct prof_byte_reader;

/* min, max, buckets, then step and count of each.  An empty one is three zeros. */
void prof_histogram_bytes_put(struct prof_payload *, const struct prof_histogram_pool *, const struct prof_histogram *);
/* Into an empty one; reader->bad: malformed.  false: no memory. */
bool prof_histogram_bytes_get(struct prof_byte_reader *, struct prof_histogram_pool *, struct prof_histogram *);

#endif
