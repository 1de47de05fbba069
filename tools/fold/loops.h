/*
 * tools/fold/loops.h - the iterations of a loop, as VALUEs report them.
 */
#ifndef PROF_FOLD_LOOPS_H
#define PROF_FOLD_LOOPS_H

#include <stdint.h>

struct prof_loop_values { /* what is recorded of a loop's iterations */
  uint64_t known_entries; /* of entries with at least one iteration that recorded how many */
  uint64_t empty_entries; /* entries that recorded none */
  uint64_t iterations, min_iterations, max_iterations; /* of known_entries; 0 when there are none */
  uint64_t counted_entries, counted_iterations;        /* by LOOP_COUNTs */
};

static inline void prof_loop_values_add(struct prof_loop_values *into, const struct prof_loop_values *from) {
  uint64_t min = from->min_iterations;
  if (from->known_entries && (!into->known_entries || min < into->min_iterations))
    into->min_iterations = min;
  if (from->max_iterations > into->max_iterations)
    into->max_iterations = from->max_iterations;
  into->known_entries += from->known_entries;
  into->empty_entries += from->empty_entries;
  into->iterations += from->iterations;
  into->counted_entries += from->counted_entries;
  into->counted_iterations += from->counted_iterations;
}

#endif
