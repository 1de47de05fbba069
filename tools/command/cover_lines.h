/*
 * tools/command/cover_lines.h - the header of a view: what its figures cover, how exact they are, what is missing.
 *
 * By default at most two lines: a warning of prof_reader_warn, and the most important parts that fit.  With --verbose
 * all parts, a line each.
 */
#ifndef PROF_COMMAND_COVER_LINES_H
#define PROF_COMMAND_COVER_LINES_H

#include <stdio.h>

#include "analysis/cover.h"
#include "base/json.h"
#include "output.h"

/* Prints the header, then an empty line. */
void prof_cover_lines(const struct prof_cover *, const struct prof_output *);

/* Writes the same as a JSON object. */
void prof_cover_json(const struct prof_cover *, struct prof_json *, const char *key);

/* Warns on stderr that an option needs scheduler switches, which the recording lacks. */
void prof_cover_no_switches(void);

#endif
