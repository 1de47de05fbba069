/*
 * tools/analysis/compare/key_table.h - numbers for functions, by the keys of their names (names/function_key.h).
 */
#ifndef PROF_ANALYSIS_KEY_TABLE_H
#define PROF_ANALYSIS_KEY_TABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/index_map.h"
#include "base/vec.h"

struct prof_key_table { /* zero: empty */
  PROF_VEC(const char *) keys;
  struct prof_index_map known;
  struct prof_arena texts;
  char *scratch; /* a name that becomes a key */
  size_t scratch_bytes;
};

/* The number of a name's key.  UINT32_MAX: find: it is not there; both: no memory. */
uint32_t prof_key_table_add(struct prof_key_table *, const char *name);
uint32_t prof_key_table_find(struct prof_key_table *, const char *name);
void prof_key_table_fini(struct prof_key_table *);

#endif
