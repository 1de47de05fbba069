/*
 * tools/analysis/measures/lock_name.h - what a lock, or another thing that threads wait for, is called.
 */
#ifndef PROF_ANALYSIS_LOCK_NAME_H
#define PROF_ANALYSIS_LOCK_NAME_H

#include "analysis/measures/file_names.h"
#include "analysis/measures/measured_place.h"
#include "base/arena.h"
#include "study/data_objects.h"
#include "study/symbols.h"
#include "tally/lock_state.h"

struct prof_lock_namer {
  const prof_trace *trace;
  struct prof_names *names;
  const struct prof_line_source *source;
  struct prof_symbols *symbols;
  const struct prof_call_sites *sites; /* that first_site of locks is in */
  struct prof_file_names files;
  struct prof_arena arena;
  struct prof_data_object object; /* the one found last, of module object_module; bytes 0: none */
  uint32_t object_module;
};

/* False: no memory.  Free it with prof_lock_namer_fini, after a failure too. */
bool prof_lock_namer_init(struct prof_lock_namer *, const prof_trace *, struct prof_names *,
                          const struct prof_line_source *, struct prof_symbols *, const struct prof_call_sites *);
/* A variable, perhaps with an offset in it; an endpoint; else the kind and where it was first met.  The caller frees
 * *out.  PROF_NO_MEMORY. */
prof_status prof_lock_name(struct prof_lock_namer *, const struct prof_lock *, char **out) PROF_MUST_CHECK;
void prof_lock_namer_fini(struct prof_lock_namer *);

/* "mutex", ...; of enum prof_measure_lock, also of one that isn't known. */
const char *prof_lock_kind(uint64_t kind);

#endif
