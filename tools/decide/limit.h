/*
 * tools/decide/limit.h - a limit such as "p99 of handle_request < 5ms", and whether runs keep it.
 *
 *    MEASURE [of NAME] < VALUE          also <=, >, >=; NAME: a function, zone, loop or command; globs are for several
 *    VALUE: 5ms, 1.5us, 200 ns, 2s; 10%; 1000; 64M (of 1024); or 1.05x baseline
 *
 * Verdict: kept or broken only if the whole 95% interval is on one side of the limit.  Calls that never vary are exact.
 */
#ifndef PROF_DECIDE_LIMIT_H
#define PROF_DECIDE_LIMIT_H

#include "decide/diff_rows.h"
#include "decide/limit_measure.h"

enum prof_limit_sign { PROF_LIMIT_BELOW, PROF_LIMIT_AT_MOST, PROF_LIMIT_ABOVE, PROF_LIMIT_AT_LEAST };

#define PROF_LIMIT_NAME_BYTES 256
struct prof_limit {
  const char *text; /* as it was written; borrowed */
  const struct prof_limit_measure *measure;
  char name[PROF_LIMIT_NAME_BYTES]; /* "": of the program */
  enum prof_limit_sign sign;
  bool of_baseline; /* value is a factor */
  double value;     /* ns, count, share from 0 to 1 */
};

enum prof_gate_result { PROF_GATE_KEPT, PROF_GATE_BROKEN, PROF_GATE_UNKNOWN };
extern const char *const prof_gate_result_words[];

enum prof_limit_why {                          /* why a result is unknown */
                      PROF_LIMIT_NOISE,        /* the interval holds the limit */
                      PROF_LIMIT_NO_MATCH,     /* no row has the name */
                      PROF_LIMIT_FEW_RUNS,     /* under 3 */
                      PROF_LIMIT_NO_BASELINE,  /* it has no baseline, or that has no such row */
                      PROF_LIMIT_NOT_RECORDED, /* the figure isn't known in every run */
                      PROF_LIMIT_OTHER_MODE,   /* recorded in another way, or on another machine, than the baseline */
};

struct prof_limit_checked {
  enum prof_gate_result result;
  enum prof_limit_why why;
  bool has_value;
  bool exact;
  enum prof_limit_unit unit;
  double value, low, high; /* measured; of_baseline: by the baseline's */
  double limit;
  char name[PROF_LIMIT_NAME_BYTES]; /* of the row that is nearest to breaking it */
  const char *file;                 /* of that row; "": none */
  uint32_t line;
};

/* PROF_USAGE with a diagnostic that shows a valid limit. */
prof_status prof_limit_parse(const char *text, struct prof_diag *, struct prof_limit *out) PROF_MUST_CHECK;
/* baseline: NULL or no runs: none.  PROF_NO_MEMORY. */
prof_status prof_limit_check(const struct prof_limit *, const struct prof_run_group *runs,
                             const struct prof_run_group *baseline, struct prof_diag *,
                             struct prof_limit_checked *out) PROF_MUST_CHECK;

#endif
