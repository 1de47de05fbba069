/*
 * tools/names/demangle.h - what a linkage name means, by the language of its source.
 *
 * In: names from anybody's object file.  Out: the name as the language writes it.  Time, memory and stack are bounded
 * for every input: a result longer than PROF_DEMANGLED_BYTES is given up, and the linkage name stays.
 * Not for two threads at once.
 */
#ifndef PROF_NAMES_DEMANGLE_H
#define PROF_NAMES_DEMANGLE_H

#include <stddef.h>
#include <stdint.h>

#define PROF_DEMANGLED_BYTES 65536

struct prof_name_buffer { /* begin as zeros; the owner frees `text` */
  char *text;
  size_t bytes; /* room */
};

/* Makes room for `bytes`; NULL: no memory, and the buffer is as it was. */
char *prof_name_room(struct prof_name_buffer *, size_t bytes);

/* `language`: enum prof_language.  NULL: not a name of such a language, or given up, or no memory; else buffer->text.
 */
char *prof_name_full(const char *linkage, uint16_t language, struct prof_name_buffer *);

#endif
