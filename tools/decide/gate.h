/*
 * tools/decide/gate.h - rules for runs: limits, and no regression against a baseline.
 *
 *    baseline = "main"                a saved baseline: its name, or a path
 *    regressions = true               default, where there is a baseline: nothing may be slower than it
 *    least_change = "2%"              smaller changes are none
 *    must_show = "10%"                a row that may be so much slower, as far as the runs tell, is not judged; "off":
 * never limits = ["p99 of handle_request < 5ms", "calls of malloc <= 1.05x baseline"]
 */
#ifndef PROF_DECIDE_GATE_H
#define PROF_DECIDE_GATE_H

#include "base/toml.h"
#include "decide/diff.h"
#include "decide/limit.h"

struct prof_gate_rules {
  PROF_VEC(struct prof_limit) limits;
  const char *baseline; /* NULL: none */
  bool regressions;
  double least_change, must_show;
  struct prof_toml file; /* owns the texts */
};

/* PROF_USAGE: a key or a limit is wrong, the diagnostic has the line.  Nothing is held after a failure. */
prof_status prof_gate_rules_read(const char *path, struct prof_diag *, struct prof_gate_rules *) PROF_MUST_CHECK;
void prof_gate_rules_fini(struct prof_gate_rules *);

enum prof_gate_doubt { /* why regressions can't be judged */
                       PROF_DOUBT_NONE,
                       PROF_DOUBT_FEW_RUNS, /* a side has under 3 */
                       PROF_DOUBT_MACHINE,  /* the baseline is of another machine */
                       PROF_DOUBT_MODE,     /* it was recorded in another way */
                       PROF_DOUBT_STRANGER, /* most of its time is in functions that the runs don't have */
};

struct prof_gate {
  enum prof_gate_result result;               /* of all: broken before unknown before kept */
  PROF_VEC(struct prof_limit_checked) limits; /* as in the rules */
  bool has_diff;                              /* regressions were looked for: */
  struct prof_diff diff;
  enum prof_gate_doubt doubt;
  PROF_VEC(const struct prof_diff_row *) regressions; /* rows of the diff; the program's first */
  PROF_VEC(const struct prof_diff_row *) unjudged;    /* likewise: noise hides whether they are slower */
};

/* groups: baseline (may be empty), runs (at least one).  PROF_NO_MEMORY.  Free it in any case. */
prof_status prof_gate_check(const struct prof_gate_rules *, const struct prof_run_group groups[2], struct prof_diag *,
                            struct prof_gate *) PROF_MUST_CHECK;
void prof_gate_fini(struct prof_gate *);

#endif
