/*
 * tools/export/command_text.h - the recorded command in a format of plain text lines.
 */
#ifndef PROF_EXPORT_COMMAND_TEXT_H
#define PROF_EXPORT_COMMAND_TEXT_H

#include <stdio.h>

#include "proftrace.h"

#define PROF_COMMAND_TEXT_BYTES 4096 /* what is longer is cut */

/* Writes its words with blanks between them, escaped (plain_text.h); the recording's path if it isn't known. */
void prof_command_text_put(FILE *, const prof_trace *);
/* The same without escapes, ended with NUL. */
void prof_command_text(char out[PROF_COMMAND_TEXT_BYTES], const prof_trace *);

#endif
