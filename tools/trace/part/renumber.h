/*
 * tools/trace/part/renumber.h - a chunk of one recording among those of another: its numbers and times are moved.
 *
 * In: an unpacked payload.  Out: the same with other numbers of processes, threads, modules, sites and paths, and other
 * ticks.  Names keep their meaning; sizes change in few kinds.  A path whose number would be too large is not known
 * then.
 */
#ifndef PROF_TRACE_RENUMBER_H
#define PROF_TRACE_RENUMBER_H

#include "base/index_map.h"
#include "trace/bytes.h"
#include "trace/format.h"

struct prof_renumber { /* what is added; all zero but `modules`: nothing changes */
  uint32_t process, thread, site, called, path;
  uint64_t ticks;                /* may wrap: times move back then */
  struct prof_index_map modules; /* number before: number after */
};

/* Kinds that can't be moved: of budgets and GPUs. */
bool prof_renumber_can(uint16_t kind);

/*
 * Changes the header too.  `payload` has the bytes of the chunk, and is changed.  PROF_OK; PROF_EMPTY: the chunk has
 * nothing to say in a merged recording; PROF_CORRUPT: it is malformed; PROF_NO_MEMORY.
 */
prof_status prof_renumber_chunk(const struct prof_renumber *, struct prof_format_chunk *,
                                struct prof_payload *payload) PROF_MUST_CHECK;

#endif
