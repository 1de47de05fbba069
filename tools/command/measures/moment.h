/*
 * tools/command/measures/moment.h - moments on the command line: "1s", "50%", "loaded", "loaded#2".
 */
#ifndef PROF_COMMAND_MOMENT_H
#define PROF_COMMAND_MOMENT_H

#include "command/reader.h"

/*
 * Two moments "A~B" in ticks, for the option `flag`.  A moment is a time since the start of the recording, a share of
 * its length, or a mark or frame of the program (PROF_MARK, PROF_FRAME), the first one or the N-th of this name.  No
 * text before ~: the start; behind it: the end.  PROF_USAGE, PROF_EMPTY: there is no such mark.
 */
prof_status prof_moments_parse(const char *flag, const char *text, const struct prof_reader *, uint64_t ticks[2],
                               struct prof_diag *) PROF_MUST_CHECK;

#endif
