/*
 * tools/trace/part/merge.h - writes several recordings as one.
 *
 * Parts of one recording (parts of --split, snapshots, slices) have the same id: their chunks are copied as they are,
 * each once, so that calls go on from part to part.  Other recordings get numbers of their own (renumber.h); where they
 * have the same program, its functions are one.
 */
#ifndef PROF_TRACE_MERGE_H
#define PROF_TRACE_MERGE_H

#include <stdbool.h>

#include "proftrace.h"

struct prof_merge_choice {
  prof_trace *const *traces;
  size_t count;
  bool in_turn; /* recordings one after the other; else where they began by the clock of the system */
};

struct prof_merge_result {
  uint64_t events, bytes;
  uint32_t recordings; /* with ids of their own */
  uint64_t again;      /* events that were in several */
  bool apart;          /* their times were moved */
};

/* Is this the name of a part or snapshot in the folder of a recording? */
bool prof_merge_is_part(const char *name);

/*
 * Writes `folder`/trace, as prof_part_write does.  PROF_USAGE: one adds nothing to the others.  PROF_UNSUPPORTED: their
 * clocks, samplers or kinds don't fit together.
 */
prof_status prof_merge_write(const struct prof_merge_choice *, const char *folder, struct prof_diag *,
                             struct prof_merge_result *) PROF_MUST_CHECK;

#endif
