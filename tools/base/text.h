/*
 * tools/base/text.h - makes text from outside safe for a terminal.
 *
 * Symbol names, paths and messages of a recorded program may hold any bytes: line ends, terminal escapes, invalid
 * UTF-8, marks that change the direction of writing.
 */
#ifndef PROF_BASE_TEXT_H
#define PROF_BASE_TEXT_H

#include <stddef.h>

/*
 * Copies in[0..in_bytes) to out, and ends it with NUL (out_bytes >= 1).  Valid UTF-8 stays; control characters (C0,
 * DEL, C1), bidirectional controls and invalid UTF-8 become \xNN each.  Text that doesn't fit is cut at a character.
 * Returns the bytes written, without the NUL.
 */
size_t prof_text_escape(char *out, size_t out_bytes, const char *in, size_t in_bytes);

/* Bytes of the well-formed UTF-8 character at in, 1 to 4; 0: none. */
size_t prof_text_character(const char *in, size_t in_bytes);

/* May a character that prof_text_character measured go to a terminal unchanged? */
int prof_text_is_plain(const char *in, size_t character_bytes);

#endif
