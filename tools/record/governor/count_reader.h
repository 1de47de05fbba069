/*
 * tools/record/governor/count_reader.h - reads the counters of all threads at two moments (wire/control.h, "Counting").
 *
 * In: the sites that count, thread records of the region.  Out: how often each thread counted at each of them between
 * the moments.  What a program wrote into the region is checked before each use.  Used by the opener's thread; parents
 * are added under its lock.
 */
#ifndef PROF_RECORD_COUNT_READER_H
#define PROF_RECORD_COUNT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "record/region/region.h"

struct prof_count_source {
  uint32_t process; /* that copied the site's text; its forked children count too */
  uint32_t site, counter;
};

struct prof_count_row {
  uint64_t window; /* its number, set by the opener */
  uint32_t record; /* of the thread */
  int32_t tid;     /* it had */
  uint32_t site;
  uint64_t calls;
};

struct prof_count_thread { /* at the begin */
  uint32_t record, generation, process;
  int32_t tid;
};
struct prof_count_parent {
  uint32_t process, parent;
};

struct prof_count_reader {
  const struct prof_region *region; /* NULL: nothing counts */
  const uint8_t *counters;          /* of record 0 */
  void *map;
  size_t map_bytes, block_bytes;
  PROF_VEC(struct prof_count_parent) parents;
  PROF_VEC(struct prof_count_source) sources;
  PROF_VEC(struct prof_count_thread) threads;
  PROF_VEC(uint64_t) begins; /* by thread and source */
};

/* false: threads of the region have no counters, or there is no address space for them. */
bool prof_count_reader_open(struct prof_count_reader *, const struct prof_region *);
void prof_count_reader_fini(struct prof_count_reader *);
/* The process was forked from `parent`. */
void prof_count_reader_parent(struct prof_count_reader *, uint32_t process, uint32_t parent);

/* Reads the sources' counters.  false: too many, or no memory. */
bool prof_count_reader_begin(struct prof_count_reader *);
/* The same again; appends what was counted meanwhile, by thread.  Threads that have begun or ended since are left out.
 */
struct prof_count_rows {
  PROF_VEC(struct prof_count_row) items;
};
void prof_count_reader_end(struct prof_count_reader *, uint64_t window, struct prof_count_rows *);

#endif
