/*
 * tools/command/decide/gate_show.h - shows the results of a gate: as a table, JSON, JUnit XML, Markdown, or annotations
 * of GitHub.
 */
#ifndef PROF_COMMAND_GATE_SHOW_H
#define PROF_COMMAND_GATE_SHOW_H

#include "command/output.h"
#include "decide/gate.h"

enum prof_gate_format {
  PROF_GATE_TABLE,
  PROF_GATE_JSON,
  PROF_GATE_JUNIT,
  PROF_GATE_MARKDOWN,
  PROF_GATE_GITHUB,
};

struct prof_gate_shown {
  const struct prof_gate_rules *rules;
  const struct prof_gate *gate;
  const struct prof_run_group *groups; /* baseline, runs */
};

prof_status prof_gate_show(const struct prof_gate_shown *, enum prof_gate_format, struct prof_output *,
                           struct prof_diag *) PROF_MUST_CHECK;

#endif
