/*
 * tools/tally/sums_move.h - sums of measures into other ones, where paths, processes and threads have other numbers.
 *
 * In: tables of what becomes of each number.  Out: rows, those that become alike added up.
 */
#ifndef PROF_TALLY_SUMS_MOVE_H
#define PROF_TALLY_SUMS_MOVE_H

#include "tally/sums.h"

struct prof_tally_numbers { /* of all that there is; what is not in it is PROF_NONE */
  struct prof_index_map to; /* by number */
};

struct prof_tally_kept { /* by row: 0: it becomes part of [other]; NULL: all are kept */
  const uint8_t *groups, *locks, *io, *queries, *regions;
};

struct prof_tally_moving {
  struct prof_tally_sums *from; /* its groups are settled; prof_tally_move_memory takes blocks and processes over */
  struct prof_tally_sums *to;
  const uint32_t *nodes;                                /* by node; PROF_NONE: hidden */
  const uint32_t *functions;                            /* by key; NULL: the same */
  const struct prof_tally_numbers *processes, *threads; /* NULL: the same */
  struct prof_tally_kept kept;
};

/* Rows of hidden sites, and of processes that aren't there, are left out.  False: no memory. */
bool prof_tally_move_memory(const struct prof_tally_moving *) PROF_MUST_CHECK;
bool prof_tally_move_locks(const struct prof_tally_moving *) PROF_MUST_CHECK;
bool prof_tally_move_io(const struct prof_tally_moving *) PROF_MUST_CHECK;
bool prof_tally_move_queries(const struct prof_tally_moving *) PROF_MUST_CHECK;
bool prof_tally_move_regions(const struct prof_tally_moving *) PROF_MUST_CHECK; /* it takes over what goes on */

#endif
