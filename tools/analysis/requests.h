/*
 * tools/analysis/requests.h - requests that zones of a program work for: what each took, over all threads.
 *
 * A part is one zone (PROF_REQUEST).  A request lasts from the begin of its first part to the end of its last one.  In:
 * a trace and a filter, which decides the zones that count.  One walk; memory: 40 bytes for each part.
 */
#ifndef PROF_ANALYSIS_REQUESTS_H
#define PROF_ANALYSIS_REQUESTS_H

#include "analysis/durations.h"
#include "fold/filter.h"
#include "prof_status.h"

struct prof_request {
  uint64_t id;
  uint64_t begin_ns; /* since the start of the recording */
  uint64_t duration_ns;
  uint64_t busy_ns; /* sum of its parts; those inside another part of it don't count again */
  uint64_t parts;   /* with those */
  uint64_t threads; /* that had parts */
  bool cut;         /* the real begin or end of a part is not known */
};

struct prof_requests {
  struct prof_request *items; /* the longest first, then by begin */
  size_t count;
  struct prof_duration_figures figures; /* of their durations */
};

/* Free *out with prof_requests_free.  PROF_EMPTY: there are no requests; after a failure there is nothing to free. */
prof_status prof_requests_find(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                               struct prof_requests *out) PROF_MUST_CHECK;
void prof_requests_free(struct prof_requests *);

#endif
