/*
 * tools/command/loops/roofline.h - `prof loops --roofline=FILE`: loops with known work and times as a picture.
 */
#ifndef PROF_COMMAND_ROOFLINE_H
#define PROF_COMMAND_ROOFLINE_H

#include "analysis/loop_work.h"
#include "command/doctor/peaks.h"
#include "command/reader.h"

/* "100,200": GFLOP/s and GB/s; "measure": what `prof doctor` measures, now.  PROF_USAGE with a diagnostic that shows a
 * valid value. */
prof_status prof_roofs_take(const char *text, struct prof_peaks *, struct prof_diag *) PROF_MUST_CHECK;

/* Writes the file, or "-"; *result: the exit status.  PROF_EMPTY: no loop has a rate and exact bytes. */
prof_status prof_roofline_write(const struct prof_reader *, const struct prof_loop_rows *,
                                const struct prof_loop_works *, const char *path, const struct prof_peaks *,
                                int *result, struct prof_diag *) PROF_MUST_CHECK;

#endif
