/*
 * tools/base/library.h - shared libraries that few commands need, loaded when one does.
 *
 * Linked, such a library would be loaded at the start of every command: libmicrohttpd brings a TLS library along,
 * whose start takes longer than that of all of prof.
 */
#ifndef PROF_BASE_LIBRARY_H
#define PROF_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct prof_library_function {
  const char *name; /* NULL: end of the list */
  size_t member;    /* offset of a function pointer in what prof_library_load fills */
};

/* Loads the library of this soname, for good, and stores the addresses of its functions in `into`.  false: it is not
 * there, or lacks one of them; `into` may then be filled in part. */
bool prof_library_load(const char *soname, const struct prof_library_function *, void *into);

#endif
