/*
 * tools/decide/baseline.h - runs of a build in one small file, to compare later runs with.
 *
 * A baseline is text that lies beside the code, so that a change of it can be read.  Lines have fields between tabs;
 * in texts a tab is \t, a line end \n, a backslash \\.
 *
 *    prof baseline 1                                               the first line
 *    omitted 12                                                    rows that found no room, the cheapest
 *    run BEGIN WALL CPU OVERHEAD RAW SELF WAITING PEAK DOUBT STEP FLAGS COMMAND MACHINE     one for each run;
 *         with --memory two fields more: ALLOCATIONS and BYTES
 *    row KIND LINE NAME FILE CALLER                                then its figures in each run that has it:
 *    in RUN CALLS RAW SELF WAITING PREEMPTED EVENTS MEDIAN NOISE TOTAL P50 P95 P99 MAX
 *    in RUN ALLOCATIONS BYTES PEAK                                 of the kinds `memory` and `memory_line`
 *
 * FLAGS: 1 scheduler switches, 2 a budget, 4 incomplete, 8 --memory, 16 --locks, 32 --io, 64 a summary; and
 * 256 times the budget in permille.  Times are nanoseconds, as in struct prof_run.
 */
#ifndef PROF_DECIDE_BASELINE_H
#define PROF_DECIDE_BASELINE_H

#include <stdio.h>

#include "decide/diff_rows.h"

#define PROF_BASELINE_BYTES 200000u /* the most that one has */

/* Writes the runs; *omitted: rows without room.  False: no memory. */
bool prof_baseline_write(FILE *, const struct prof_run_group *, size_t *omitted);

/* Is the file a baseline, by its first line? */
bool prof_baseline_is(const char *path);

/* Adds its runs to the group.  PROF_CORRUPT names the line; PROF_UNSUPPORTED: of another version; PROF_NOT_FOUND,
 * PROF_IO, PROF_NO_MEMORY. */
prof_status prof_baseline_read(const char *path, struct prof_diag *, struct prof_run_group *) PROF_MUST_CHECK;

/* Adds an empty run.  NULL: no memory.  Earlier runs of the group move. */
struct prof_run *prof_run_group_add(struct prof_run_group *);
void prof_run_group_fini(struct prof_run_group *);

#endif
