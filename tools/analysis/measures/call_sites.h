/*
 * tools/analysis/measures/call_sites.h - where wrapped functions were called: by path and address, and in the source.
 *
 * A site is a caller's address under a call path, and an operation.  Many sites may be one line of the source:
 * templates, paths, processes.
 */
#ifndef PROF_ANALYSIS_CALL_SITES_H
#define PROF_ANALYSIS_CALL_SITES_H

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/measured.h"
#include "names/names.h"
#include "study/line_source.h"

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
void prof_call_sites_fini(struct prof_call_sites *);

/* Texts live as long as the names and the source. */
struct prof_measured_place {
  const char *function; /* never NULL */
  const char *file;     /* "": unknown */
  const char *via;      /* function of an uninstrumented library that it called, which made the call; "": none */
  uint32_t line;        /* 0: unknown */
};

bool prof_measured_place_same(const struct prof_measured_place *, const struct prof_measured_place *);
uint64_t prof_measured_place_hash(const struct prof_measured_place *);
uint64_t prof_measured_text_hash(const char *); /* FNV-1a */

/*
 * Of inlined calls the innermost one whose source isn't a system's header: the program's own line, not the container's;
 * else the outermost.
 * A call from an uninstrumented library is the innermost instrumented function's, without a line, by `via`.
 * PROF_NO_MEMORY.
 */
prof_status prof_call_site_place(const prof_trace *, const struct prof_call_site *, struct prof_names *,
                                 const struct prof_line_source *, struct prof_measured_place *out) PROF_MUST_CHECK;

#endif
