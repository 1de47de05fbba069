/*
 * tools/record/tables/path_table.h - the callers of samples, each chain once: PATHS chunks.
 *
 * In: return addresses, outermost first.  Out: a number for each chain, which samples name.  Used by the pump only.
 */
#ifndef PROF_RECORD_PATH_TABLE_H
#define PROF_RECORD_PATH_TABLE_H

#include "base/vec.h"
#include "trace/write/write_bursts.h"

#define PROF_PATHS_MAX (1u << 20) /* known at a time: 24 MiB */

struct prof_path_table {
  uint32_t forgotten;               /* so many are in the trace, and known no more */
  PROF_VEC(struct prof_path) paths; /* item n is path forgotten + n + 1 */
  uint32_t *slots;                  /* item + 1, by address and parent; 0: free */
  size_t slot_count;                /* a power of two */
  size_t written;                   /* so many items are in the trace */
};

/*
 * The number of the chain that consists of `parent` (0: of nothing; else given since the last prof_paths_write) and
 * this address.  0: the table is full, or the trace's numbers are used up.
 */
uint32_t prof_paths_add(struct prof_path_table *, uint32_t parent, uint64_t address);

/* Writes those that aren't written: before the samples that name them.  Half of the table full: it begins anew, as
 * processes that have ended don't use theirs any more. */
void prof_paths_write(struct prof_path_table *, prof_writer *);
/* Numbers begin anew, from 1: no later sample of the trace may name one from before. */
void prof_paths_renew(struct prof_path_table *);
/* How many are in the trace since. */
static inline size_t prof_paths_written(const struct prof_path_table *table) {
  return table->forgotten + table->written;
}
/* Maximum size of the next prof_paths_write. */
uint64_t prof_paths_waiting_bytes(const struct prof_path_table *);
void prof_paths_fini(struct prof_path_table *);

#endif
