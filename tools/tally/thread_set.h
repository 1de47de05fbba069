/*
 * tools/tally/thread_set.h - which threads something happened in, and how long they were recorded.
 */
#ifndef PROF_TALLY_THREAD_SET_H
#define PROF_TALLY_THREAD_SET_H

#include "base/vec.h"
#include "proftrace.h"

struct prof_thread_set {      /* all zero: empty */
  PROF_VEC(uint32_t) threads; /* indices, each once */
};

/* False: no memory. */
bool prof_thread_set_add(struct prof_thread_set *, uint32_t thread);
bool prof_thread_set_join(struct prof_thread_set *, const struct prof_thread_set *more);
/* From their first to their last events, all together. */
uint64_t prof_thread_set_ns(const struct prof_thread_set *, const prof_trace *);
void prof_thread_set_fini(struct prof_thread_set *);

#endif
