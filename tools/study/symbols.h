/*
 * tools/study/symbols.h - the source behind the addresses of an opened recording.
 *
 * Job: opens the debug information of a module when an address of it is asked for first, and answers the question of
 * study/line_source.h, with names by --demangle and paths by --path-map.  What `prof pack` put into the recording
 * comes first.  Not for several threads at once.
 */
#ifndef PROF_STUDY_SYMBOLS_H
#define PROF_STUDY_SYMBOLS_H

#include "source/dwarf/debug.h"
#include "study/line_source.h"
#include "study/recording.h"

struct prof_symbols;

/* The recording must outlive it. */
prof_status prof_symbols_new(const struct prof_recording *, struct prof_diag *,
                             struct prof_symbols **out) PROF_MUST_CHECK;
void prof_symbols_free(struct prof_symbols *); /* NULL: nothing */

const struct prof_recording *prof_symbols_recording(const struct prof_symbols *);

/* Valid until prof_symbols_free. */
struct prof_line_source prof_symbols_source(struct prof_symbols *);

/*
 * The chain at a link-time address as debug information has it, which lives until the next call.  PROF_NOT_FOUND:
 * nothing is known; PROF_NO_MEMORY.
 */
prof_status prof_symbols_chain(struct prof_symbols *, uint32_t module, uint64_t address,
                               struct prof_debug_chain *out) PROF_MUST_CHECK;

/* The debug information of a module (index) itself; NULL: it has none, or it can't be opened. */
struct prof_debug *prof_symbols_debug(struct prof_symbols *, uint32_t module);

/* What was packed into the trace; NULL: nothing. */
const struct prof_packed *prof_symbols_packed(const struct prof_symbols *);
const struct prof_packed_lines *prof_symbols_packed_lines(const struct prof_symbols *, uint32_t module);

struct prof_symbols_facts {
  bool asked;     /* for an address of it */
  uint32_t flags; /* PROF_PACKED_ */
  uint32_t splits_missing;
  const char *reason, *remedy; /* with PROF_PACKED_UNREADABLE */
};
/* What is known of a module's debug information so far. */
struct prof_symbols_facts prof_symbols_facts(const struct prof_symbols *, uint32_t module);

struct prof_function_extent { /* the source of a function of the trace */
  const char *file, *raw;     /* path, as it is shown and as debug information has it */
  uint32_t first, last;       /* lines that it stands on, from its head on */
  uint32_t module;            /* index */
  uint64_t address;           /* link-time, of its first probe */
};

/* false: its source isn't known. */
bool prof_symbols_extent(struct prof_symbols *, uint32_t function, struct prof_function_extent *out);

/* The module's path by --path-map; its recorded path where only that exists. */
const char *prof_symbols_module_path(struct prof_symbols *, uint32_t module);

/* When the module's file was last changed, ns since 1970; INT64_MAX: it isn't there. */
int64_t prof_symbols_built(struct prof_symbols *, uint32_t module);

/* A frame of debug information as it is shown. */
struct prof_line_frame prof_symbols_frame(struct prof_symbols *, const struct prof_debug_frame *);

#endif
