/*
 * tools/tally/call_sites.h - where wrapped functions were called: by path and address.
 *
 * A site is a caller's address under a call path, and an operation.  Many sites may be one line of the source:
 * templates, paths, processes.
 */
#ifndef PROF_TALLY_CALL_SITES_H
#define PROF_TALLY_CALL_SITES_H

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/measured.h"

struct prof_call_site {
  uint32_t process, node, function, operation; /* as in struct prof_measured, of the first call */
  uint64_t caller, time_ticks;
};

struct prof_call_sites { /* all zero: empty */
  PROF_VEC(struct prof_call_site) items;
  struct prof_index_map known;
};

/* The index of an event's site; UINT32_MAX: no memory. */
uint32_t prof_call_site_of(struct prof_call_sites *, const struct prof_measured *);
/* That of a site like this one, but for its function and time; it is added if need be.  UINT32_MAX: no memory. */
uint32_t prof_call_site_meet(struct prof_call_sites *, const struct prof_call_site *);
void prof_call_sites_fini(struct prof_call_sites *);

#endif
