/*
 * tools/source/dwarf/debug.h - function, file, line and the chain of inlined calls of any address of a module.
 *
 * In: a program or shared library, and the debug information that belongs to it: in itself, or by build id or link in a
 * file of its own, also split (.dwo, .dwp), compressed, or with parts shared between files (dwz).  DWARF 2 to 5.
 * Addresses are link-time ones: take the load bias off before.  Out: texts that live until prof_debug_close; equal
 * pointers to files mean equal files.
 *
 * A unit is read when an address of it is looked up first.  Damaged information costs answers, nothing else:
 * missing values are NULL or 0, and prof_debug_facts reports the damage.  Not shared between threads.
 */
#ifndef PROF_SOURCE_DEBUG_H
#define PROF_SOURCE_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

struct prof_debug;

enum prof_debug_origin {
  PROF_DEBUG_NONE, /* no debug information: functions come from the symbol table, there are no lines */
  PROF_DEBUG_MODULE,
  PROF_DEBUG_BUILD_ID,
  PROF_DEBUG_LINK,
};

struct prof_debug_options { /* NULL or zeroed: defaults */
  const uint8_t *build_id;  /* what the module must have; NULL: any */
  uint32_t build_id_bytes;
  const char *const *roots; /* folders with debug files, ended by NULL; default /usr/lib/debug */
};

struct prof_debug_facts {
  enum prof_debug_origin origin;
  const char *path;        /* the file with the debug information; NULL: none */
  bool damaged;            /* something read so far is damaged */
  bool alternate_missing;  /* there is no file with the parts that dwz moved: functions may lack names */
  uint32_t splits_missing; /* units read so far whose .dwo is gone: they have lines, but no inlined calls */
  uint32_t units, units_read;
};

struct prof_debug_frame {
  const char *function; /* the linker's name where there is one; NULL: unknown */
  const char *file;     /* NULL: unknown */
  uint32_t line;        /* 0: unknown, or code that no line stands for */
  uint32_t column;      /* 0: unknown */
};

struct prof_debug_chain {                /* frames[0] is the innermost; each but the last was inlined into the next */
  const struct prof_debug_frame *frames; /* until the next look-up */
  uint32_t count;
};

/*
 * Opens a module.  PROF_NOT_FOUND: there is no such file, or another file is in its place (the build id
 * differs), and no debug file has the build id either.  PROF_UNSUPPORTED, PROF_IO, PROF_NO_MEMORY.  No debug
 * information is no error: see prof_debug_facts.
 */
prof_status prof_debug_open(const char *path, const struct prof_debug_options *, struct prof_diag *,
                            struct prof_debug **out) PROF_MUST_CHECK;
void prof_debug_close(struct prof_debug *); /* NULL: nothing */

struct prof_debug_facts prof_debug_facts(const struct prof_debug *);

/* PROF_NOT_FOUND: nothing is known of the address, not even a symbol; PROF_NO_MEMORY.  The chain is empty then. */
prof_status prof_debug_find(struct prof_debug *, uint64_t address, struct prof_debug_chain *out) PROF_MUST_CHECK;

/*
 * The symbol that covers the address.  Clones and parts of a function have symbols of their own (`f.cold`, `f.part.0`),
 * but one name in debug information.  NULL: none.
 */
const char *prof_debug_symbol(struct prof_debug *, uint64_t address, uint64_t *low, uint64_t *high);

/* A stretch of code of one line; false: stop. */
typedef bool prof_debug_visit(void *context, uint64_t low, uint64_t high, const struct prof_debug_frame *);

/*
 * Visits the code of the function that covers the address, in order of address, hot and cold parts and what was
 * inlined: each stretch with the file and line it came from and the innermost function.  PROF_NOT_FOUND: no debug
 * information.
 */
prof_status prof_debug_function_lines(struct prof_debug *, uint64_t address, prof_debug_visit *,
                                      void *context) PROF_MUST_CHECK;

/* Whether the caller wants the function with this name, as frames have it. */
typedef bool prof_debug_wants(void *context, const char *function);

/*
 * Visits the code of functions that were inlined and are wanted, with what was inlined into that code; reads all units.
 * PROF_NO_MEMORY.
 */
prof_status prof_debug_inlined_lines(struct prof_debug *, prof_debug_wants *, prof_debug_visit *,
                                     void *context) PROF_MUST_CHECK;

/* Reads all units now. */
prof_status prof_debug_read_all(struct prof_debug *) PROF_MUST_CHECK;

#endif
