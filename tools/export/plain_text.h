/*
 * tools/export/plain_text.h - writes a name into a format of plain text lines.
 */
#ifndef PROF_EXPORT_PLAIN_TEXT_H
#define PROF_EXPORT_PLAIN_TEXT_H

#include <stdio.h>

/* Valid UTF-8 stays; control characters, bidirectional controls and invalid UTF-8 become \xNN each (base/text.h). */
void prof_plain_text_put(FILE *, const char *text);
/* The same of the first bytes. */
void prof_plain_text_write(FILE *, const char *text, size_t bytes);

#endif
