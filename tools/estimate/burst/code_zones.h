/*
 * tools/estimate/burst/code_zones.h - which zones' code an address lies in, from the sites in the trace alone.
 *
 * In: modules' sites; no file of the program.  Out: the zones around an address.  Where a zone's code is: see
 * base/zone_ranges.h.  What a zone calls is not in its code: the address that the call returns to is.
 */
#ifndef PROF_ESTIMATE_BURST_CODE_ZONES_H
#define PROF_ESTIMATE_BURST_CODE_ZONES_H

#include "base/vec.h"
#include "estimate/code_functions.h"

struct prof_code_zone {
  uint64_t begin, end; /* link-time */
  uint64_t reach;      /* greatest end of the module's zones up to this one */
  uint32_t module;     /* index */
  uint32_t zone, host; /* indices of functions */
};

struct prof_code_zones {                 /* zeroed: none */
  PROF_VEC(struct prof_code_zone) items; /* by module and begin */
};

/* false: no memory; fini it all the same. */
bool prof_code_zones_init(struct prof_code_zones *, const prof_trace *, const struct prof_code_functions *);
void prof_code_zones_fini(struct prof_code_zones *);

/* The zone around a link-time address that begins last, of those before items[*at]; *at begins as items.count.  NULL:
 * no more. */
const struct prof_code_zone *prof_code_zones_next(const struct prof_code_zones *, uint32_t module, uint64_t address,
                                                  size_t *at);

#endif
