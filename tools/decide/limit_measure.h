/*
 * tools/decide/limit_measure.h - what can be limited: a table.  For limit.c and limit_check.c.
 */
#ifndef PROF_DECIDE_LIMIT_MEASURE_H
#define PROF_DECIDE_LIMIT_MEASURE_H

#include "decide/run.h"

enum prof_limit_unit { PROF_LIMIT_COUNT, PROF_LIMIT_TIME, PROF_LIMIT_SHARE, PROF_LIMIT_BYTES };

struct prof_limit_measure {
  const char *name, *summary;
  bool of_row;
  enum prof_limit_unit unit;
  bool of_memory;                                                     /* the row is one of memory */
  double (*of)(const struct prof_run *, const struct prof_run_row *); /* row: NULL for the program; NAN: not known */
};

/* Names and summaries, for help; NULL past the end. */
const char *prof_limit_measure_name(size_t index, const char **summary);
/* By name; NULL: none. */
const struct prof_limit_measure *prof_limit_measure_find(const char *name, bool of_row);

#endif
