/*
 * tools/trace/write/facts.h - the chunks of a recording that its later files need too.
 *
 * In: chunks as they are written.  Out: those with names, processes, maps, loads and the like, in order; of STATES the
 * latest of each function.  Facts of processes that are over are forgotten, so that their memory doesn't grow with
 * time.
 */
#ifndef PROF_TRACE_FACTS_H
#define PROF_TRACE_FACTS_H

#include "base/index_map.h"
#include "base/vec.h"
#include "proftrace_samples.h"
#include "trace/format.h"

struct prof_kept_fact {
  struct prof_format_chunk head;
  uint8_t *packed;
  uint32_t process; /* number; 0: of none */
  uint64_t key;     /* of a latest one: with the kind, what it is of */
};

struct prof_fact_process {
  uint32_t number, forked_from; /* forked_from: 0: of none; its loads and maps are this one's too */
  uint32_t over_at;             /* serial of the file in which it ended; 0: it lives */
};

struct prof_facts {
  PROF_VEC(struct prof_kept_fact) items;
  PROF_VEC(struct prof_fact_process) processes;
  PROF_VEC(struct prof_state_change) states;
  struct prof_index_map state_index; /* by site */
  struct prof_rate_change rate;      /* the last one */
  bool has_rate;
  bool keeps_latest;            /* set before the first chunk: of the kinds below, the latest of each is kept too */
  struct prof_index_map latest; /* by kind and key: index into `items` */
  PROF_VEC(struct prof_kept_fact) paths; /* with keeps_latest: PATHS, which can be forgotten */
};

/* Are chunks of this kind kept as they are?  (STATES aren't.) */
bool prof_facts_hold(uint16_t kind);
/* Figures of which the latest is valid: with keeps_latest they are kept, and processes must not be forgotten. */
bool prof_facts_are_latest(uint16_t kind);
/* False: no memory.  Other chunks are passed over. */
bool prof_facts_take(struct prof_facts *, const struct prof_format_chunk *, const uint8_t *payload, const void *packed);
/* With keeps_latest: those of samples from before. */
void prof_facts_forget_paths(struct prof_facts *);
void prof_facts_process_over(struct prof_facts *, uint32_t process, uint32_t serial);
/* Forgets what files from `serial` on don't need; false: no memory, nothing is forgotten. */
bool prof_facts_forget(struct prof_facts *, uint32_t serial);
void prof_facts_fini(struct prof_facts *);

#endif
