/*
 * tools/tally/io_tally.h - input and output by site, file and operation, event after event.
 */
#ifndef PROF_TALLY_IO_TALLY_H
#define PROF_TALLY_IO_TALLY_H

#include "fold/histogram.h"
#include "tally/call_sites.h"
#include "tally/thread_set.h"

enum { PROF_IO_ERRORS = 4 }; /* kinds that are told apart */

struct prof_io_errors { /* of failed calls, the most frequent first; error 0: no more */
  struct {
    uint32_t error;
    uint64_t calls;
  } items[PROF_IO_ERRORS];
  bool more;
};

struct prof_io_sum {
  uint32_t site, process, file, operation; /* site: UINT32_MAX: not by place; operation: less READ of wire/measure.h */
  uint64_t calls, failed, bytes, ticks;
  struct prof_io_errors errors;
  struct prof_histogram times; /* of calls, ticks */
  struct prof_thread_set threads;
};

struct prof_io_tally { /* all zero: empty, not by place */
  bool by_place;
  bool recorded; /* there was such an event */
  struct prof_call_sites sites;
  PROF_VEC(struct prof_io_sum) sums;
  struct prof_index_map known;
  struct prof_histogram_pool pool;
};

/* "read", ...; of an event's operation; NULL: it is no input or output. */
const char *prof_io_operation(uint32_t operation);
#define PROF_IO_OPERATIONS 20u

/* Events of other kinds are ignored.  False: no memory. */
bool prof_io_tally_take(struct prof_io_tally *, const struct prof_measured *);
/* Adds a sum, whose histogram is of `pool`.  False: no memory. */
bool prof_io_tally_add(struct prof_io_tally *, const struct prof_io_sum *, const struct prof_histogram_pool *);
void prof_io_tally_fini(struct prof_io_tally *);

/* What `from` counted, too. */
void prof_io_errors_add(struct prof_io_errors *, const struct prof_io_errors *from);

#endif
