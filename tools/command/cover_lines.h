/*
 * tools/command/cover_lines.h - the header of a view: what its figures cover, how exact they are, what is missing.
 *
 * By default at most two lines, a warning of prof_reader_warn included: of the parts, those that fit, the most
 * important first.  With --verbose all of them, a line each.
 */
#ifndef PROF_COMMAND_COVER_LINES_H
#define PROF_COMMAND_COVER_LINES_H

#include <stdio.h>

#include "analysis/cover.h"
#include "base/json.h"
#include "estimate/samples.h"
#include "output.h"

/* The header, then an empty line. */
void prof_cover_lines(const struct prof_cover *, const struct prof_output *);

/* The same as an object. */
void prof_cover_json(const struct prof_cover *, struct prof_json *, const char *key);

/* With --verbose: one line on the samples that self times come from, `counted` of them; nothing without samples. */
void prof_sample_line(const struct prof_samples *, uint64_t counted, const struct prof_output *);

/* Warns on stderr that an option needs scheduler switches, which the recording lacks. */
void prof_cover_no_switches(void);

#endif
