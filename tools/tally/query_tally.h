/*
 * tools/tally/query_tally.h - statements of databases by site and text, event after event.
 */
#ifndef PROF_TALLY_QUERY_TALLY_H
#define PROF_TALLY_QUERY_TALLY_H

#include "fold/histogram.h"
#include "tally/call_sites.h"

struct prof_query_sum {
  uint32_t site, process, text; /* site: UINT32_MAX: not by place; text: number of a FILE, 0: not known */
  bool postgres;                /* else SQLite */
  uint64_t calls, failed, rows, ticks, prepared, prepare_ticks;
  struct prof_histogram times; /* of calls, ticks */
};

struct prof_query_tally { /* all zero: empty, not by place */
  bool by_place;
  bool recorded; /* there was such an event */
  struct prof_call_sites sites;
  PROF_VEC(struct prof_query_sum) sums;
  struct prof_index_map known;
  struct prof_histogram_pool pool;
};

/* Events of other kinds are ignored.  False: no memory. */
bool prof_query_tally_take(struct prof_query_tally *, const struct prof_measured *);
/* Adds a sum, whose histogram is of `pool`.  False: no memory. */
bool prof_query_tally_add(struct prof_query_tally *, const struct prof_query_sum *, const struct prof_histogram_pool *);
void prof_query_tally_fini(struct prof_query_tally *);

#endif
