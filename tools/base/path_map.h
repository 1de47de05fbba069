/*
 * tools/base/path_map.h - maps paths of another machine to this one by rules OLD=NEW.
 *
 * A rule holds for OLD and everything beneath it; the first that matches is used.  Slashes at the ends of OLD and NEW
 * are ignored.
 */
#ifndef PROF_BASE_PATH_MAP_H
#define PROF_BASE_PATH_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct prof_path_rule { /* texts are borrowed, without NUL */
  const char *from, *to;
  size_t from_bytes, to_bytes;
};

/* false: no "=", or nothing before it.  OLD ends at the first "=". */
bool prof_path_rule_parse(const char *text, struct prof_path_rule *out);

/* The mapped path, in the arena; `path` itself if no rule matches; NULL: no memory. */
const char *prof_path_map(const struct prof_path_rule *, size_t count, const char *path, struct prof_arena *);

#endif
