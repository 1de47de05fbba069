/*
 * tools/export/brief_name.h - names that fit into a number of bytes, for formats that repeat them.
 */
#ifndef PROF_EXPORT_BRIEF_NAME_H
#define PROF_EXPORT_BRIEF_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROF_BRIEF_NAME_LEAST 24 /* bytes that a name must have room for */

/*
 * Makes a name of at most `most` bytes (PROF_BRIEF_NAME_LEAST or more): the short name (names/short.h) if that fits
 * and `apart` is false, else its begin, "~" and the number, which keeps names apart.  Characters that a format may have
 * to escape become "_". out: room for most + 1 bytes.  The name is changed; it ends with NUL.
 */
void prof_brief_name(char *out, size_t most, char *name, uint32_t number, bool apart);

#endif
