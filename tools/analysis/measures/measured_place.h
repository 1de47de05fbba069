/*
 * tools/analysis/measures/measured_place.h - where wrapped functions were called (tally/call_sites.h), in the source.
 */
#ifndef PROF_ANALYSIS_MEASURED_PLACE_H
#define PROF_ANALYSIS_MEASURED_PLACE_H

#include "names/names.h"
#include "study/line_source.h"
#include "tally/call_sites.h"

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
