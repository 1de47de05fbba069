/*
 * tools/fold/loops.h - counts iterations of loops by their VALUEs.
 */
#ifndef PROF_FOLD_LOOPS_H
#define PROF_FOLD_LOOPS_H

#include <stddef.h>
#include <stdint.h>

struct prof_fold_core;
struct prof_fold_worker;

struct prof_loop_values { /* what is recorded of a loop's iterations */
  uint64_t known_entries; /* of entries with at least one iteration that recorded how many */
  uint64_t empty_entries; /* entries that recorded none */
  uint64_t iterations, min_iterations, max_iterations; /* of known_entries; 0 when there are none */
  uint64_t counted_entries, counted_iterations;        /* by LOOP_COUNTs */
};

/* The loop of a VALUE's site, and its kind; PROF_NONE: none. */
uint32_t prof_fold_value_loop(struct prof_fold_worker *, uint32_t site, uint32_t *kind);
/* A VALUE of that loop counts. */
void prof_fold_value_add(struct prof_fold_worker *, uint32_t loop, uint32_t kind, uint64_t value);
void prof_loop_values_merge(struct prof_loop_values *into, const struct prof_loop_values *from, size_t count);
/* How many of the `count` innermost frames that are held are loops'. */
uint64_t prof_fold_loops_among(const struct prof_fold_core *, uint64_t count);

#endif
