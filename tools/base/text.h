/*
 * tools/base/text.h - other people's bytes made fit for a terminal.
 *
 * Symbol names, paths and messages of a recorded program may hold anything: line ends, terminal escapes, bytes that are
 * no UTF-8, marks that turn the direction of writing.
 */
#ifndef PROF_BASE_TEXT_H
#define PROF_BASE_TEXT_H

#include <stddef.h>

/*
 * Copies in[0..in_bytes) to out, always ended by NUL (out_bytes >= 1).  Valid UTF-8 stays; control characters (C0, DEL,
 * C1), bidirectional controls and bytes that are no UTF-8 become \xNN each.  What doesn't fit is cut before the
 * character that doesn't.  Returns the bytes written, without the NUL.
 */
size_t prof_text_escape(char *out, size_t out_bytes, const char *in, size_t in_bytes);

/* Bytes of the well-formed UTF-8 character at in, 1 to 4; 0 when there is none. */
size_t prof_text_character(const char *in, size_t in_bytes);

/* Whether a character that prof_text_character measured may go to a terminal as it is. */
int prof_text_is_plain(const char *in, size_t character_bytes);

#endif
