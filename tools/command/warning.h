/*
 * tools/command/warning.h - one line on what is missing from a recording.
 */
#ifndef PROF_COMMAND_WARNING_H
#define PROF_COMMAND_WARNING_H

#include <stddef.h>

#include "proftrace.h"

#define PROF_WARNING_BYTES 400

/* "1,234 events lost, recording cut short"; empty: nothing is missing. */
void prof_warning_text(const prof_trace *, char text[PROF_WARNING_BYTES]);

/* The same without the end: "1,234 events lost". */
void prof_warning_losses(const prof_trace *, char text[PROF_WARNING_BYTES]);

/* "recording cut short", "recording in progress, data up to 1.2 s ago"; NULL: complete. */
const char *prof_warning_unfinished(const prof_trace *, char text[PROF_WARNING_BYTES]);

/* "2 of 31 SAMPLES, 1 of 1 SAMPLER": chunks that the file lacks; empty: none. */
void prof_warning_lacking(const prof_trace *, char text[PROF_WARNING_BYTES]);

/* Prints prof_warning_text on stderr, if anything is missing. */
void prof_warning_print(const prof_trace *);

#endif
