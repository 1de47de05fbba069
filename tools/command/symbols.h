/*
 * tools/command/symbols.h - the source behind the addresses of an opened recording.
 *
 * Job: opens the debug information of a module when an address of it is asked for first, and answers as
 * analysis/line_source.h wants it: names as --demangle, paths as --path-map says.  What can't be answered is said once
 * per module, by prof_symbols_warn.  Not for several threads at once.
 */
#ifndef PROF_COMMAND_SYMBOLS_H
#define PROF_COMMAND_SYMBOLS_H

#include "analysis/line_source.h"
#include "elf/debug.h"
#include "reader.h"

struct prof_symbols;

/* The reader must outlive it. */
prof_status prof_symbols_new(const struct prof_reader *, struct prof_diag *, struct prof_symbols **out) PROF_MUST_CHECK;
void prof_symbols_free(struct prof_symbols *); /* NULL: nothing */

/* Valid until prof_symbols_free. */
struct prof_line_source prof_symbols_source(struct prof_symbols *);

/* The debug information of a module (index); NULL: it has none, or it can't be had. */
struct prof_debug *prof_symbols_debug(struct prof_symbols *, uint32_t module);

/* A frame of debug information as it is shown. */
struct prof_line_frame prof_symbols_frame(struct prof_symbols *, const struct prof_debug_frame *);

/* One line on stderr for each module that was asked for and could not answer, and what to do. */
void prof_symbols_warn(const struct prof_symbols *);

#endif
