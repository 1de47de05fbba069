/*
 * tools/analysis/machine.h - what the machine and the processes did, from readings at intervals (--machine).
 */
#ifndef PROF_ANALYSIS_MACHINE_H
#define PROF_ANALYSIS_MACHINE_H

#include <stdbool.h>

#include "base/vec.h"
#include "prof_status.h"
#include "tally/track_tally.h"

struct prof_machine_row {
  const struct prof_reading_series *series;
  double min, mean, max; /* in its unit */
  double total;          /* of a sum: unit times seconds, as bytes, joules, core seconds; else 0 */
  size_t count;          /* readings in the part that is shown */
};
struct prof_machine_rows {
  PROF_VEC(struct prof_machine_row) items;
  double energy_joules;         /* of the machine's processors; 0: not known */
  struct prof_track_tally kept; /* of a summary: what series point to; */
  struct prof_reading_series *series;
};

/* Rows of series with a known value, the machine's first.  In a part of a recording: of its own time.  After a failure
 * there are none. */
prof_status prof_machine_sum(const prof_trace *, struct prof_diag *, struct prof_machine_rows *out) PROF_MUST_CHECK;
void prof_machine_rows_fini(struct prof_machine_rows *);

#endif
