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

#endif
