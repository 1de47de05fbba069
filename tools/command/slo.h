/*
 * tools/command/slo.h - limits of durations that the user states, `--slo='handle_request p99 < 5ms'`, and whether they
 * are kept.
 */
#ifndef PROF_COMMAND_SLO_H
#define PROF_COMMAND_SLO_H

#include "analysis/frames.h"
#include "analysis/functions.h"
#include "base/json.h"
#include "options/values.h"
#include "output.h"

struct prof_slo_result { /* of one limit and one function, zone or frame */
  const char *name;      /* of the row */
  const char *statistic;
  bool or_equal; /* <=, else < */
  bool known;    /* value_ns is; false: no duration of a call is known */
  bool kept;     /* false if it isn't known */
  uint64_t limit_ns, value_ns;
};

struct prof_slo_results { /* all zero: none; free with prof_vec_fini */
  struct prof_slo_result *items;
  size_t count, capacity;
};

/* Compares each limit with all rows whose name matches; names live as long as the rows.  PROF_USAGE: a limit that can't
 * be read, or that no row matches. */
prof_status prof_slo_functions(const struct prof_texts *limits, const prof_trace *, const struct prof_function_rows *,
                               struct prof_diag *, struct prof_slo_results *out) PROF_MUST_CHECK;
prof_status prof_slo_frames(const struct prof_texts *limits, const struct prof_frames *, struct prof_diag *,
                            struct prof_slo_results *out) PROF_MUST_CHECK;

bool prof_slo_kept(const struct prof_slo_results *); /* all of them */
/* A line for each, below a table. */
void prof_slo_show(const struct prof_slo_results *, const struct prof_output *);
/* Member `slo` of an open object; none without limits. */
void prof_slo_json(const struct prof_slo_results *, struct prof_json *);

#endif
