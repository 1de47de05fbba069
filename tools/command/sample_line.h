/*
 * tools/command/sample_line.h - how many samples self times come from, below the header of a view.
 */
#ifndef PROF_COMMAND_SAMPLE_LINE_H
#define PROF_COMMAND_SAMPLE_LINE_H

#include "estimate/samples.h"
#include "output.h"

/* With --verbose prints a line on the `counted` samples of self times; nothing without samples. */
void prof_sample_line(const struct prof_samples *, uint64_t counted, const struct prof_output *);

#endif
