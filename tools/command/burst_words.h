/*
 * tools/command/burst_words.h - how functions and zones of a recording with a budget were recorded, in words.
 */
#ifndef PROF_COMMAND_BURST_WORDS_H
#define PROF_COMMAND_BURST_WORDS_H

#include <stddef.h>

#include "analysis/cover.h"

/*
 * "2 of 7 functions and 1 of 2 zones recorded in bursts (~ estimated), 6 exactly", or "all 7 functions recorded
 * exactly".  verbose: how many windows there were, too.  "": the recording has no budget.  Returns `out`; what has no
 * room is cut.
 */
const char *prof_burst_words(char *out, size_t bytes, const struct prof_cover *, bool verbose);

#endif
