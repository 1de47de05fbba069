/*
 * tools/source/facts.h - walks the static facts of a module (wire/row.h) and takes records apart.
 *
 * In: the bytes of PROF_FACTS_SECTION, which anybody may have written.  Out: records whose lengths and strings have
 * been checked.  Borrowed: strings point into the section.
 */
#ifndef PROF_SOURCE_FACTS_H
#define PROF_SOURCE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "point.h"

struct prof_fact_view {
  const uint8_t *record; /* prof_fact and what follows it */
  uint32_t length;
  uint16_t kind, version;
};

struct prof_fact_walk {
  const uint8_t *at, *end;
  bool damaged; /* a length was impossible: the records behind it can't be found */
};

struct prof_fact_walk prof_fact_walk_begin(const uint8_t *bytes, size_t size);
bool prof_fact_walk_next(struct prof_fact_walk *, struct prof_fact_view *out); /* false: the end */

/* Each: false when the record is of another kind or version, too short, or its strings don't end inside it. */
bool prof_fact_probe_read(const struct prof_fact_view *, struct prof_fact_probe *out);
/* The key of a probe's loop; 0: it has none. */
uint64_t prof_fact_probe_loop(const struct prof_fact_view *);
/* name "": it stands in the function that it was compiled into. */
bool prof_fact_loop_read(const struct prof_fact_view *, struct prof_fact_loop *out, const char **name,
                         const char **file);
bool prof_fact_function_read(const struct prof_fact_view *, struct prof_fact_function *out, const char **name,
                             const char **file);
bool prof_fact_zone_read(const struct prof_fact_view *, struct prof_fact_zone *out);
bool prof_fact_point_read(const struct prof_fact_view *, struct prof_fact_point *out);
bool prof_fact_value_read(const struct prof_fact_view *, struct prof_fact_value *out, const char **name);
bool prof_fact_unit_read(const struct prof_fact_view *, struct prof_fact_unit *out, const char **compiler,
                         const char **file);
bool prof_fact_lto_read(const struct prof_fact_view *, struct prof_fact_lto *out, const char **compiler,
                        const char **file);

#endif
