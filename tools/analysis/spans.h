/*
 * tools/analysis/spans.h - spans that a program marks: how long they lasted, over all threads.
 *
 * A span lasts from a begin to the next end of the same name and number in its process, in any thread.  In: a trace and
 * a filter, which decides the begins and ends that count.  One walk; memory: 32 bytes for each of them.
 */
#ifndef PROF_ANALYSIS_SPANS_H
#define PROF_ANALYSIS_SPANS_H

#include "analysis/frames.h"

struct prof_span_faults {
  uint64_t unfinished; /* begins without an end */
  uint64_t unmatched;  /* ends without a begin */
};

/* Rows have no trees.  Free *out with prof_frames_free.  PROF_EMPTY: no span ended; after a failure there is nothing to
 * free. */
prof_status prof_spans_find(const prof_trace *, const struct prof_filter *, struct prof_diag *, struct prof_frames *out,
                            struct prof_span_faults *) PROF_MUST_CHECK;

struct prof_ended_span { /* that ended */
  const char *name;      /* of the trace */
  uint64_t id, begin_ns, end_ns;
  uint32_t process, thread; /* the thread that began it */
};
struct prof_span_list {
  PROF_VEC(struct prof_ended_span) list; /* by process within a name, then by id and begin */
};

/* Each of them.  Free *out with prof_vec_fini(&out->list), also after a failure.  PROF_EMPTY as above. */
prof_status prof_spans_list(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                            struct prof_span_list *out) PROF_MUST_CHECK;

#endif
