/*
 * tools/estimate/burst/paths.h - the functions that a sample's chain of callers shows beneath its skeleton frame.
 *
 * In: the samples' addresses, PATHS, and which functions were recorded when; of a summary the samples' chains, which
 * were looked up while it was made (prof_burst_paths_chain).  Out: for a sample the functions from the
 * outermost to the innermost that were not ALWAYS recorded at its time, and in each the zones around the address.  The
 * chain ends at the innermost frame which events show.  Functions without probes are skipped: their time is their
 * caller's.  So are recorded ones that events don't show: the sample lies in front of their entry's sled, or behind
 * their exit's.
 */
#ifndef PROF_ESTIMATE_BURST_PATHS_H
#define PROF_ESTIMATE_BURST_PATHS_H

#include "base/index_map.h"
#include "base/vec.h"
#include "estimate/burst/chains.h"
#include "estimate/burst/code_zones.h"
#include "estimate/burst/states.h"
#include "estimate/code_functions.h"
#include "estimate/sample_modules.h"
#include "estimate/samples.h"

/* So many levels of a function that calls itself are nodes; deeper ones are part of the last. */
#define PROF_BURST_LEVELS 64u

struct prof_burst_address { /* the function of a return address; PROF_NONE: it has no probes */
  uint64_t address;
  uint32_t process, function;
  uint32_t module; /* and where the call is in it */
  uint64_t place;  /* link-time */
};

struct prof_burst_paths {
  const prof_trace *trace;
  const struct prof_burst_states *states;
  const struct prof_code_functions *code;
  const struct prof_code_zones *zones; /* NULL: none is known */
  const struct prof_sample_module *modules;
  const struct prof_burst_chains *chains; /* of a summary: those that samples have; NULL: they have paths */
  struct prof_index_map known;            /* addresses, by address and process */
  PROF_VEC(struct prof_burst_address) addresses;
  PROF_VEC(struct prof_burst_link) links; /* of the present address, or sample */
  PROF_VEC(uint32_t) found;               /* of the present sample */
  uint32_t wanted;                        /* where its chain ends; PROF_NONE: at the first function that was recorded */
  uint32_t end;                           /* where it did; PROF_NONE: it doesn't get there */
  uint32_t above;                         /* number of its caller's path, or chain; 0: not known */
};

void prof_burst_paths_fini(struct prof_burst_paths *);

/*
 * The sample's functions are found.items[0 .. found.count), outermost first; none: it lies in its skeleton frame, which
 * is a call of function `anchor`; PROF_NONE: not known.  false: no memory.
 */
bool prof_burst_paths_find(struct prof_burst_paths *, const struct prof_sample *, uint32_t anchor);

/* The same of the part of a chain from number `from` on, that of a path or of a chain, up to the first function that
 * was recorded. */
bool prof_burst_paths_above(struct prof_burst_paths *, uint32_t process, uint32_t from, uint64_t time);

/* The sample's whole chain, as it is at its time.  *out: its number in the chains; 0: nothing is known.  false: no
 * memory. */
bool prof_burst_paths_chain(struct prof_burst_paths *, const struct prof_sample *, struct prof_burst_chains *,
                            uint32_t *out);

struct prof_burst_from {     /* where a call came from */
  uint32_t function, module; /* PROF_NONE: it has no probes, or is not known */
  uint64_t address;          /* link-time return address; 0 without module */
};
/* That has a link-time return address in its code; PROF_NONE: none. */
uint32_t prof_burst_place_function(const struct prof_burst_paths *, uint32_t module, uint64_t address);
/* The function that has a zone's site in its code; PROF_NONE: none. */
uint32_t prof_burst_site_function(struct prof_burst_paths *, uint32_t site);
/* Of a call in windows that returns to an address with these low 32 bits. */
struct prof_burst_from prof_burst_caller(struct prof_burst_paths *, uint32_t process, uint32_t caller);

#endif
