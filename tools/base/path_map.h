/*
 * tools/base/path_map.h - paths of another machine made those of this one: rules OLD=NEW.
 *
 * A rule holds for OLD itself and everything beneath it; the first that fits is taken.  Slashes at the ends of OLD and
 * NEW mean nothing.
 */
#ifndef PROF_BASE_PATH_MAP_H
#define PROF_BASE_PATH_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct prof_path_rule { /* texts are the caller's, not ended by NUL */
  const char *from, *to;
  size_t from_bytes, to_bytes;
};

/* false: there is no "=", or nothing before it.  OLD ends at the first "=". */
bool prof_path_rule_parse(const char *text, struct prof_path_rule *out);

/* The path by the rules, in the arena; `path` itself where none fits; NULL: no memory. */
const char *prof_path_map(const struct prof_path_rule *, size_t count, const char *path, struct prof_arena *);

#endif
