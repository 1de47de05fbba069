/*
 * tools/export/name_cache.h - caches the name of each function, loop or leaf (analysis/lines/line_leaves.h), escaped
 * once for a format.
 */
#ifndef PROF_EXPORT_NAME_CACHE_H
#define PROF_EXPORT_NAME_CACHE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/lines/line_leaves.h"
#include "names/names.h"

/* Writes the name of a frame (its number) with the format's escapes. */
typedef void prof_name_write(void *context, FILE *, const char *name, uint32_t number);

struct prof_name_cache {
  struct prof_names *names;
  const struct prof_line_leaves *leaves;
  prof_name_write *write;
  void *context;
  size_t count; /* functions, loops and leaves; after them a slot for unknown ones, and groups */
  size_t slot_count;
  struct {
    char *text;
    size_t bytes;
  } * slots;
};

/* leaves and groups may be NULL. */
prof_status prof_name_cache_init(struct prof_name_cache *, const prof_trace *, struct prof_names *,
                                 const struct prof_line_leaves *leaves, const struct prof_process_groups *,
                                 prof_name_write *, void *context, struct prof_diag *) PROF_MUST_CHECK;
void prof_name_cache_fini(struct prof_name_cache *);

/* Writes the name of a frame (PROF_NONE: unknown).  false: no memory. */
int prof_name_cache_put(struct prof_name_cache *, FILE *, uint32_t function);

#endif
